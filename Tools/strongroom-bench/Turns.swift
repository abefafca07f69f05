/// Measures several things in turns, so that what else the machine does falls on all of them.
enum Turns {
    /// One of them: `run` measures one round.
    struct Trial {
        let run: () throws -> Double
    }

    /// The rounds of each trial, after one round of each that does not count.
    ///
    /// Who begins changes from round to round.
    static func take(_ trials: [Trial], roundCount: Int) throws -> [[Double]] {
        var rounds = [[Double]](repeating: [], count: trials.count)
        for trial in trials { _ = try trial.run() }
        for round in 0..<roundCount {
            for step in trials.indices {
                let index = (round + step) % trials.count
                rounds[index].append(try trials[index].run())
            }
        }
        return rounds
    }
}
