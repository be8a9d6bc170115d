// Scaling of an image, one row of the output at a time: rows are combined first, then the values of a row.
#include <string.h>

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

// Four numbers, or eight short ones, whose sums and products are one or two instructions each.
typedef int16_t words __attribute__((vector_size(16)));
typedef int32_t integers __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

#define ADD_PAIRS(ONE, OTHER)                                                                                    \
    (__builtin_shufflevector(ONE, OTHER, 0, 2, 4, 6) + __builtin_shufflevector(ONE, OTHER, 1, 3, 5, 7))

INNER words eight_words(const int16_t *values) {
    words eight;
    memcpy(&eight, values, sizeof eight);
    return eight;
}

INNER words two_times_four_words(const int16_t *four, const int16_t *others) {
    words eight;
    memcpy(&eight, four, 8);
    memcpy((char *)&eight + 8, others, 8);
    return eight;
}

INNER integers products_in_pairs(words values, words weights) {
    typedef int32_t products __attribute__((vector_size(32)));
    const products all = __builtin_convertvector(values, products) * __builtin_convertvector(weights, products);
    return ADD_PAIRS(all, all);
}

INNER integers products_u8(const int16_t *values, const int16_t *weights) {
    return products_in_pairs(eight_words(values), eight_words(weights));
}

// Two outputs of four taps, in two parts each.
INNER integers two_outputs_u8(const int16_t *values, const int32_t *starts, const int16_t *weights) {
    return products_in_pairs(
        two_times_four_words(values + starts[0], values + starts[1]), eight_words(weights));
}

INNER integers four_outputs_u8(
    const int16_t *values, const int32_t *starts, const int16_t *weights, ptrdiff_t taps) {
    if (taps == 4)
        return ADD_PAIRS(two_outputs_u8(values, starts, weights), two_outputs_u8(values, starts + 2, weights + 8));
    // Each output in four parts.
    integers parts[4];
    for (int i = 0; i < 4; i++) parts[i] = products_u8(values + starts[i], weights + i * taps);
    for (ptrdiff_t tap = 8; tap < taps; tap += 8)
        for (int i = 0; i < 4; i++) parts[i] += products_u8(values + starts[i] + tap, weights + i * taps + tap);
    return ADD_PAIRS(ADD_PAIRS(parts[0], parts[1]), ADD_PAIRS(parts[2], parts[3]));
}

