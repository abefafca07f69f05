/// How a lock is held (flock(2)).
package enum LockKind: Sendable { case shared, exclusive }
