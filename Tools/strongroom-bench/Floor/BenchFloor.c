#define _GNU_SOURCE
#include "BenchFloor.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    hint_size = 64,
    name_size = 24,
    hash_size = 64,
    nonce_size = crypto_secretbox_NONCEBYTES,
    box_overhead = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES,
    set_space = 1 << 20,
    floor_limit = 64,
};

struct slot {
    uint64_t id;
    int64_t offset;
};

struct bench_floor {
    int directory, file, hint;
    int64_t count, value_size, record_size;
    int64_t set_at, set_end;
    uint64_t random;
    uint64_t mask;
    struct slot *slots;
    unsigned char *record, *value;
    unsigned char key[32];
    unsigned char expected[hint_size];
};

static struct bench_floor *floors[floor_limit];

int64_t bench_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static struct bench_floor *get_floor(int32_t number) {
    return number >= 0 && number < floor_limit ? floors[number] : NULL;
}

static uint64_t next_random(struct bench_floor *f) {
    f->random ^= f->random << 13;
    f->random ^= f->random >> 7;
    f->random ^= f->random << 17;
    return f->random;
}

static void name_of(int64_t index, unsigned char name[name_size]) {
    memcpy(name, "service/00000000/api-key", name_size);
    for (int at = 15; index > 0 && at >= 8; at--, index /= 10) name[at] += index % 10;
}

static void hash_name(struct bench_floor *f, int64_t index, unsigned char hash[hash_size]) {
    unsigned char name[name_size];
    name_of(index, name);
    crypto_generichash(hash, hash_size, name, name_size, f->key, sizeof f->key);
}

static struct slot *find_slot(struct bench_floor *f, const unsigned char hash[hash_size]) {
    uint64_t id;
    memcpy(&id, hash, sizeof id);
    uint64_t at = id & f->mask;
    while (f->slots[at].offset >= 0 && f->slots[at].id != id) at = (at + 1) & f->mask;
    f->slots[at].id = id;
    return &f->slots[at];
}

static int write_all(int file, const unsigned char *bytes, int64_t size, int64_t offset) {
    while (size > 0) {
        ssize_t done = pwrite(file, bytes, (size_t)size, offset);
        if (done <= 0) return -1;
        bytes += done;
        size -= done;
        offset += done;
    }
    return 0;
}

static int read_all(int file, unsigned char *bytes, int64_t size, int64_t offset) {
    while (size > 0) {
        ssize_t done = pread(file, bytes, (size_t)size, offset);
        if (done <= 0) return -1;
        bytes += done;
        size -= done;
        offset += done;
    }
    return 0;
}

static void seal(struct bench_floor *f, unsigned char *record, const unsigned char *box_key) {
    randombytes_buf(record, nonce_size);
    crypto_secretbox_easy(
        record + nonce_size, f->value, (unsigned long long)f->value_size, record, box_key);
}

static int write_values(struct bench_floor *f) {
    unsigned char hash[hash_size];
    for (int64_t i = 0; i < f->count; i++) {
        hash_name(f, i, hash);
        struct slot *slot = find_slot(f, hash);
        slot->offset = i * f->record_size;
        seal(f, f->record, hash + 32);
        if (write_all(f->file, f->record, f->record_size, slot->offset)) return -1;
    }
    f->set_at = f->count * f->record_size;
    f->set_end = f->set_at;
    return 0;
}

// Space for sets, written once before they are measured.
static int write_space(struct bench_floor *f) {
    int64_t size = f->record_size * 16 > set_space ? f->record_size * 16 : set_space;
    unsigned char *zeros = calloc(1, (size_t)size);
    if (!zeros) return -1;
    int failed = write_all(f->file, zeros, size, f->set_at) || fsync(f->file);
    free(zeros);
    f->set_end = f->set_at + size;
    return failed ? -1 : 0;
}

