// The floor under a secret store: in C, the least work that could be right, with no locks, no versions, no checks of
// anything but the boxes. Every function returns nanoseconds, or -1 if a call failed; a negative floor is a failure.
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include <stdbool.h>
#include <stdint.h>

/// Nanoseconds on the clock that only goes forward.
int64_t bench_now(void);

/// Makes a packed file of `count` sealed values of `byte_count` bytes and a file with a hint, in the directory of that
/// descriptor: a number for the calls below. The place of each value is in a hash table in memory.
int32_t bench_floor_make(int32_t directory, int64_t count, int64_t byte_count);
/// Closes the files, removes them, and frees what was taken.
void bench_floor_drop(int32_t floor);

/// Reads `repeats` values at random: keyed hash of the name, `pread` of the hint, `pread` of the box, open, wipe.
int64_t bench_floor_get(int32_t floor, int64_t repeats);
/// Replaces `repeats` values at random: keyed hash, seal, `pwrite` into written space, `fdatasync`, `pwrite` of the
/// hint.
int64_t bench_floor_set(int32_t floor, int64_t repeats);
/// Opens the file, reads the hint and one value, and closes it.
int64_t bench_floor_open(int32_t floor);
/// Seals all values into one buffer, on one core, writes it to a new file, and makes that durable.
int64_t bench_floor_batch(int32_t floor);
/// Opens and seals all values again, on one core, into a new file that takes the name of the old one, durably.
int64_t bench_floor_reseal(int32_t floor);
/// Replaces a file of `byte_count` bytes: temporary file, `fsync`, rename, `fsync` of the directory.
int64_t bench_floor_replace(int32_t floor, int64_t byte_count);
/// Opens `count` boxes of `byte_count` bytes each, boxes and all.
int64_t bench_floor_boxes(int64_t count, int64_t byte_count);

#endif
