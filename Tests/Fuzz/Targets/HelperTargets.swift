import StrongroomFormats

/// What git and docker send to their credential helpers.
enum HelperTargets {
    /// A description of git.
    static func git(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        if let key = GitKey(text) { expect(key.text == text, "a key of two forms") }
        let span = input.span
        let read: GitCredential
        do throws(GitCredential.Refusal) { read = try GitCredential(reading: span) } catch {
            return
        }
        // What was taken can be written, and is the same when it is read again.
        let written = try read.written()
        let again = written.span
        expect(try GitCredential(reading: again) == read, "a description that does not come back")
        expect(!GitCredential.isComplete(again), "an empty line within a description")
        guard let key = GitKey(read) else { return }
        expect(read.matches(key), "a description that does not mean its own key")
        expect(GitKey(key.text) == key, "a key that does not come back")
        expect(GitKey.folder(of: read) == key.folder, "a key outside its folder")
    }

    /// A request of docker: a credential, or a URL.
    static func docker(_ input: [UInt8]) throws {
        let span = input.span
        do throws(DockerRefusal) {
            let read = try DockerCredential(storing: span)
            let answer = read.answer
            let stored = read.stored
            let answered = answer.span
            let kept = stored.span
            expect(try DockerCredential(storing: answered) == read, "an answer that differs")
            expect(
                try DockerCredential(stored: kept, serverURL: read.serverURL) == read,
                "a value that differs")
        } catch {
            expect(!error.description.utf8.contains(UInt8(ascii: "\n")), "a message of two lines")
        }
        do throws(DockerRefusal) {
            let url = try DockerServer.url(reading: span)
            expect(DockerServer.url(ofKey: DockerServer.key(url)) == url, "a key of another URL")
        } catch { return }
    }
}
