// Floats to the nearest whole numbers without a branch or a trap.
#pragma once
#include <stdint.h>
#include <string.h>

// The nearest whole number to a value in 0...65535: adding 2^23 leaves it in the low bits.
static inline __attribute__((always_inline)) uint32_t rounded(float value) {
    float sum = value + 8388608.0f;
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits & 0xffff;
}
