// What ThreadSanitizer has to be told of Swift's Synchronization.Mutex.
//
// A mutex that is free is taken and let go in our own code, which the sanitizer sees; one that is contended, in the
// runtime's library, which it does not see, so that it would take what the mutex guards for a race. These two stand in
// front of the library's and say what they do. `Tools/test-threads` compiles and preloads them.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// Of the sanitizer; absent in programs that are not built with it.
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF) {
    SWIFT void (*next)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
    next(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF) {
    SWIFT void (*next)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(self);
    next(self);
}
