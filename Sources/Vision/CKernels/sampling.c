// A tensor's row from two rows of bytes: linear interpolation both ways, then a colour matrix.
//
// Bytes of one row are read where they are needed: a tensor has far fewer pixels than a frame. Two rows are combined
// first, which vectors do well.
#include <string.h>

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

INNER int64_t inside(int64_t position, int64_t last) {
    const int64_t raised = position < 0 ? 0 : position;
    return raised > last ? last : raised;
}

// Positions of a line that are worked out at once: vectors do that, and what follows the reading.
enum { line_block = 64 };

// Samples are read in pairs of neighbours, one pair at a time, because assembling vectors of them takes longer than storing
// and loading them.
#define DEFINE_ADD_LINE(TYPE, NAME)                                                                              \
    KERNEL void NAME(                                                                                            \
        const TYPE *restrict samples, ptrdiff_t pitch, ptrdiff_t step, ptrdiff_t width, ptrdiff_t height,        \
        int64_t x, int64_t y, int64_t step_x, int64_t step_y, float *restrict values, ptrdiff_t count) {         \
        int64_t places[line_block];                                                                              \
        int32_t downs[line_block];                                                                               \
        float across[line_block], along[line_block];                                                             \
        TYPE upper[line_block][2], lower[line_block][2];                                                         \
        const int64_t last_pair = width > 1 ? width - 2 : 0;                                                     \
        const ptrdiff_t right = width > 1 ? step : 0;                                                            \
        for (ptrdiff_t first = 0; first < count; first += line_block) {                                          \
            const ptrdiff_t block = count - first < line_block ? count - first : line_block;                     \
            for (ptrdiff_t i = 0; i < block; i++) {                                                              \
                const int64_t u = inside(x + (first + i) * step_x, (width - 1) << 24);                           \
                const int64_t v = inside(y + (first + i) * step_y, (height - 1) << 24);                          \
                const int32_t column = (int32_t)inside(u >> 24, last_pair), row = (int32_t)(v >> 24);            \
                places[i] = (int64_t)row * (int32_t)pitch + (int64_t)column * (int32_t)step;                     \
                downs[i] = row + 1 < (int32_t)height ? (int32_t)pitch : 0;                                       \
                across[i] = (float)(int32_t)(u - ((int64_t)column << 24)) * 0x1p-24f;                            \
                along[i] = (float)(int32_t)(v & 0xFFFFFF) * 0x1p-24f;                                            \
            }                                                                                                    \
            if (right == 1) {                                                                                    \
                _Pragma("clang loop vectorize(disable)")                                                         \
                for (ptrdiff_t i = 0; i < block; i++) {                                                          \
                    memcpy(upper[i], samples + places[i], sizeof upper[i]);                                      \
                    memcpy(lower[i], samples + places[i] + downs[i], sizeof lower[i]);                           \
                }                                                                                                \
            } else {                                                                                             \
                _Pragma("clang loop vectorize(disable)")                                                         \
                for (ptrdiff_t i = 0; i < block; i++) {                                                          \
                    const TYPE *place = samples + places[i], *below = place + downs[i];                          \
                    upper[i][0] = place[0];                                                                      \
                    upper[i][1] = place[right];                                                                  \
                    lower[i][0] = below[0];                                                                      \
                    lower[i][1] = below[right];                                                                  \
                }                                                                                                \
            }                                                                                                    \
            for (ptrdiff_t i = 0; i < block; i++) {                                                              \
                const float top = upper[i][0] + ((float)upper[i][1] - upper[i][0]) * across[i];                  \
                const float bottom = lower[i][0] + ((float)lower[i][1] - lower[i][0]) * across[i];               \
                values[first + i] += top + (bottom - top) * along[i];                                            \
            }                                                                                                    \
        }                                                                                                        \
    }

DEFINE_ADD_LINE(uint8_t, kernel_add_line_u8)
DEFINE_ADD_LINE(uint16_t, kernel_add_line_u16)

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
