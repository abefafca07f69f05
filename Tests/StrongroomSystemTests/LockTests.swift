import Testing

/// Locks, one test after the other: some count the threads that wait for any.
@Suite(.serialized) struct LockTests {}