INNER uint8_t sample_u8(int32_t sum) {
    const int32_t value = (sum + (1 << 19)) >> 20;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// Outputs whose sums become samples together.
enum { batch = 16 };

// Replaces every `step`-th of a row's samples by a batch. Of four, the others are read and written again, all at a time.
INNER void store_u8(const uint8_t *samples, uint8_t *row, ptrdiff_t step) {
    if (step == 4) {
        uint32_t fours[batch];
        memcpy(fours, row, sizeof fours);
        for (ptrdiff_t i = 0; i < batch; i++) fours[i] = (fours[i] & 0xffffff00) | samples[i];
        memcpy(row, fours, sizeof fours);
    } else {
        for (ptrdiff_t i = 0; i < batch; i++) row[i * step] = samples[i];
    }
}

INNER void weigh_values_u8(
    const int16_t *restrict values, const int32_t *restrict starts, const int16_t *restrict weights, ptrdiff_t taps,
    uint8_t *restrict row, ptrdiff_t step, ptrdiff_t count) {
    ptrdiff_t first = 0;
    // A batch of fours ends beyond its last sample.
    for (; first + batch + (step == 4) <= count; first += batch) {
        int32_t sums[batch];
        for (ptrdiff_t i = 0; i < batch; i += 4) {
            const integers four = four_outputs_u8(values, starts + first + i, weights + (first + i) * taps, taps);
            memcpy(sums + i, &four, sizeof four);
        }
        uint8_t samples[batch];
        for (ptrdiff_t i = 0; i < batch; i++) samples[i] = sample_u8(sums[i]);
        store_u8(samples, row + first * step, step);
    }
    for (; first < count; first++) {
        int32_t sum = 0;
        for (ptrdiff_t tap = 0; tap < taps; tap++) sum += values[starts[first] + tap] * weights[first * taps + tap];
        row[first * step] = sample_u8(sum);
    }
}

INNER floats products_of_four(const float *values, const float *weights) {
    floats one, other;
    memcpy(&one, values, sizeof one);
    memcpy(&other, weights, sizeof other);
    return one * other;
}

// All CPUs add in the same order.
INNER floats four_outputs_u16(
    const float *values, const int32_t *starts, const float *weights, ptrdiff_t taps) {
    floats low[4], high[4] = {{0}};
    for (int i = 0; i < 4; i++) low[i] = products_of_four(values + starts[i], weights + i * taps);
    for (ptrdiff_t tap = 4; tap < taps; tap += 8) {
        for (int i = 0; i < 4; i++) {
            const float *own = values + starts[i] + tap, *weight = weights + i * taps + tap;
            high[i] += products_of_four(own, weight);
            if (tap + 4 < taps) low[i] += products_of_four(own + 4, weight + 4);
        }
    }
    for (int i = 0; i < 4; i++) low[i] += high[i];
    return ADD_PAIRS(ADD_PAIRS(low[0], low[1]), ADD_PAIRS(low[2], low[3]));
}

INNER uint16_t sample_u16(float sum, float maximum, ptrdiff_t shift) {
    const float value = sum * (1.0f / (float)(1 << shift)), raised = value < 0 ? 0 : value;
    return (uint16_t)(rounded(raised > maximum ? maximum : raised) << shift);
}

INNER void weigh_values_u16(
    const float *restrict values, const int32_t *restrict starts, const float *restrict weights, ptrdiff_t taps,
    uint16_t *restrict row, ptrdiff_t step, ptrdiff_t count, float maximum, ptrdiff_t shift) {
    ptrdiff_t first = 0;
    for (; first + batch <= count; first += batch) {
        float sums[batch];
        for (ptrdiff_t i = 0; i < batch; i += 4) {
            const floats four = four_outputs_u16(values, starts + first + i, weights + (first + i) * taps, taps);
            memcpy(sums + i, &four, sizeof four);
        }
        for (ptrdiff_t i = 0; i < batch; i++) row[(first + i) * step] = sample_u16(sums[i], maximum, shift);
    }
    for (; first < count; first++) {
        float sum = 0;
        for (ptrdiff_t tap = 0; tap < taps; tap++) sum += values[starts[first] + tap] * weights[first * taps + tap];
        row[first * step] = sample_u16(sum, maximum, shift);
    }
}

// Constants make loops of their own of the usual numbers of taps and steps.
#define WITH_CONSTANTS(WEIGH, ...)                                                                               \
    if (taps == 4 && step == 1)                                                                                  \
        WEIGH(values, starts, weights, 4, row, 1, __VA_ARGS__);                                                  \
    else if (taps == 4)                                                                                          \
        WEIGH(values, starts, weights, 4, row, step, __VA_ARGS__);                                               \
    else if (taps == 8 && step == 1)                                                                             \
        WEIGH(values, starts, weights, 8, row, 1, __VA_ARGS__);                                                  \
    else if (taps == 8)                                                                                          \
        WEIGH(values, starts, weights, 8, row, step, __VA_ARGS__);                                               \
    else                                                                                                         \
        WEIGH(values, starts, weights, taps, row, step, __VA_ARGS__)

KERNEL void kernel_weigh_values_u8(
    const int16_t *restrict values, const int32_t *restrict starts, const int16_t *restrict weights, ptrdiff_t taps,
    uint8_t *restrict row, ptrdiff_t step, ptrdiff_t count) {
    WITH_CONSTANTS(weigh_values_u8, count);
}

KERNEL void kernel_weigh_values_u16(
    const float *restrict values, const int32_t *restrict starts, const float *restrict weights, ptrdiff_t taps,
    uint16_t *restrict row, ptrdiff_t step, float maximum, ptrdiff_t shift, ptrdiff_t count) {
    WITH_CONSTANTS(weigh_values_u16, count, maximum, shift);
}

// MARK: - Pixels

// Pixels are computed together; one of three samples is computed with the first one of the next.
enum { pixel = 4, pixels = 4 };

INNER integers pixel_u8(const int16_t *values, const int16_t *weights, ptrdiff_t taps, ptrdiff_t step) {
    integers sums = {0};
    for (ptrdiff_t tap = 0; tap < taps; tap += 2) {
        const words two = two_times_four_words(values + tap * step, values + (tap + 1) * step);
        int32_t both;
        memcpy(&both, weights + tap, sizeof both);
        const integers repeated = {both, both, both, both};
        sums += products_in_pairs(__builtin_shufflevector(two, two, 0, 4, 1, 5, 2, 6, 3, 7), (words)repeated);
    }
    return sums;
}

INNER floats pixel_u16(const float *values, const float *weights, ptrdiff_t taps, ptrdiff_t step) {
    floats sums = {0};
    for (ptrdiff_t tap = 0; tap < taps; tap++) {
        floats one;
        memcpy(&one, values + tap * step, sizeof one);
        sums += one * weights[tap];
    }
    return sums;
}

INNER void weigh_pixels_u8(
    const int16_t *restrict values, const int32_t *restrict starts, const int16_t *restrict weights, ptrdiff_t taps,
    uint8_t *restrict row, ptrdiff_t step, ptrdiff_t count) {
    ptrdiff_t first = 0;
    for (; first + pixels < count; first += pixels) {
        int32_t sums[pixels * pixel];
        for (ptrdiff_t i = 0; i < pixels; i++) {
            const integers one = pixel_u8(values + starts[first + i] * step, weights + (first + i) * taps, taps, step);
            memcpy(sums + pixel * i, &one, sizeof one);
        }
        uint8_t samples[pixels * pixel];
        for (ptrdiff_t i = 0; i < pixels * pixel; i++) samples[i] = sample_u8(sums[i]);
        for (ptrdiff_t i = 0; i < pixels; i++) memcpy(row + (first + i) * step, samples + pixel * i, pixel);
    }
    for (; first < count; first++) {
        const integers sums = pixel_u8(values + starts[first] * step, weights + first * taps, taps, step);
        for (ptrdiff_t i = 0; i < step; i++) row[first * step + i] = sample_u8(sums[i]);
    }
}

KERNEL void kernel_weigh_pixels_u8(
    const int16_t *restrict values, const int32_t *restrict starts, const int16_t *restrict weights, ptrdiff_t taps,
    uint8_t *restrict row, ptrdiff_t step, ptrdiff_t count) {
    if (step == 4 && taps == 4)
        weigh_pixels_u8(values, starts, weights, 4, row, 4, count);
    else if (step == 4)
        weigh_pixels_u8(values, starts, weights, taps, row, 4, count);
    else
        weigh_pixels_u8(values, starts, weights, taps, row, 3, count);
}

KERNEL void kernel_weigh_pixels_u16(
    const float *restrict values, const int32_t *restrict starts, const float *restrict weights, ptrdiff_t taps,
    uint16_t *restrict row, float maximum, ptrdiff_t shift, ptrdiff_t count) {
    for (ptrdiff_t first = 0; first < count; first++) {
        const floats sums = pixel_u16(values + starts[first] * pixel, weights + first * taps, taps, pixel);
        for (ptrdiff_t i = 0; i < pixel; i++) row[first * pixel + i] = sample_u16(sums[i], maximum, shift);
    }
}
