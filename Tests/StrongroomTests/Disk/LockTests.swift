import Foundation
import Strongroom
import Testing

/// What a lock that somebody else holds does to an area.
@Suite struct `Locks of an area` {
    @Test(
        "A lock that is held makes writers busy and leaves readers alone; its holder's death frees it (C069)",
        arguments: AreaCase.onDisk)
    func held(_ kind: AreaCase) throws {
        let root = try TemporaryDirectory()
        let app = try AppContainer("com.example.tests", root: root.path, waitSeconds: 0.1)
        let area = kind.area(of: app)
        try area.set("v", forKey: "k")
        let lock = root.appending(kind.isVault ? "vault/lock" : "\(kind.rawValue)/%lock")
        let holder = Process()
        let output = Pipe()
        holder.executableURL = URL(fileURLWithPath: "/bin/sh")
        holder.arguments = [
            "-c", #"exec 9<"$1"; flock 9 && echo held; exec sleep 600"#, "sh", lock,
        ]
        holder.standardInput = FileHandle.nullDevice
        holder.standardOutput = output
        try holder.run()
        #expect(output.fileHandleForReading.availableData == Data("held\n".utf8))
        func isBusy(_ call: () throws -> Void) {
            #expect {
                try call()
            } throws: { error in
                if case .busy(let path) = error as? StrongroomError {
                    path.hasPrefix(root.path)
                } else {
                    false
                }
            }
        }
        isBusy { try area.set("w", forKey: "k") }
        isBusy { try area.del("k") }
        isBusy { try area.update("n", default: 0) { $0 += 1 } }
        isBusy { try area.write("k") { try $0.write([1]) } }
        #expect(try area.get("k", as: String.self) == "v")
        #expect(try area.keys() == ["k"])
        kill(holder.processIdentifier, SIGKILL)
        holder.waitUntilExit()
        try area.set("w", forKey: "k")
        #expect(try area.get("k", as: String.self) == "w")
    }
}
