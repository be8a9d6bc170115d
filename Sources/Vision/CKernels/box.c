// Three box sums after each other, a nearly Gaussian blur, along rows or down columns of floats.
//
// A box is 2 * radius + 1 values and `edge` times one more on each side. Values outside are mirrored. Sums are not
// divided. Three narrow boxes are one sum of weighted values, which reads and writes each value once.
#include <string.h>

#include "CKernels.h"
#include "levels.h"

// The place that a place outside 0..<count mirrors.
INNER ptrdiff_t mirrored(ptrdiff_t place, ptrdiff_t count) {
    if (place >= 0 && place < count) return place;
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

// The largest radius of a narrow box, how far three of them reach, and the usual number of columns.
enum { NARROW = 1, LONGEST_REACH = 3 * (NARROW + 1), USUAL_WIDTH = 64 };

// Weights of the middle and of the values 1 to 3 * (radius + 1) away from it, of three boxes together.
INNER void weigh_boxes(ptrdiff_t radius, float edge, float weights[LONGEST_REACH + 1]) {
    const int reach = (int)radius + 1;
    float sums[2 * LONGEST_REACH + 1] = {0};
    sums[LONGEST_REACH] = 1;
    for (int box = 0; box < 3; box++) {
        float wider[2 * LONGEST_REACH + 1] = {0};
        for (int i = 0; i <= 2 * LONGEST_REACH; i++)
            for (int k = -reach; k <= reach; k++)
                if (sums[i] > 0) wider[i + k] += sums[i] * (k == -reach || k == reach ? edge : 1);
        memcpy(sums, wider, sizeof sums);
    }
    memcpy(weights, sums + LONGEST_REACH, (LONGEST_REACH + 1) * sizeof *weights);
}

// Weighted sums of each value and of those up to `reach` times `distance` before and behind it.
INNER void sum_weighted(
    const float *restrict values, ptrdiff_t distance, const float *restrict weights, int reach,
    float *restrict target, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        float sum = values[i] * weights[0];
        for (int k = 1; k <= reach; k++) sum += (values[i - k * distance] + values[i + k * distance]) * weights[k];
        target[i] = sum;
    }
}

// A constant reach makes straight vector code.
INNER void sum_narrow(
    const float *values, ptrdiff_t distance, const float *weights, ptrdiff_t radius, float *target,
    ptrdiff_t count) {
    if (radius == 0)
        sum_weighted(values, distance, weights, 3, target, count);
    else
        sum_weighted(values, distance, weights, LONGEST_REACH, target, count);
}

INNER void blur_rows_narrowly(
    float *values, ptrdiff_t width, ptrdiff_t height, ptrdiff_t radius, float edge, float *restrict padded) {
    const ptrdiff_t reach = 3 * (radius + 1);
    float weights[LONGEST_REACH + 1];
    weigh_boxes(radius, edge, weights);
    for (ptrdiff_t y = 0; y < height; y++) {
        float *row = values + y * width;
        memcpy(padded + reach, row, width * sizeof *row);
        for (ptrdiff_t i = 0; i < reach; i++) {
            padded[i] = row[mirrored(i - reach, width)];
            padded[reach + width + i] = row[mirrored(width + i, width)];
        }
        sum_narrow(padded + reach, 1, weights, radius, row, width);
    }
}

KERNEL void kernel_blur_rows(
    float *values, ptrdiff_t width, ptrdiff_t height, ptrdiff_t radius, float edge, float *scratch) {
    if (radius <= NARROW) return blur_rows_narrowly(values, width, height, radius, edge, scratch);
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

INNER void blur_columns_narrowly(
    float *values, ptrdiff_t pitch, ptrdiff_t width, ptrdiff_t height, ptrdiff_t radius, float edge,
    float *restrict padded) {
    const ptrdiff_t reach = 3 * (radius + 1);
    float weights[LONGEST_REACH + 1];
    weigh_boxes(radius, edge, weights);
    for (ptrdiff_t y = -reach; y < height + reach; y++)
        memcpy(padded + (y + reach) * width, values + mirrored(y, height) * pitch, width * sizeof *padded);
    for (ptrdiff_t y = 0; y < height; y++) {
        const float *middle = padded + (y + reach) * width;
        // A constant distance takes one register for all rows.
        if (width == USUAL_WIDTH)
            sum_narrow(middle, USUAL_WIDTH, weights, radius, values + y * pitch, USUAL_WIDTH);
        else
            sum_narrow(middle, width, weights, radius, values + y * pitch, width);
    }
}

KERNEL void kernel_blur_columns(
    float *values, ptrdiff_t pitch, ptrdiff_t width, ptrdiff_t height, ptrdiff_t radius, float edge,
    float *scratch) {
    if (radius <= NARROW) return blur_columns_narrowly(values, pitch, width, height, radius, edge, scratch);
    float *sums = scratch, *first = sums + width, *second = first + width * height;
    sum_columns(values, pitch, first, width, width, height, radius, edge, sums);
    sum_columns(first, width, second, width, width, height, radius, edge, sums);
    sum_columns(second, width, values, pitch, width, height, radius, edge, sums);
}
