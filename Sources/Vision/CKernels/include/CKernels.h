// The inner loops of blending, sampling and hashing, each made for several CPU levels (see levels.h).
//
// Rows are counted in samples. Pointers of one call do not overlap unless it says so.
#pragma once
#include <stddef.h>
#include <stdint.h>

// MARK: - levels.c

// The versions that run on this CPU, as levels of x86-64: 4 (AVX-512), 3 (AVX2) or 1; 0 on other architectures.
int kernel_level(void);

// MARK: - mix.c

// front = back + (front - back) * alpha / 65535, rounded to nearest. Bits below `shift` stay 0.
void kernel_blend_u8(uint8_t *front, const uint8_t *back, const uint16_t *alpha, ptrdiff_t count);
void kernel_blend_u16(
    uint16_t *front, const uint16_t *back, const uint16_t *alpha, ptrdiff_t count, ptrdiff_t shift);

// back = back + (front - back) * alpha / 65535, rounded to nearest. Bits below `shift` stay 0.
void kernel_tint_u8(uint8_t *back, const uint8_t *front, const uint16_t *alpha, ptrdiff_t count);
void kernel_tint_u16(
    uint16_t *back, const uint16_t *front, const uint16_t *alpha, ptrdiff_t count, ptrdiff_t shift);

// MARK: - alpha.c

// row = upper + (lower - upper) * fraction.
void kernel_interpolate_rows(
    const float *upper, const float *lower, float fraction, float *row, ptrdiff_t count);

// Samples of a row, up to `end`, that lie between the columns `column` and `column` + 1 of a mask.
struct kernel_alpha_span {
    int32_t column;
    int32_t end;
};

// Samples that are interpolated together.
enum { KERNEL_ALPHA_BLOCK = 8 };

// For samples `first` to `end`: alpha = row[column] + (row[column + 1] - row[column]) * fraction, rounded; values are
// 0...65535. `spans` is the span of the first sample, followed by those of the others. Fractions are read, and alpha is
// written, up to KERNEL_ALPHA_BLOCK - 1 samples beyond `end`.
void kernel_interpolate_alpha(
    const float *row, const struct kernel_alpha_span *spans, const float *fractions, uint16_t *alpha,
    ptrdiff_t first, ptrdiff_t end);

// Interpolates alpha as `kernel_interpolate_alpha` does, with `steepness` times the contrast around one half.
void kernel_interpolate_steep_alpha(
    const float *row, const struct kernel_alpha_span *spans, const float *fractions, float steepness,
    uint16_t *alpha, ptrdiff_t first, ptrdiff_t end);

// What mask values from 0 to 65535 say: 0 background, 2 subject, 1 neither for certain, in codes of value * unit
// after `steepness` times the contrast around one half; `maximum` is the largest code.
void kernel_classify(
    const float *values, float steepness, float unit, float maximum, uint8_t *certainty, ptrdiff_t count);

// Equal certainties stay, others become 1.
void kernel_agree(const uint8_t *upper, const uint8_t *lower, uint8_t *both, ptrdiff_t count);

// MARK: - cells.c

// sums += weight * (the sum of `rows` rows, `stride` samples apart). At most 8 rows and a weight of 256.
void kernel_sum_rows_u8(
    const uint8_t *samples, ptrdiff_t stride, ptrdiff_t rows, ptrdiff_t weight, uint32_t *sums,
    ptrdiff_t count);
void kernel_sum_rows_u16(
    const uint16_t *samples, ptrdiff_t stride, ptrdiff_t rows, ptrdiff_t weight, uint32_t *sums,
    ptrdiff_t count);

// sums += weight * samples, weights += weight, with a weight of 256 (alpha 0) down to 1 (alpha 65535).
void kernel_sum_background_u8(
    const uint8_t *samples, const uint16_t *alpha, uint32_t *sums, uint32_t *weights, ptrdiff_t count);
void kernel_sum_background_u16(
    const uint16_t *samples, const uint16_t *alpha, uint32_t *sums, uint32_t *weights, ptrdiff_t count);

