import FoundationEssentials
import StrongroomSystem

/// The programs that people use instead, by the scripts that measure them.
struct Peers {
    /// A line that a script prints.
    private struct Line: Decodable {
        let peer: String
        let op: String
        let size: Int
        let n: Int
        var p50_us: Double?
        var ops_s: Double?
        var ms: Double?
        var get_ops_s: Double?
        var set_ops_s: Double?
        var alloc_per_entry: Double?
    }

    private let scripts: Path
    private let python: Path

    /// What was measured: the peer, then the work, then each round.
    private(set) var figures: [String: [String: [Double]]] = [:]

    init(scripts: Path) throws {
        self.scripts = WorkingDirectory.absolute(scripts) ?? scripts
        let place = Environment.current.value("PEERS") ?? "/tmp/peers"
        python = place.appending("venv/bin/python")
    }

    /// Runs a script for values of `byteCount` bytes, `count` of them; one that fails says nothing.
    mutating func run(
        _ script: String, byteCount: Int, count: Int, _ more: [String] = []
    ) throws {
        let command =
            "cd '\(scripts)' && exec '\(python)' \(script) \(byteCount) \(count) "
            + more.joined(separator: " ") + " 2>/dev/null"
        var output = [UInt8](repeating: 0, count: 1 << 20)
        var span = output.mutableSpan
        let outcome = try Subprocess.capture(
            shell: Path(command), environment: .current, timeoutSeconds: 600, into: &span)
        let text = String(decoding: output[..<outcome.byteCount], as: UTF8.self)
        for line in text.split(separator: "\n") {
            do {
                let line = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
                if line.size == byteCount, line.n == count { note(line) }
            } catch {
                // A line without figures says what failed, and then there are none.
            }
        }
    }

    private mutating func note(_ line: Line) {
        let name = Self.name(line.peer)
        let add = { (figures: inout [String: [String: [Double]]], work: String, value: Double?) in
            guard let value else { return }
            figures[name, default: [:]]["\(work)-\(line.size)", default: []].append(value)
        }
        switch line.op {
        case "get": add(&figures, "get", line.p50_us.map { $0 * 1000 })
        case "set_durable": add(&figures, "set", line.p50_us.map { $0 * 1000 })
        case "list": add(&figures, "list", line.p50_us.map { $0 * 1000 })
        case "open+get+close": add(&figures, "open", line.p50_us.map { $0 * 1000 })
        case "set_batch": add(&figures, "batch", line.ops_s)
        case "rekey": add(&figures, "rotate", line.ms.map { $0 * 1_000_000 })
        case "disk": add(&figures, "disk", line.alloc_per_entry)
        case "cold": add(&figures, "command", line.ms.map { $0 * 1_000_000 })
        case "mp_r2_w1":
            add(&figures, "mixed-gets", line.get_ops_s)
            add(&figures, "mixed-sets", line.set_ops_s)
        default: break
        }
    }

    private static func name(_ peer: String) -> String {
        let ends = [" raw key", " (gnome-keyring)"]
        for end in ends where peer.hasSuffix(end) { return String(peer.dropLast(end.count)) }
        return peer
    }
}
