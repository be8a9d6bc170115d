// Blending of two rows by a row of alpha: back + (front - back) * alpha / 65535.
//
// x / 65535, rounded, is (y + y / 65536) / 65536 with y = x + 32768: exact for all sums of this form, and a tie
// cannot occur because 65535 is odd.
#include "CKernels.h"
#include "levels.h"

INNER uint32_t mixed(uint32_t front, uint32_t back, uint32_t alpha) {
    uint32_t sum = front * alpha + back * (65535 - alpha) + 32768;
    return (sum + (sum >> 16)) >> 16;
}

KERNEL void kernel_blend_u8(
    uint8_t *restrict front, const uint8_t *restrict back, const uint16_t *restrict alpha, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) front[i] = (uint8_t)mixed(front[i], back[i], alpha[i]);
}

KERNEL void kernel_tint_u8(
    uint8_t *restrict back, const uint8_t *restrict front, const uint16_t *restrict alpha, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) back[i] = (uint8_t)mixed(front[i], back[i], alpha[i]);
}

KERNEL void kernel_blend_u16(
    uint16_t *restrict front, const uint16_t *restrict back, const uint16_t *restrict alpha, ptrdiff_t count,
    ptrdiff_t shift) {
    for (ptrdiff_t i = 0; i < count; i++)
        front[i] = (uint16_t)(mixed(front[i] >> shift, back[i] >> shift, alpha[i]) << shift);
}

KERNEL void kernel_tint_u16(
    uint16_t *restrict back, const uint16_t *restrict front, const uint16_t *restrict alpha, ptrdiff_t count,
    ptrdiff_t shift) {
    for (ptrdiff_t i = 0; i < count; i++)
        back[i] = (uint16_t)(mixed(front[i] >> shift, back[i] >> shift, alpha[i]) << shift);
}
