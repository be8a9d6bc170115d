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

// (value - half) * steepness + half inside 0...65535.
INNER float steepened(float value, float steepness) {
    const float half = 32767.5f;
    const float steep = (value - half) * steepness + half;
    const float raised = steep > 0 ? steep : 0;
    return raised < 65535 ? raised : 65535;
}

// A block of samples between the same two columns is one vector: gathering values for each sample takes longer.
INNER void interpolate_spans(
    const float *restrict row, const struct kernel_alpha_span *restrict spans, const float *restrict fractions,
    int is_steep, float steepness, uint16_t *restrict alpha, ptrdiff_t first, ptrdiff_t end) {
    for (const struct kernel_alpha_span *span = spans; first < end; span++) {
        const float left = row[span->column], difference = row[span->column + 1] - left;
        const ptrdiff_t last = span->end < end ? span->end : end;
        // Spans seldom have many blocks.
#pragma clang loop vectorize(disable) unroll(disable)
        for (; first < last; first += KERNEL_ALPHA_BLOCK) {
            for (int i = 0; i < KERNEL_ALPHA_BLOCK; i++) {
                const float value = left + difference * fractions[first + i];
                alpha[first + i] = (uint16_t)rounded(is_steep ? steepened(value, steepness) : value);
            }
        }
        first = span->end;
    }
}

KERNEL void kernel_interpolate_alpha(
    const float *row, const struct kernel_alpha_span *spans, const float *fractions, uint16_t *alpha,
    ptrdiff_t first, ptrdiff_t end) {
    interpolate_spans(row, spans, fractions, 0, 1, alpha, first, end);
}

KERNEL void kernel_interpolate_steep_alpha(
    const float *row, const struct kernel_alpha_span *spans, const float *fractions, float steepness,
    uint16_t *alpha, ptrdiff_t first, ptrdiff_t end) {
    interpolate_spans(row, spans, fractions, 1, steepness, alpha, first, end);
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