int32_t bench_floor_make(int32_t directory, int64_t count, int64_t byte_count) {
    int32_t number = 0;
    while (number < floor_limit && floors[number]) number++;
    if (number == floor_limit || sodium_init() < 0) return -1;
    struct bench_floor *f = calloc(1, sizeof *f);
    if (!f) return -1;
    f->directory = dup(directory);
    f->file = openat(directory, "floor", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    f->hint = openat(directory, "floor.hint", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    f->count = count;
    f->value_size = byte_count;
    f->record_size = byte_count + box_overhead;
    f->random = 0x9E3779B97F4A7C15u;
    f->mask = 1;
    while (f->mask < (uint64_t)count * 2) f->mask <<= 1;
    f->slots = malloc(f->mask * sizeof *f->slots);
    f->mask--;
    f->record = malloc((size_t)f->record_size);
    f->value = malloc((size_t)byte_count);
    floors[number] = f;
    if (f->directory < 0 || f->file < 0 || f->hint < 0 || !f->slots || !f->record || !f->value) {
        bench_floor_drop(number);
        return -1;
    }
    for (uint64_t i = 0; i <= f->mask; i++) f->slots[i].offset = -1;
    randombytes_buf(f->key, sizeof f->key);
    randombytes_buf(f->value, (size_t)byte_count);
    randombytes_buf(f->expected, hint_size);
    if (write_all(f->hint, f->expected, hint_size, 0) || write_values(f) || fsync(f->file)) {
        bench_floor_drop(number);
        return -1;
    }
    return number;
}

void bench_floor_drop(int32_t number) {
    struct bench_floor *f = get_floor(number);
    if (!f) return;
    unlinkat(f->directory, "floor", 0);
    unlinkat(f->directory, "floor.hint", 0);
    unlinkat(f->directory, "floor.new", 0);
    close(f->file);
    close(f->hint);
    close(f->directory);
    free(f->slots);
    free(f->record);
    free(f->value);
    free(f);
    floors[number] = NULL;
}

static int get_one(struct bench_floor *f, int file, int hint) {
    unsigned char hash[hash_size], now[hint_size];
    hash_name(f, (int64_t)(next_random(f) % (uint64_t)f->count), hash);
    if (pread(hint, now, hint_size, 0) != hint_size || memcmp(now, f->expected, hint_size)) {
        return -1;
    }
    if (read_all(file, f->record, f->record_size, find_slot(f, hash)->offset)) return -1;
    unsigned char *value = malloc((size_t)f->value_size);
    if (!value) return -1;
    int failed = crypto_secretbox_open_easy(
        value, f->record + nonce_size, (unsigned long long)(f->record_size - nonce_size),
        f->record, hash + 32);
    sodium_memzero(value, (size_t)f->value_size);
    free(value);
    return failed;
}

int64_t bench_floor_get(int32_t number, int64_t repeats) {
    struct bench_floor *f = get_floor(number);
    if (!f) return -1;
    int64_t start = bench_now();
    for (int64_t i = 0; i < repeats; i++) {
        if (get_one(f, f->file, f->hint)) return -1;
    }
    return bench_now() - start;
}

int64_t bench_floor_set(int32_t number, int64_t repeats) {
    struct bench_floor *f = get_floor(number);
    if (!f) return -1;
    if (f->set_end == f->set_at && write_space(f)) return -1;
    int64_t first = f->count * f->record_size;
    unsigned char hash[hash_size];
    int64_t start = bench_now();
    for (int64_t i = 0; i < repeats; i++) {
        if (f->set_at + f->record_size > f->set_end) f->set_at = first;
        hash_name(f, (int64_t)(next_random(f) % (uint64_t)f->count), hash);
        seal(f, f->record, hash + 32);
        if (write_all(f->file, f->record, f->record_size, f->set_at)) return -1;
        f->set_at += f->record_size;
        if (fdatasync(f->file)) return -1;
        if (write_all(f->hint, f->expected, hint_size, 0)) return -1;
    }
    return bench_now() - start;
}

int64_t bench_floor_open(int32_t number) {
    struct bench_floor *f = get_floor(number);
    if (!f) return -1;
    int64_t start = bench_now();
    int file = openat(f->directory, "floor", O_RDONLY | O_CLOEXEC);
    int hint = openat(f->directory, "floor.hint", O_RDONLY | O_CLOEXEC);
    int failed = file < 0 || hint < 0 || get_one(f, file, hint);
    close(file);
    close(hint);
    return failed ? -1 : bench_now() - start;
}

// Writes `bytes` to a new file, durably, and renames it over the name given, if there is one.
static int write_new(
    struct bench_floor *f, const unsigned char *bytes, int64_t size, const char *name) {
    int file = openat(f->directory, "floor.new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    int failed = write_all(file, bytes, size, 0) || fsync(file);
    close(file);
    if (failed) return -1;
    if (name && renameat(f->directory, "floor.new", f->directory, name)) return -1;
    return name && fsync(f->directory) ? -1 : 0;
}

int64_t bench_floor_batch(int32_t number) {
    struct bench_floor *f = get_floor(number);
    if (!f) return -1;
    unsigned char hash[hash_size];
    int64_t start = bench_now();
    unsigned char *all = malloc((size_t)(f->record_size * f->count));
    if (!all) return -1;
    for (int64_t i = 0; i < f->count; i++) {
        hash_name(f, i, hash);
        seal(f, all + i * f->record_size, hash + 32);
    }
    int failed = write_new(f, all, f->record_size * f->count, NULL);
    free(all);
    int64_t end = bench_now();
    unlinkat(f->directory, "floor.new", 0);
    return failed ? -1 : end - start;
}

int64_t bench_floor_reseal(int32_t number) {
    struct bench_floor *f = get_floor(number);
    if (!f) return -1;
    unsigned char hash[hash_size];
    int64_t start = bench_now();
    unsigned char *all = malloc((size_t)(f->record_size * f->count));
    if (!all) return -1;
    int failed = read_all(f->file, all, f->record_size * f->count, 0);
    for (int64_t i = 0; i < f->count && !failed; i++) {
        unsigned char *record = all + i * f->record_size;
        hash_name(f, i, hash);
        failed = crypto_secretbox_open_easy(
            f->value, record + nonce_size, (unsigned long long)(f->record_size - nonce_size),
            record, hash + 32);
        seal(f, record, hash + 32);
    }
    failed = failed || write_new(f, all, f->record_size * f->count, "floor.next");
    free(all);
    int64_t end = bench_now();
    unlinkat(f->directory, "floor.next", 0);
    return failed ? -1 : end - start;
}

int64_t bench_floor_replace(int32_t number, int64_t byte_count) {
    struct bench_floor *f = get_floor(number);
    unsigned char *bytes = calloc(1, (size_t)byte_count);
    if (!f || !bytes) return -1;
    int64_t start = bench_now();
    int failed = write_new(f, bytes, byte_count, "floor.next");
    int64_t end = bench_now();
    free(bytes);
    return failed ? -1 : end - start;
}

int64_t bench_floor_boxes(int64_t count, int64_t byte_count) {
    if (sodium_init() < 0 || byte_count < box_overhead) return -1;
    unsigned char key[32], *box = malloc((size_t)byte_count), *value = calloc(1, (size_t)byte_count);
    if (!box || !value) return -1;
    unsigned long long size = (unsigned long long)(byte_count - box_overhead);
    randombytes_buf(key, sizeof key);
    randombytes_buf(box, nonce_size);
    crypto_secretbox_easy(box + nonce_size, value, size, box, key);
    int failed = 0;
    int64_t start = bench_now();
    for (int64_t i = 0; i < count; i++) {
        failed |= crypto_secretbox_open_easy(
            value, box + nonce_size, size + crypto_secretbox_MACBYTES, box, key);
    }
    int64_t end = bench_now();
    free(box);
    free(value);
    return failed ? -1 : end - start;
}