// values += value.
void kernel_add_u32(uint32_t *values, uint32_t value, ptrdiff_t count);

// cells = the sums of `side` values each, `step` apart; the last cell may have fewer of the `count` values.
void kernel_sum_cells(
    const uint32_t *values, ptrdiff_t step, ptrdiff_t side, ptrdiff_t count, uint32_t *cells,
    ptrdiff_t cell_count);

// values = sums / weights * shares.
void kernel_weigh_cells(
    const uint32_t *sums, const uint32_t *weights, const float *shares, float *values, ptrdiff_t count);

// shares = weights / full_weight.
void kernel_share_cells(const uint32_t *weights, float full_weight, float *shares, ptrdiff_t count);

// values = values / weights * unit, inside 0...maximum.
void kernel_normalise_cells(
    float *values, const float *weights, float unit, float maximum, ptrdiff_t count);

// MARK: - box.c

// Blurs rows by three boxes of 2 * radius + 1 values and `edge` times one more on each side; sums are not divided.
// `scratch` holds 6 * (width + radius + 1) values.
void kernel_blur_rows(
    float *values, ptrdiff_t width, ptrdiff_t height, ptrdiff_t radius, float edge, float *scratch);

// Blurs `width` columns of rows that are `pitch` values apart, as `kernel_blur_rows` does rows. `scratch` holds
// width * (2 * height + 12), and 64 columns are fastest.
void kernel_blur_columns(
    float *values, ptrdiff_t pitch, ptrdiff_t width, ptrdiff_t height, ptrdiff_t radius, float edge,
    float *scratch);

// MARK: - spline.c

// samples = the sum of three rows, each times its weight, rounded, then << shift.
void kernel_spline_rows_u8(
    const float *above, const float *middle, const float *below, float above_weight, float middle_weight,
    float below_weight, uint8_t *samples, ptrdiff_t count, ptrdiff_t shift);
void kernel_spline_rows_u16(
    const float *above, const float *middle, const float *below, float above_weight, float middle_weight,
    float below_weight, uint16_t *samples, ptrdiff_t count, ptrdiff_t shift);

// The values of `period` (2...4) rows side by side: the first of each, the second of each...
void kernel_interleave(
    const float *first, const float *second, const float *third, const float *fourth, ptrdiff_t period,
    float *values, ptrdiff_t count);

// values[i] = middle + (left - middle) * lefts[k] + (right - middle) * rights[k].
//
// Value i is value k = i % size of cell i / size. Cells have `period` numbers, of which k takes number k % period of its
// own cell (middle) and of its neighbours. `first` <= i < `end`; there is a cell before and behind those. `size` is a
// multiple of `period`, which is 1...4.
void kernel_expand_cells(
    const float *cells, ptrdiff_t period, ptrdiff_t size, const float *lefts, const float *rights, ptrdiff_t first,
    ptrdiff_t end, float *values);

// MARK: - scaling.c

// Weights of scaled bytes are whole numbers of 1/16384, and the values in between of 1/64, so that all CPUs give the same
// bits; those of samples of two bytes are floats.

// values = the sum of `taps` rows, `stride` samples apart, each times its weight.
void kernel_weigh_rows_u8(
    const uint8_t *rows, ptrdiff_t stride, const int16_t *weights, ptrdiff_t taps, int16_t *values, ptrdiff_t count);
void kernel_weigh_rows_u16(
    const uint16_t *rows, ptrdiff_t stride, const float *weights, ptrdiff_t taps, float *values, ptrdiff_t count);

// part = every `step`-th value, for a step of 2, 3 or 4.
void kernel_pick_values_u8(const int16_t *values, ptrdiff_t step, int16_t *part, ptrdiff_t count);
void kernel_pick_values_u16(const float *values, ptrdiff_t step, float *part, ptrdiff_t count);

