// A mask's rows at a frame's samples: linear interpolation down the columns, then along the row.
//
// Alpha is 0 (background) to 65535 (subject).
#include "CKernels.h"
#include "levels.h"
#include "rounding.h"

KERNEL void kernel_interpolate_rows(
    const float *restrict upper, const float *restrict lower, float fraction, float *restrict row,
    ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) row[i] = upper[i] + (lower[i] - upper[i]) * fraction;
}

KERNEL void kernel_interpolate_alpha(
    const float *restrict row, const int32_t *restrict indices, const float *restrict fractions,
    uint16_t *restrict alpha, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        const float left = row[indices[i]];
        alpha[i] = (uint16_t)rounded(left + (row[indices[i] + 1] - left) * fractions[i]);
    }
}

// (value - half) * steepness + half inside 0...65535.
INNER float steepened(float value, float steepness) {
    const float half = 32767.5f;
    const float steep = (value - half) * steepness + half;
    const float raised = steep > 0 ? steep : 0;
    return raised < 65535 ? raised : 65535;
}

KERNEL void kernel_interpolate_steep_alpha(
    const float *restrict row, const int32_t *restrict indices, const float *restrict fractions,
    float steepness, uint16_t *restrict alpha, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        const float left = row[indices[i]];
        const float value = left + (row[indices[i] + 1] - left) * fractions[i];
        alpha[i] = (uint16_t)rounded(steepened(value, steepness));
    }
}

KERNEL void kernel_classify(
    const float *restrict values, float steepness, float unit, float maximum, uint8_t *restrict certainty,
    ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        const float value = steepness == 1 ? values[i] : steepened(values[i], steepness);
        const uint32_t code = rounded(value * unit);
        certainty[i] = (uint8_t)(code == 0 ? 0 : code == (uint32_t)maximum ? 2 : 1);
    }
}

KERNEL void kernel_agree(
    const uint8_t *restrict upper, const uint8_t *restrict lower, uint8_t *restrict both, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) both[i] = upper[i] == lower[i] ? upper[i] : 1;
}
