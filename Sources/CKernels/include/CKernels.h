// The inner loops of blending and sampling, each made for several CPU levels (see levels.h).
//
// Rows are counted in samples. Pointers of one call do not overlap unless it says so.
#pragma once
#include <stddef.h>
#include <stdint.h>

// MARK: - mix.c

// front = back + (front - back) * alpha / 65535, rounded to nearest. Bits below `shift` stay 0.
void kernel_blend_u8(uint8_t *front, const uint8_t *back, const uint16_t *alpha, ptrdiff_t count);
void kernel_blend_u16(uint16_t *front, const uint16_t *back, const uint16_t *alpha, ptrdiff_t count, int shift);

// back = back + (front - back) * alpha / 65535, rounded to nearest. Bits below `shift` stay 0.
void kernel_tint_u8(uint8_t *back, const uint8_t *front, const uint16_t *alpha, ptrdiff_t count);
void kernel_tint_u16(uint16_t *back, const uint16_t *front, const uint16_t *alpha, ptrdiff_t count, int shift);

// MARK: - alpha.c

// row = upper + (lower - upper) * fraction.
void kernel_interpolate_rows(
    const float *upper, const float *lower, float fraction, float *row, ptrdiff_t count);

// alpha = row[index] + (row[index + 1] - row[index]) * fraction, rounded; values are 0...65535.
void kernel_interpolate_alpha(
    const float *row, const int32_t *indices, const float *fractions, uint16_t *alpha, ptrdiff_t count);

// The same with `steepness` times the contrast around one half.
void kernel_interpolate_steep_alpha(
    const float *row, const int32_t *indices, const float *fractions, float steepness, uint16_t *alpha,
    ptrdiff_t count);

// What mask values from 0 to 65535 say: 0 background, 2 subject, 1 neither for certain, in codes of value * unit
// after `steepness` times the contrast around one half; `maximum` is the largest code.
void kernel_classify(
    const float *values, float steepness, float unit, float maximum, uint8_t *certainty, ptrdiff_t count);

// Equal certainties stay, others become 1.
void kernel_agree(const uint8_t *upper, const uint8_t *lower, uint8_t *both, ptrdiff_t count);
