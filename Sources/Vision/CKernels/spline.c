// A quadratic B-spline between cells: along the rows of cells first, and then down the columns.
//
// Along a row each cell's samples have the same weights, so that a cell is three values and a table. Expanded rows serve
// all rows of samples between them.
#include "CKernels.h"
#include "levels.h"
#include "rounding.h"

#define DEFINE_SPLINE(TYPE, NAME)                                                                                \
    KERNEL void NAME(                                                                                            \
        const float *restrict above, const float *restrict middle, const float *restrict below,                  \
        float above_weight, float middle_weight, float below_weight, TYPE *restrict samples, ptrdiff_t count,    \
        ptrdiff_t shift) {                                                                                       \
        for (ptrdiff_t i = 0; i < count; i++)                                                                    \
            samples[i] = (TYPE)(                                                                                 \
                rounded(above[i] * above_weight + middle[i] * middle_weight + below[i] * below_weight) << shift); \
    }

DEFINE_SPLINE(uint8_t, kernel_spline_rows_u8)
DEFINE_SPLINE(uint16_t, kernel_spline_rows_u16)

KERNEL void kernel_interleave(
    const float *restrict first, const float *restrict second, const float *restrict third,
    const float *restrict fourth, ptrdiff_t period, float *restrict values, ptrdiff_t count) {
    switch (period) {
    case 2:
        for (ptrdiff_t i = 0; i < count; i++) {
            values[2 * i] = first[i];
            values[2 * i + 1] = second[i];
        }
        break;
    case 3:
        for (ptrdiff_t i = 0; i < count; i++) {
            values[3 * i] = first[i];
            values[3 * i + 1] = second[i];
            values[3 * i + 2] = third[i];
        }
        break;
    default:
        for (ptrdiff_t i = 0; i < count; i++) {
            values[4 * i] = first[i];
            values[4 * i + 1] = second[i];
            values[4 * i + 2] = third[i];
            values[4 * i + 3] = fourth[i];
        }
    }
}

INNER float splined(const float *cell, int period, int k, const float *lefts, const float *rights) {
    const float middle = cell[k % period];
    return middle + (cell[k % period - period] - middle) * lefts[k]
        + (cell[k % period + period] - middle) * rights[k];
}

// Parts of a row: whole cells, those whose size is a number of blocks of whole periods, and what is left over.
INNER void expand_whole(
    const float *restrict cells, int period, int size, const float *restrict lefts, const float *restrict rights,
    ptrdiff_t count, float *restrict values) {
    for (ptrdiff_t cell = 0; cell < count; cell++) {
        for (int k = 0; k < size; k++)
            values[cell * size + k] = splined(cells + cell * period, period, k, lefts, rights);
    }
}

INNER void expand_blocks(
    const float *restrict cells, int period, int block, int size, const float *restrict lefts,
    const float *restrict rights, ptrdiff_t count, float *restrict values) {
    for (ptrdiff_t cell = 0; cell < count; cell++)
        for (int k = 0; k < size; k += block)
            for (int i = 0; i < block; i++)
                values[cell * size + k + i] = splined(cells + cell * period, period, i, lefts + k, rights + k);
}

INNER void expand_part(
    const float *cells, int period, int size, const float *lefts, const float *rights, ptrdiff_t first,
    ptrdiff_t end, float *values) {
    for (ptrdiff_t i = first; i < end; i++)
        values[i] = splined(cells + i / size * period, period, (int)(i % size), lefts, rights);
}

// Constants make straight vector code of the usual cells.
#define EXPAND(PERIOD, SIZE)                                                                                     \
    if (period == PERIOD && size == SIZE) expand_whole(from, PERIOD, SIZE, lefts, rights, whole, to);            \
    else

#define EXPAND_BLOCKS(PERIOD, BLOCK)                                                                             \
    if (period == PERIOD && size % BLOCK == 0)                                                                   \
        expand_blocks(from, PERIOD, BLOCK, size, lefts, rights, whole, to);                                      \
    else

KERNEL void kernel_expand_cells(
    const float *restrict cells, ptrdiff_t period, ptrdiff_t size, const float *restrict lefts,
    const float *restrict rights, ptrdiff_t first, ptrdiff_t end, float *restrict values) {
    const ptrdiff_t start = (first + size - 1) / size * size;
    if (start >= end) {
        expand_part(cells, period, size, lefts, rights, first, end, values);
        return;
    }
    expand_part(cells, period, size, lefts, rights, first, start, values);
    const ptrdiff_t whole = (end - start) / size;
    const float *from = cells + start / size * period;
    float *to = values + start;
    EXPAND(1, 1)
    EXPAND(1, 2)
    EXPAND(1, 3)
    EXPAND(1, 4)
    EXPAND(1, 6)
    EXPAND(1, 8)
    EXPAND(2, 2)
    EXPAND(2, 4)
    EXPAND(2, 6)
    EXPAND(2, 8)
    EXPAND(4, 4)
    EXPAND(4, 8)
    EXPAND_BLOCKS(1, 8)
    EXPAND_BLOCKS(2, 8)
    EXPAND_BLOCKS(4, 8)
    EXPAND_BLOCKS(4, 4)
    EXPAND(3, 24)
    expand_whole(from, period, size, lefts, rights, whole, to);
    expand_part(cells, period, size, lefts, rights, start + whole * size, end, values);
}
