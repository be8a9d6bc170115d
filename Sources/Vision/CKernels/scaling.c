// Scaling of an image, one row of the output at a time: rows are combined first, then the values of a row.
#include "CKernels.h"
#include "levels.h"
#include "rounding.h"

// Values that are summed up together, in registers.
enum { block = 64 };

// A byte in 1/128 times a weight in 1/16384 is, in the upper half of the product, in 1/64; one instruction does that.
INNER int16_t weighed(uint8_t sample, int16_t weight) {
    return (int16_t)(((int32_t)(int16_t)(sample << 7) * weight + 0x4000) >> 15);
}

KERNEL void kernel_weigh_rows_u8(
    const uint8_t *restrict rows, ptrdiff_t stride, const int16_t *restrict weights, ptrdiff_t taps,
    int16_t *restrict values, ptrdiff_t count) {
    ptrdiff_t first = 0;
    for (; first + block <= count; first += block) {
        int16_t sums[block] = {0};
        for (ptrdiff_t tap = 0; tap < taps; tap++) {
            const uint8_t *row = rows + tap * stride + first;
            for (int i = 0; i < block; i++) sums[i] += weighed(row[i], weights[tap]);
        }
        for (int i = 0; i < block; i++) values[first + i] = sums[i];
    }
    for (; first < count; first++) {
        int16_t sum = 0;
        for (ptrdiff_t tap = 0; tap < taps; tap++) sum += weighed(rows[tap * stride + first], weights[tap]);
        values[first] = sum;
    }
}

KERNEL void kernel_weigh_rows_u16(
    const uint16_t *restrict rows, ptrdiff_t stride, const float *restrict weights, ptrdiff_t taps,
    float *restrict values, ptrdiff_t count) {
    ptrdiff_t first = 0;
    for (; first + block <= count; first += block) {
        float sums[block] = {0};
        for (ptrdiff_t tap = 0; tap < taps; tap++) {
            const uint16_t *row = rows + tap * stride + first;
            for (int i = 0; i < block; i++) sums[i] += row[i] * weights[tap];
        }
        for (int i = 0; i < block; i++) values[first + i] = sums[i];
    }
    for (; first < count; first++) {
        float sum = 0;
        for (ptrdiff_t tap = 0; tap < taps; tap++) sum += rows[tap * stride + first] * weights[tap];
        values[first] = sum;
    }
}

// A constant step makes vectors of the loop.
#define DEFINE_PICK_VALUES(TYPE, NAME)                                                                           \
    KERNEL void NAME(const TYPE *restrict values, ptrdiff_t step, TYPE *restrict part, ptrdiff_t count) {        \
        if (step == 2)                                                                                           \
            for (ptrdiff_t i = 0; i < count; i++) part[i] = values[2 * i];                                       \
        else if (step == 3)                                                                                      \
            for (ptrdiff_t i = 0; i < count; i++) part[i] = values[3 * i];                                       \
        else                                                                                                     \
            for (ptrdiff_t i = 0; i < count; i++) part[i] = values[4 * i];                                       \
    }

DEFINE_PICK_VALUES(int16_t, kernel_pick_values_u8)
DEFINE_PICK_VALUES(float, kernel_pick_values_u16)

INNER int32_t sum_of_eight(const int16_t *restrict values, const int16_t *restrict weights) {
    int32_t sum = 0;
    for (int i = 0; i < 8; i++) sum += (int32_t)values[i] * weights[i];
    return sum;
}

INNER uint8_t byte_of(int32_t sum) {
    const int32_t value = (sum + (1 << 19)) >> 20;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

KERNEL void kernel_weigh_values_u8(
    const int16_t *restrict values, const int32_t *restrict starts, const int16_t *restrict weights, ptrdiff_t taps,
    uint8_t *restrict row, ptrdiff_t step, ptrdiff_t count) {
    if (taps == 8) {
        for (ptrdiff_t i = 0; i < count; i++)
            row[i * step] = byte_of(sum_of_eight(values + starts[i], weights + 8 * i));
        return;
    }
    for (ptrdiff_t i = 0; i < count; i++) {
        int32_t sum = 0;
        for (ptrdiff_t tap = 0; tap < taps; tap += 8)
            sum += sum_of_eight(values + starts[i] + tap, weights + i * taps + tap);
        row[i * step] = byte_of(sum);
    }
}

KERNEL void kernel_weigh_values_u16(
    const float *restrict values, const int32_t *restrict starts, const float *restrict weights, ptrdiff_t taps,
    uint16_t *restrict row, ptrdiff_t step, float maximum, ptrdiff_t shift, ptrdiff_t count) {
    const float unit = 1.0f / (float)(1 << shift);
    for (ptrdiff_t i = 0; i < count; i++) {
        float sums[8] = {0};
        for (ptrdiff_t tap = 0; tap < taps; tap += 8)
            for (int k = 0; k < 8; k++) sums[k] += values[starts[i] + tap + k] * weights[i * taps + tap + k];
        const float sum = ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
        const float value = sum * unit, raised = value < 0 ? 0 : value;
        row[i * step] = (uint16_t)(rounded(raised > maximum ? maximum : raised) << shift);
    }
}
