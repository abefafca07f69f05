@testable import StrongroomStores
import Synchronization

/// The anchor of a walk: what is noted is lost with the power, what is settled is not.
final class WalkAnchor: LogAnchor {
    private struct State {
        /// What it may be after a power loss, the last being what it is.
        var points: [LogPoint?] = [nil]
    }
    private let state = Mutex(State())

    func point() throws(StoreError) -> LogPoint? {
        state.withLock { $0.points[$0.points.count - 1] }
    }
    func note(_ point: LogPoint) { state.withLock { $0.points.append(point) } }
    func settle(_ point: LogPoint) throws(StoreError) { state.withLock { $0.points = [point] } }

    func losePower(_ random: inout some RandomNumberGenerator) {
        state.withLock { state in
            state.points = [state.points[Int.random(in: 0..<state.points.count, using: &random)]]
        }
    }
}
