// Averages of a frame's samples over square cells, weighted by how much each is background.
//
// Rows are summed down the columns first, which vectors do well, and then along the row. Sums fit 32 bits: a cell
// has at most 256 samples, of at most 65535, with a weight of at most 256.
#include "CKernels.h"
#include "levels.h"

#define DEFINE_SUM_ROWS(TYPE, SUM)                                                                               \
    INNER void sum_rows_##TYPE(                                                                                  \
        const TYPE *restrict samples, ptrdiff_t stride, int rows, uint32_t weight, uint32_t *restrict sums,      \
        ptrdiff_t count) {                                                                                       \
        for (ptrdiff_t i = 0; i < count; i++) {                                                                  \
            SUM sum = 0;                                                                                         \
            for (int row = 0; row < rows; row++) sum += samples[row * stride + i];                               \
            sums[i] += (uint32_t)sum * weight;                                                                   \
        }                                                                                                        \
    }

DEFINE_SUM_ROWS(uint8_t, uint16_t)
DEFINE_SUM_ROWS(uint16_t, uint32_t)

// A constant number of rows makes one vector loop of both.
#define SUM_ROWS(TYPE, ROWS)                                                                                     \
    case ROWS: return sum_rows_##TYPE(samples, stride, ROWS, weight, sums, count);

KERNEL void kernel_sum_rows_u8(
    const uint8_t *restrict samples, ptrdiff_t stride, ptrdiff_t rows, ptrdiff_t weight,
    uint32_t *restrict sums, ptrdiff_t count) {
    switch (rows) {
        SUM_ROWS(uint8_t, 1)
        SUM_ROWS(uint8_t, 2)
        SUM_ROWS(uint8_t, 3)
        SUM_ROWS(uint8_t, 4)
        SUM_ROWS(uint8_t, 5)
        SUM_ROWS(uint8_t, 6)
        SUM_ROWS(uint8_t, 7)
        SUM_ROWS(uint8_t, 8)
    }
}

KERNEL void kernel_sum_rows_u16(
    const uint16_t *restrict samples, ptrdiff_t stride, ptrdiff_t rows, ptrdiff_t weight,
    uint32_t *restrict sums, ptrdiff_t count) {
    switch (rows) {
        SUM_ROWS(uint16_t, 1)
        SUM_ROWS(uint16_t, 2)
        SUM_ROWS(uint16_t, 3)
        SUM_ROWS(uint16_t, 4)
        SUM_ROWS(uint16_t, 5)
        SUM_ROWS(uint16_t, 6)
        SUM_ROWS(uint16_t, 7)
        SUM_ROWS(uint16_t, 8)
    }
}

KERNEL void kernel_sum_background_u8(
    const uint8_t *restrict samples, const uint16_t *restrict alpha, uint32_t *restrict sums,
    uint32_t *restrict weights, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        const uint16_t weight = (uint16_t)(256 - (alpha[i] >> 8));
        sums[i] += (uint16_t)(samples[i] * weight);
        weights[i] += weight;
    }
}

KERNEL void kernel_sum_background_u16(
    const uint16_t *restrict samples, const uint16_t *restrict alpha, uint32_t *restrict sums,
    uint32_t *restrict weights, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        const uint32_t weight = 256u - (alpha[i] >> 8);
        sums[i] += samples[i] * weight;
        weights[i] += weight;
    }
}

KERNEL void kernel_add_u32(uint32_t *values, uint32_t value, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) values[i] += value;
}

INNER uint32_t sum_values(const uint32_t *values, ptrdiff_t step, ptrdiff_t first, ptrdiff_t end) {
    uint32_t sum = 0;
    for (ptrdiff_t i = first; i < end; i++) sum += values[i * step];
    return sum;
}

INNER ptrdiff_t sum_cells(
    const uint32_t *restrict values, int step, int side, uint32_t *restrict cells, ptrdiff_t count) {
    for (ptrdiff_t cell = 0; cell < count; cell++)
        cells[cell] = sum_values(values, step, cell * side, (cell + 1) * side);
    return count;
}

// Whole blocks of cells. Neighbours are added first, then sums of two, and so on: vector code does that well.
INNER ptrdiff_t sum_blocks(
    const uint32_t *restrict values, int step, int side, uint32_t *restrict cells, ptrdiff_t count) {
    enum { block = 16, largest_side = 16 };
    ptrdiff_t cell = 0;
    for (; cell + block <= count; cell += block) {
        uint32_t sums[block * largest_side];
        for (int i = 0; i < block * side; i++) sums[i] = values[(cell * side + i) * step];
        for (int size = side; size > 1; size /= 2)
            for (int i = 0; i < block * size / 2; i++) sums[i] = sums[2 * i] + sums[2 * i + 1];
        for (int i = 0; i < block; i++) cells[cell + i] = sums[i];
    }
    return cell;
}

// Constants make vector code of the usual cells.
#define SUM(FUNCTION, STEP, SIDE)                                                                                \
    if (step == STEP && side == SIDE) cell = FUNCTION(values, STEP, SIDE, cells, whole);                         \
    else

KERNEL void kernel_sum_cells(
    const uint32_t *restrict values, ptrdiff_t step, ptrdiff_t side, ptrdiff_t count, uint32_t *restrict cells,
    ptrdiff_t cell_count) {
    const ptrdiff_t whole = count / side < cell_count ? count / side : cell_count;
    ptrdiff_t cell = 0;
    SUM(sum_cells, 1, 1)
    SUM(sum_cells, 1, 2)
    SUM(sum_cells, 1, 3)
    SUM(sum_blocks, 1, 4)
    SUM(sum_cells, 1, 6)
    SUM(sum_blocks, 1, 8)
    SUM(sum_blocks, 1, 16)
    SUM(sum_cells, 2, 1)
    SUM(sum_blocks, 2, 2)
    SUM(sum_cells, 2, 3)
    SUM(sum_blocks, 2, 4)
    SUM(sum_cells, 2, 6)
    SUM(sum_blocks, 2, 8)
    SUM(sum_blocks, 2, 16)
    SUM(sum_cells, 4, 1)
    SUM(sum_blocks, 4, 2)
    SUM(sum_cells, 4, 3)
    SUM(sum_blocks, 4, 4)
    SUM(sum_cells, 4, 6)
    SUM(sum_blocks, 4, 8)
    SUM(sum_blocks, 4, 16) {}
    for (; cell < cell_count; cell++) {
        const ptrdiff_t end = (cell + 1) * side;
        cells[cell] = sum_values(values, step, cell * side, end < count ? end : count);
    }
}

KERNEL void kernel_weigh_cells(
    const uint32_t *restrict sums, const uint32_t *restrict weights, const float *restrict shares,
    float *restrict values, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        const int32_t weight = (int32_t)weights[i];
        values[i] = (float)sums[i] / (float)(weight > 1 ? weight : 1) * shares[i];
    }
}

KERNEL void kernel_share_cells(
    const uint32_t *restrict weights, float full_weight, float *restrict shares, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) shares[i] = (float)(int32_t)weights[i] / full_weight;
}

KERNEL void kernel_normalise_cells(
    float *restrict values, const float *restrict weights, float unit, float maximum, ptrdiff_t count) {
    const float smallest = 1.17549435e-38f;
    for (ptrdiff_t i = 0; i < count; i++) {
        const float weight = weights[i] > smallest ? weights[i] : smallest;
        const float value = values[i] * (unit / weight);
        const float raised = value > 0 ? value : 0;
        values[i] = raised < maximum ? raised : maximum;
    }
}