// For each of `count` outputs, row[i * step] = the sum of `taps` values from starts[i] on, each times its weight, rounded
// and inside 0...maximum. `taps` is 4 or a multiple of 8. Bits below `shift` stay 0.
void kernel_weigh_values_u8(
    const int16_t *values, const int32_t *starts, const int16_t *weights, ptrdiff_t taps, uint8_t *row, ptrdiff_t step,
    ptrdiff_t count);
void kernel_weigh_values_u16(
    const float *values, const int32_t *starts, const float *weights, ptrdiff_t taps, uint16_t *row, ptrdiff_t step,
    float maximum, ptrdiff_t shift, ptrdiff_t count);

// The same for pixels of `step` (3 or 4; of two bytes 4) samples that lie side by side; starts[i] is a pixel. One value
// behind the last pixel is read.
void kernel_weigh_pixels_u8(
    const int16_t *values, const int32_t *starts, const int16_t *weights, ptrdiff_t taps, uint8_t *row, ptrdiff_t step,
    ptrdiff_t count);
void kernel_weigh_pixels_u16(
    const float *values, const int32_t *starts, const float *weights, ptrdiff_t taps, uint16_t *row, float maximum,
    ptrdiff_t shift, ptrdiff_t count);

// MARK: - tone.c

// All numbers of samples after which formats repeat their components divide it.
enum { kernel_tone_block = 48 };

// Changes samples to min(v * gain + offset, max(v, white)) inside 0...maximum; each `kernel_tone_block` samples have
// parameters of their own. Bits below `shift` stay 0.
void kernel_tone_u8(
    uint8_t *samples, const float *gains, const float *offsets, const float *whites, float maximum,
    ptrdiff_t shift, ptrdiff_t count);
void kernel_tone_u16(
    uint16_t *samples, const float *gains, const float *offsets, const float *whites, float maximum,
    ptrdiff_t shift, ptrdiff_t count);

// Changes `count` pixels of `step` (3 or 4) samples: draws each sample to the sum of all times `weights` by its
// `drawn`, from 0 to 1, and then to min(v * gain, max(v, white)) inside 0...maximum.
void kernel_desaturate_u8(
    uint8_t *samples, const float *gains, const float *whites, const float *weights, const float *drawn,
    ptrdiff_t step, float maximum, ptrdiff_t count);
void kernel_desaturate_u16(
    uint16_t *samples, const float *gains, const float *whites, const float *weights, const float *drawn,
    ptrdiff_t step, float maximum, ptrdiff_t count);

// MARK: - foreground.c

// Replaces soft samples by the subject's own colour. Cells `own` and `old` are as in kernel_expand_cells, with the
// same weights; samples with a share of 0 (alpha, padding) stay as they are, those with 1 change.
void kernel_correct_u8(
    uint8_t *samples, const uint16_t *alpha, const float *own, const float *old, ptrdiff_t period,
    ptrdiff_t samples_per_cell, const float *lefts, const float *rights, const float *shares, ptrdiff_t first,
    ptrdiff_t end, float maximum, ptrdiff_t shift);
void kernel_correct_u16(
    uint16_t *samples, const uint16_t *alpha, const float *own, const float *old, ptrdiff_t period,
    ptrdiff_t samples_per_cell, const float *lefts, const float *rights, const float *shares, ptrdiff_t first,
    ptrdiff_t end, float maximum, ptrdiff_t shift);

// MARK: - motion.c

// The side of a block, in pixels.
enum { kernel_block_side = 8 };

// The sums of absolute differences between a block and those of `other` that begin up to `reach` pixels away in each
// direction, row by row: (2 * reach + 1)^2 values. Rows of both images are `pitch` pixels apart.
void kernel_match_block(
    const uint8_t *block, const uint8_t *other, ptrdiff_t pitch, ptrdiff_t reach, uint16_t *differences);

// The side of a large block, in pixels.
enum { kernel_large_block_side = 16 };

