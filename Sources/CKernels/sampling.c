// A tensor's row from two rows of bytes: linear interpolation both ways, then a colour matrix.
//
// Bytes of one row are read where they are needed: a tensor has far fewer pixels than a frame. Two rows are combined
// first, which vectors do well.
#include "CKernels.h"
#include "levels.h"

KERNEL void kernel_combine_rows_u8(
    const uint8_t *restrict upper, const uint8_t *restrict lower, float upper_weight, float lower_weight,
    float *restrict combined, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) combined[i] = upper[i] * upper_weight + lower[i] * lower_weight;
}

#define DEFINE_SAMPLE_ROW(TYPE, NAME)                                                                            \
    KERNEL void NAME(                                                                                            \
        const TYPE *restrict row, float weight, const int32_t *restrict starts, const float *restrict weights,   \
        const float *restrict coverage, ptrdiff_t step, int is_single, float black, float *restrict values,      \
        ptrdiff_t count) {                                                                                       \
        if (is_single)                                                                                           \
            for (ptrdiff_t i = 0; i < count; i++)                                                                \
                values[i] = row[starts[i] * step] * (weights[2 * i] * weight) - black * coverage[i];             \
        else                                                                                                     \
            for (ptrdiff_t i = 0; i < count; i++)                                                                \
                values[i] = row[starts[i] * step] * (weights[2 * i] * weight)                                    \
                    + row[starts[i] * step + step] * (weights[2 * i + 1] * weight) - black * coverage[i];        \
    }

DEFINE_SAMPLE_ROW(uint8_t, kernel_sample_row_u8)
DEFINE_SAMPLE_ROW(float, kernel_sample_row_f32)

INNER float limited(float value, float low, float high) {
    const float raised = value < low ? low : value;
    return raised > high ? high : raised;
}

INNER void convert(
    const float *restrict x, const float *restrict y, const float *restrict z, const float m[9], float offset,
    float low, float high, float *restrict pixels, ptrdiff_t stride, ptrdiff_t channel, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        pixels[i * stride] = limited(x[i] * m[0] + y[i] * m[3] + z[i] * m[6] + offset, low, high);
        pixels[i * stride + channel] = limited(x[i] * m[1] + y[i] * m[4] + z[i] * m[7] + offset, low, high);
        pixels[i * stride + 2 * channel] = limited(x[i] * m[2] + y[i] * m[5] + z[i] * m[8] + offset, low, high);
    }
}

KERNEL void kernel_convert_row(
    const float *x, const float *y, const float *z, const float *matrix, float offset, float low, float high,
    float *pixels, ptrdiff_t stride, ptrdiff_t channel, ptrdiff_t count) {
    float m[9];
    for (int i = 0; i < 9; i++) m[i] = matrix[i];
    if (stride == 3 && channel == 1)
        convert(x, y, z, m, offset, low, high, pixels, 3, 1, count);
    else
        convert(x, y, z, m, offset, low, high, pixels, stride, channel, count);
}
