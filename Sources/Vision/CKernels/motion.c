// How blocks of an image have moved since the one before, and images that move with them.
#include <stdlib.h>

#include "CKernels.h"
#include "levels.h"

INNER uint16_t difference(const uint8_t *block, const uint8_t *other, ptrdiff_t pitch) {
    uint16_t sum = 0;
    for (int y = 0; y < kernel_block_side; y++)
        for (int x = 0; x < kernel_block_side; x++)
            sum += (uint16_t)abs(block[y * pitch + x] - other[y * pitch + x]);
    return sum;
}

KERNEL void kernel_match_block(
    const uint8_t *restrict block, const uint8_t *restrict other, ptrdiff_t pitch, ptrdiff_t reach,
    uint16_t *restrict differences) {
    for (ptrdiff_t y = -reach; y <= reach; y++)
        for (ptrdiff_t x = -reach; x <= reach; x++)
            *differences++ = difference(block, other + y * pitch + x, pitch);
}

INNER uint16_t weighted_difference(
    const uint8_t *block, const uint8_t *other, const uint8_t *weights, ptrdiff_t pitch, int side) {
    uint32_t sum = 0, total = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const ptrdiff_t i = y * pitch + x;
            sum += (uint32_t)(weights[i] * abs(block[i] - other[i]));
            total += weights[i];
        }
    const float mean = (float)sum / (float)(total > 0 ? total : 1);
    return (uint16_t)(mean * (kernel_block_side * kernel_block_side) + 0.5f);
}

INNER void match_weighted(
    const uint8_t *block, const uint8_t *other, const uint8_t *weights, ptrdiff_t pitch, int side, ptrdiff_t reach,
    uint16_t *differences) {
    for (ptrdiff_t y = -reach; y <= reach; y++)
        for (ptrdiff_t x = -reach; x <= reach; x++) {
            const ptrdiff_t start = y * pitch + x;
            *differences++ = weighted_difference(block, other + start, weights + start, pitch, side);
        }
}

KERNEL void kernel_match_weighted_block(
    const uint8_t *restrict block, const uint8_t *restrict other, const uint8_t *restrict weights, ptrdiff_t pitch,
    int is_large, ptrdiff_t reach, uint16_t *restrict differences) {
    // The sides are constants, so that both loops are unrolled.
    if (is_large) match_weighted(block, other, weights, pitch, kernel_large_block_side, reach, differences);
    else match_weighted(block, other, weights, pitch, kernel_block_side, reach, differences);
}

INNER float limited(float value, float low, float high) {
    const float raised = value > low ? value : low;
    return raised < high ? raised : high;
}

KERNEL void kernel_warp_row(
    const float *restrict values, ptrdiff_t width, ptrdiff_t height, ptrdiff_t row, const float *restrict across,
    const float *restrict down, float across_unit, float down_unit, float *restrict warped) {
    const int32_t pitch = (int32_t)width, right = (int32_t)width - 1, bottom = (int32_t)height - 1;
    for (int32_t i = 0; i < pitch; i++) {
        const float x = limited(i + across[i] * across_unit, 0, right);
        const float y = limited(row + down[i] * down_unit, 0, bottom);
        const int32_t left = (int32_t)x, top = (int32_t)y;
        const int32_t next = left < right ? 1 : 0, below = top < bottom ? pitch : 0, place = top * pitch + left;
        const float a = values[place], b = values[place + below];
        const float upper = a + (values[place + next] - a) * (x - left);
        const float lower = b + (values[place + below + next] - b) * (x - left);
        warped[i] = upper + (lower - upper) * (y - top);
    }
}