// What `kernel_match_block` finds, where each pixel counts by the weight of the pixel of `other` that it is compared with: the
// weighted mean of absolute differences, times the pixels of a block of `kernel_block_side`. The rows of `weights` are `pitch`
// pixels apart, too.
void kernel_match_weighted_block(
    const uint8_t *block, const uint8_t *other, const uint8_t *weights, ptrdiff_t pitch, int is_large, ptrdiff_t reach,
    uint16_t *differences);

// warped[i] = the value at i + across[i] * across_unit of row `row` + down[i] * down_unit, interpolated linearly; edges
// are repeated.
void kernel_warp_row(
    const float *values, ptrdiff_t width, ptrdiff_t height, ptrdiff_t row, const float *across, const float *down,
    float across_unit, float down_unit, float *warped);

// MARK: - smoothing.c

// Limits of the means of `kernel_smooth_row`.
struct kernel_smoothing {
    // The weight of the past where the image is at rest, 0...1.
    float strength;
    // The difference from which on a contradiction begins to count; 1 is a full one.
    float doubt;
    // Stillness, and number of measurements in the mean, from which on a contradiction needs to be confirmed: the value in
    // the middle of a linear step from 0 to 1, and its slope.
    float rest_middle, rest_slope, history_middle, history_slope;
};

// Adds `values` to `mean` where the image is still (0...1), replaces them by it, and keeps them in `last`; `age` is the weight of
// the measurements in the mean. TemporalMaskFilter has the rule.
void kernel_smooth_row(
    float *values, float *mean, float *age, float *last, const float *still, const struct kernel_smoothing *limits,
    ptrdiff_t count);

// MARK: - sampling.c

// combined = upper * upper_weight + lower * lower_weight.
void kernel_combine_rows_u8(
    const uint8_t *upper, const uint8_t *lower, float upper_weight, float lower_weight, float *combined,
    ptrdiff_t count);

// values[i] = weight * (row at starts[i] * step and one step on, times weights[2 * i] and [2 * i + 1])
// - black * coverage[i]. `is_single` says that all second weights are 0.
void kernel_sample_row_u8(
    const uint8_t *row, float weight, const int32_t *starts, const float *weights, const float *coverage,
    ptrdiff_t step, int is_single, float black, float *values, ptrdiff_t count);
void kernel_sample_row_f32(
    const float *row, float weight, const int32_t *starts, const float *weights, const float *coverage,
    ptrdiff_t step, int is_single, float black, float *values, ptrdiff_t count);

// values[i] += the sample at (x, y) + i * (step_x, step_y), interpolated linearly, of a grid of width x height samples
// whose rows are `pitch` samples apart and whose columns `step`; edges are repeated. Positions are in units of 2^-24.
void kernel_add_line_u8(
    const uint8_t *samples, ptrdiff_t pitch, ptrdiff_t step, ptrdiff_t width, ptrdiff_t height, int64_t x, int64_t y,
    int64_t step_x, int64_t step_y, float *values, ptrdiff_t count);
void kernel_add_line_u16(
    const uint16_t *samples, ptrdiff_t pitch, ptrdiff_t step, ptrdiff_t width, ptrdiff_t height, int64_t x, int64_t y,
    int64_t step_x, int64_t step_y, float *values, ptrdiff_t count);

// The pixels' channels = the columns of `matrix` (three after each other) times x, y and z, + offset, inside
// low...high. Pixels are `stride` values apart, their channels `channel`.
void kernel_convert_row(
    const float *x, const float *y, const float *z, const float *matrix, float offset, float low, float high,
    float *pixels, ptrdiff_t stride, ptrdiff_t channel, ptrdiff_t count);

// MARK: - hash.c

// Adds `count` blocks of 64 bytes to the eight words of a SHA-256. Processors with instructions for it use them, if that is
// allowed.
void kernel_sha256_blocks(uint32_t *state, const uint8_t *blocks, ptrdiff_t count, int allows_instructions);

// A checksum of bytes. Bytes that differ within eight in a row, counted from the first one, never have the same one; others have
// it once in 2^64. It protects from damage, not from forgery.
uint64_t kernel_checksum(const uint8_t *bytes, ptrdiff_t count, uint64_t seed);
