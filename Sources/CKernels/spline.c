// A quadratic B-spline between cells: down the columns at the cells' resolution, then along the row.
//
// Along a row each cell's samples have the same weights, so that a cell is three values and a table.
#include "CKernels.h"
#include "levels.h"
#include "rounding.h"

KERNEL void kernel_mix_rows(
    const float *restrict above, const float *restrict middle, const float *restrict below,
    float above_weight, float middle_weight, float below_weight, float *restrict mixed, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++)
        mixed[i] = above[i] * above_weight + middle[i] * middle_weight + below[i] * below_weight;
}

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
#define DEFINE_EXPAND(TYPE)                                                                                      \
    INNER void expand_whole_##TYPE(                                                                              \
        const float *restrict cells, int period, int size, const float *restrict lefts,                          \
        const float *restrict rights, ptrdiff_t count, TYPE *restrict samples, int shift) {                      \
        for (ptrdiff_t cell = 0; cell < count; cell++) {                                                         \
            for (int k = 0; k < size; k++)                                                                       \
                samples[cell * size + k] =                                                                       \
                    (TYPE)(rounded(splined(cells + cell * period, period, k, lefts, rights)) << shift);          \
        }                                                                                                        \
    }                                                                                                            \
                                                                                                                 \
    INNER void expand_blocks_##TYPE(                                                                             \
        const float *restrict cells, int period, int block, int size, const float *restrict lefts,               \
        const float *restrict rights, ptrdiff_t count, TYPE *restrict samples, int shift) {                      \
        for (ptrdiff_t cell = 0; cell < count; cell++)                                                           \
            for (int k = 0; k < size; k += block)                                                                \
                for (int i = 0; i < block; i++)                                                                  \
                    samples[cell * size + k + i] = (TYPE)(                                                       \
                        rounded(splined(cells + cell * period, period, i, lefts + k, rights + k)) << shift);     \
    }                                                                                                            \
                                                                                                                 \
    INNER void expand_part_##TYPE(                                                                               \
        const float *cells, int period, int size, const float *lefts, const float *rights, ptrdiff_t first,      \
        ptrdiff_t end, TYPE *samples, int shift) {                                                               \
        for (ptrdiff_t i = first; i < end; i++)                                                                  \
            samples[i] = (TYPE)(                                                                                 \
                rounded(splined(cells + i / size * period, period, (int)(i % size), lefts, rights)) << shift);   \
    }

DEFINE_EXPAND(uint8_t)
DEFINE_EXPAND(uint16_t)

// Constants make straight vector code of the usual cells.
#define EXPAND(TYPE, PERIOD, SIZE)                                                                               \
    if (period == PERIOD && size == SIZE)                                                                        \
        expand_whole_##TYPE(from, PERIOD, SIZE, lefts, rights, whole, to, shift);                                \
    else

#define EXPAND_BLOCKS(TYPE, PERIOD, BLOCK)                                                                       \
    if (period == PERIOD && size % BLOCK == 0)                                                                   \
        expand_blocks_##TYPE(from, PERIOD, BLOCK, size, lefts, rights, whole, to, shift);                        \
    else

#define EXPAND_BODY(TYPE)                                                                                        \
    const ptrdiff_t start = (first + size - 1) / size * size;                                                    \
    if (start >= end) {                                                                                          \
        expand_part_##TYPE(cells, period, size, lefts, rights, first, end, samples, shift);                      \
        return;                                                                                                  \
    }                                                                                                            \
    expand_part_##TYPE(cells, period, size, lefts, rights, first, start, samples, shift);                        \
    const ptrdiff_t whole = (end - start) / size;                                                                \
    const float *from = cells + start / size * period;                                                           \
    TYPE *to = samples + start;                                                                                  \
    EXPAND(TYPE, 1, 1)                                                                                           \
    EXPAND(TYPE, 1, 2)                                                                                           \
    EXPAND(TYPE, 1, 3)                                                                                           \
    EXPAND(TYPE, 1, 4)                                                                                           \
    EXPAND(TYPE, 1, 6)                                                                                           \
    EXPAND(TYPE, 1, 8)                                                                                           \
    EXPAND(TYPE, 2, 2)                                                                                           \
    EXPAND(TYPE, 2, 4)                                                                                           \
    EXPAND(TYPE, 2, 6)                                                                                           \
    EXPAND(TYPE, 2, 8)                                                                                           \
    EXPAND(TYPE, 4, 4)                                                                                           \
    EXPAND(TYPE, 4, 8)                                                                                           \
    EXPAND_BLOCKS(TYPE, 1, 8)                                                                                    \
    EXPAND_BLOCKS(TYPE, 2, 8)                                                                                    \
    EXPAND_BLOCKS(TYPE, 4, 8)                                                                                    \
    EXPAND_BLOCKS(TYPE, 4, 4)                                                                                    \
    EXPAND(TYPE, 3, 24)                                                                                          \
    expand_whole_##TYPE(from, period, size, lefts, rights, whole, to, shift);                                    \
    expand_part_##TYPE(cells, period, size, lefts, rights, start + whole * size, end, samples, shift);

KERNEL void kernel_expand_cells_u8(
    const float *restrict cells, ptrdiff_t period, ptrdiff_t size, const float *restrict lefts,
    const float *restrict rights, ptrdiff_t first, ptrdiff_t end, uint8_t *restrict samples, ptrdiff_t shift) {
    EXPAND_BODY(uint8_t)
}

KERNEL void kernel_expand_cells_u16(
    const float *restrict cells, ptrdiff_t period, ptrdiff_t size, const float *restrict lefts,
    const float *restrict rights, ptrdiff_t first, ptrdiff_t end, uint16_t *restrict samples, ptrdiff_t shift) {
    EXPAND_BODY(uint16_t)
}
