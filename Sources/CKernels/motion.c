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
