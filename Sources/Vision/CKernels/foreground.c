// The subject's own colour at soft samples.
//
// own and old are the subject's and the background's colours, linear between the middles of cells. They are
// corrected so that together they make what is seen: own + alpha * (seen - alpha * own - (1 - alpha) * old).
#include "CKernels.h"
#include "levels.h"
#include "rounding.h"

INNER float between(const float *cell, int period, float left, float right) {
    return *cell + (cell[-period] - *cell) * left + (cell[period] - *cell) * right;
}

INNER uint32_t corrected(float seen, float own, float old, float alpha, float share, float maximum) {
    const float value = own + alpha * (seen - alpha * own - (1 - alpha) * old);
    const float raised = value > 0 ? value : 0;
    const float inside = raised < maximum ? raised : maximum;
    return rounded(seen + (inside - seen) * share);
}

#define DEFINE_CORRECT(TYPE, NAME)                                                                               \
    INNER void correct_##TYPE(                                                                                   \
        TYPE *restrict samples, const uint16_t *restrict alpha, const float *restrict own,                       \
        const float *restrict old, int period, int size, const float *restrict lefts,                            \
        const float *restrict rights, const float *restrict shares, ptrdiff_t first, ptrdiff_t end,              \
        float maximum, int shift) {                                                                              \
        for (ptrdiff_t cell = first / size; cell * size < end; cell++) {                                         \
            const ptrdiff_t start = cell * size;                                                                 \
            const int low = start < first ? (int)(first - start) : 0;                                            \
            const int high = start + size > end ? (int)(end - start) : size;                                     \
            for (int k = low; k < high; k++) {                                                                   \
                const ptrdiff_t place = cell * period + k % period;                                              \
                samples[start + k] = (TYPE)(                                                                     \
                    corrected(                                                                                   \
                        samples[start + k] >> shift, between(own + place, period, lefts[k], rights[k]),          \
                        between(old + place, period, lefts[k], rights[k]), alpha[start + k] * (1.0f / 65535),    \
                        shares[k], maximum)                                                                      \
                    << shift);                                                                                   \
            }                                                                                                    \
        }                                                                                                        \
    }                                                                                                            \
                                                                                                                 \
    KERNEL void NAME(                                                                                            \
        TYPE *restrict samples, const uint16_t *restrict alpha, const float *restrict own,                       \
        const float *restrict old, ptrdiff_t period, ptrdiff_t size, const float *restrict lefts,                \
        const float *restrict rights, const float *restrict shares, ptrdiff_t first, ptrdiff_t end,              \
        float maximum, ptrdiff_t shift) {                                                                        \
        switch (period) {                                                                                        \
        case 1: return CORRECT(TYPE, 1);                                                                         \
        case 2: return CORRECT(TYPE, 2);                                                                         \
        case 3: return CORRECT(TYPE, 3);                                                                         \
        default: return CORRECT(TYPE, 4);                                                                        \
        }                                                                                                        \
    }

// A constant period makes vector code.
#define CORRECT(TYPE, PERIOD)                                                                                    \
    correct_##TYPE(                                                                                              \
        samples, alpha, own, old, PERIOD, size, lefts, rights, shares, first, end, maximum, shift)

DEFINE_CORRECT(uint8_t, kernel_correct_u8)
DEFINE_CORRECT(uint16_t, kernel_correct_u16)
