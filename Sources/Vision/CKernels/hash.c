// Hashes of files: SHA-256 (FIPS 180-4) for those whose hash is published, and a checksum that keeps up with memory.
#include "CKernels.h"
#include "levels.h"
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#define HAS_SHA_INSTRUCTIONS
#endif

// MARK: - SHA-256

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

INNER uint32_t rotated(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

INNER uint32_t big_endian(const uint8_t *bytes) {
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return __builtin_bswap32(word);
}

INNER uint32_t next_word(const uint32_t *words, int i) {
    const uint32_t early = words[(i + 1) & 15], late = words[(i + 14) & 15];
    const uint32_t first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3;
    const uint32_t second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10;
    return words[i & 15] + first + words[(i + 9) & 15] + second;
}

// One round of variables whose names change places from round to round, so that nothing is moved.
#define ROUND(a, b, c, d, e, f, g, h, i) \
    do { \
        words[(i) & 15] = (i) < 16 ? big_endian(block + 4 * (i)) : next_word(words, i); \
        const uint32_t first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + (g ^ (e & (f ^ g))) + \
                               constants[i] + words[(i) & 15]; \
        d += first; \
        h = first + (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) | (c & (a | b))); \
    } while (0)

static void add_block(uint32_t *state, const uint8_t *block) {
    uint32_t words[16];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i += 8) {
        ROUND(a, b, c, d, e, f, g, h, i);
        ROUND(h, a, b, c, d, e, f, g, i + 1);
        ROUND(g, h, a, b, c, d, e, f, i + 2);
        ROUND(f, g, h, a, b, c, d, e, i + 3);
        ROUND(e, f, g, h, a, b, c, d, i + 4);
        ROUND(d, e, f, g, h, a, b, c, i + 5);
        ROUND(c, d, e, f, g, h, a, b, i + 6);
        ROUND(b, c, d, e, f, g, h, a, i + 7);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

static void add_blocks(uint32_t *state, const uint8_t *blocks, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) add_block(state, blocks + 64 * i);
}

#ifdef HAS_SHA_INSTRUCTIONS

static int has_sha_instructions(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1)) return 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 29);
}

// Four rounds: the instructions take the words a, b, e, f and c, d, g, h of the state, highest first.
#define FOUR_ROUNDS(words, i) \
    do { \
        const __m128i sums = _mm_add_epi32(words, _mm_loadu_si128((const __m128i *)(constants + (i)))); \
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sums); \
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sums, 0x0E)); \
    } while (0)

__attribute__((target("sha,sse4.1"))) static void add_blocks_by_instructions(
    uint32_t *state, const uint8_t *blocks, ptrdiff_t count) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i abef = _mm_set_epi32((int)state[0], (int)state[1], (int)state[4], (int)state[5]);
    __m128i cdgh = _mm_set_epi32((int)state[2], (int)state[3], (int)state[6], (int)state[7]);
    for (; count > 0; count--, blocks += 64) {
        const __m128i first = abef, second = cdgh;
        __m128i words[4];
        for (int i = 0; i < 4; i++) {
            words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(blocks + 16 * i)), big_endian);
            FOUR_ROUNDS(words[i], 4 * i);
        }
        for (int i = 4; i < 16; i++) {
            const __m128i late = words[(i + 3) & 3];
            const __m128i middle = _mm_alignr_epi8(late, words[(i + 2) & 3], 4);
            const __m128i sums = _mm_add_epi32(_mm_sha256msg1_epu32(words[i & 3], words[(i + 1) & 3]), middle);
            words[i & 3] = _mm_sha256msg2_epu32(sums, late);
            FOUR_ROUNDS(words[i & 3], 4 * i);
        }
        abef = _mm_add_epi32(abef, first);
        cdgh = _mm_add_epi32(cdgh, second);
    }
    state[0] = (uint32_t)_mm_extract_epi32(abef, 3), state[1] = (uint32_t)_mm_extract_epi32(abef, 2);
    state[4] = (uint32_t)_mm_extract_epi32(abef, 1), state[5] = (uint32_t)_mm_extract_epi32(abef, 0);
    state[2] = (uint32_t)_mm_extract_epi32(cdgh, 3), state[3] = (uint32_t)_mm_extract_epi32(cdgh, 2);
    state[6] = (uint32_t)_mm_extract_epi32(cdgh, 1), state[7] = (uint32_t)_mm_extract_epi32(cdgh, 0);
}

#endif

void kernel_sha256_blocks(uint32_t *state, const uint8_t *blocks, ptrdiff_t count, int allows_instructions) {
#ifdef HAS_SHA_INSTRUCTIONS
    if (allows_instructions && has_sha_instructions()) return add_blocks_by_instructions(state, blocks, count);
#endif
    add_blocks(state, blocks, count);
}

// MARK: - Checksum

INNER uint64_t mixed(uint64_t lane, const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    lane = (lane ^ word) * 0x9e3779b97f4a7c15;
    return lane ^ lane >> 29;
}

uint64_t kernel_checksum(const uint8_t *bytes, ptrdiff_t count, uint64_t seed) {
    uint64_t lanes[4] = {seed, seed + 1, seed + 2, seed + 3};
    const uint8_t *const end = bytes + count;
    for (; end - bytes >= 32; bytes += 32) {
        for (int i = 0; i < 4; i++) lanes[i] = mixed(lanes[i], bytes + 8 * i);
    }
    uint8_t rest[32] = {0};
    memcpy(rest, bytes, (size_t)(end - bytes));
    for (int i = 0; i < 4; i++) lanes[i] = mixed(lanes[i], rest + 8 * i);
    uint64_t sum = (uint64_t)count;
    for (int i = 0; i < 4; i++) {
        uint8_t lane[8];
        memcpy(lane, lanes + i, sizeof lane);
        sum = mixed(sum, lane);
    }
    return sum;
}
