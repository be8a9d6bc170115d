// Three box sums after each other, a nearly Gaussian blur, along rows or down columns of floats.
//
// A box is 2 * radius + 1 values and `edge` times one more on each side. Values outside are mirrored. Sums are not
// divided.
#include <string.h>

#include "CKernels.h"
#include "levels.h"

// The place that a place outside 0..<count mirrors.
INNER ptrdiff_t mirrored(ptrdiff_t place, ptrdiff_t count) {
    const ptrdiff_t period = 2 * count;
    const ptrdiff_t inside = ((place % period) + period) % period;
    return inside < period - 1 - inside ? inside : period - 1 - inside;
}

INNER void add_shifted(const float *restrict values, ptrdiff_t shift, float *restrict sums, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) sums[i] = values[i] + values[i + shift];
}

// Sums over 1, 2, 4... values are put together to the box's width: unlike a running sum that is vector code.
// `padded`, `powers` and `spare` hold count + 2 * radius + 2 values.
INNER void sum_row(
    const float *row, float *restrict target, ptrdiff_t count, ptrdiff_t radius, float edge,
    float *restrict padded, float *powers, float *spare) {
    const ptrdiff_t reach = radius + 1, width = 2 * radius + 1, all = count + 2 * reach;
    memcpy(padded + reach, row, count * sizeof *row);
    for (ptrdiff_t i = 0; i < reach; i++) {
        // Seldom is a box wider than a row: without divisions then.
        padded[reach - 1 - i] = row[i < count ? i : mirrored(-1 - i, count)];
        padded[reach + count + i] = row[i < count ? count - 1 - i : mirrored(count + i, count)];
    }
    for (ptrdiff_t i = 0; i < count; i++)
        target[i] = padded[i + 1] + (padded[i] + padded[i + 2 * reach]) * edge;
    if (radius == 0) return;
    if (radius == 1) {
        for (ptrdiff_t i = 0; i < count; i++) target[i] += padded[i + 2] + padded[i + 3];
        return;
    }
    add_shifted(padded, 1, powers, all - 1);
    // The width is odd: its first value is in, the rest consists of even powers of two.
    for (ptrdiff_t covered = 1, power = 2; covered < width; power *= 2) {
        if (width & power) {
            const float *part = powers + 1 + covered;
            for (ptrdiff_t i = 0; i < count; i++) target[i] += part[i];
            covered += power;
        }
        if (covered == width) break;
        add_shifted(powers, power, spare, all - 2 * power + 1);
        float *last = powers;
        powers = spare;
        spare = last;
    }
}

KERNEL void kernel_blur_rows(
    float *values, ptrdiff_t width, ptrdiff_t height, ptrdiff_t radius, float edge, float *scratch) {
    const ptrdiff_t all = width + 2 * radius + 2;
    float *padded = scratch, *powers = padded + all, *spare = powers + all;
    float *first = spare + all, *second = first + width;
    for (ptrdiff_t y = 0; y < height; y++) {
        float *row = values + y * width;
        sum_row(row, first, width, radius, edge, padded, powers, spare);
        sum_row(first, second, width, radius, edge, padded, powers, spare);
        sum_row(second, row, width, radius, edge, padded, powers, spare);
    }
}

INNER void sum_columns(
    const float *restrict source, ptrdiff_t source_pitch, float *restrict target, ptrdiff_t target_pitch,
    ptrdiff_t width, ptrdiff_t height, ptrdiff_t radius, float edge, float *restrict sums) {
    memset(sums, 0, width * sizeof *sums);
    for (ptrdiff_t y = -radius; y <= radius; y++) {
        const float *row = source + mirrored(y, height) * source_pitch;
        for (ptrdiff_t x = 0; x < width; x++) sums[x] += row[x];
    }
    for (ptrdiff_t y = 0; y < height; y++) {
        const float *above = source + mirrored(y - radius - 1, height) * source_pitch;
        const float *below = source + mirrored(y + radius + 1, height) * source_pitch;
        const float *leaving = source + mirrored(y - radius, height) * source_pitch;
        float *row = target + y * target_pitch;
        for (ptrdiff_t x = 0; x < width; x++) {
            row[x] = sums[x] + (above[x] + below[x]) * edge;
            sums[x] += below[x] - leaving[x];
        }
    }
}

KERNEL void kernel_blur_columns(
    float *values, ptrdiff_t pitch, ptrdiff_t width, ptrdiff_t height, ptrdiff_t radius, float edge,
    float *scratch) {
    float *sums = scratch, *first = sums + width, *second = first + width * height;
    sum_columns(values, pitch, first, width, width, height, radius, edge, sums);
    sum_columns(first, width, second, width, width, height, radius, edge, sums);
    sum_columns(second, width, values, pitch, width, height, radius, edge, sums);
}
