// Another exposure and less colour, sample by sample.
//
// tone(v) = min(v * gain + offset, max(v, white)), inside 0...maximum: what was not brighter than white does not
// become so. Less colour draws a pixel's components to their weighted sum before that.
#include <string.h>

#include "CKernels.h"
#include "levels.h"
#include "rounding.h"

INNER uint32_t tone(float value, float gain, float offset, float white, float maximum) {
    const float changed = value * gain + offset, limit = value > white ? value : white;
    const float low = changed < limit ? changed : limit;
    const float raised = low > 0 ? low : 0;
    return rounded(raised < maximum ? raised : maximum);
}

// Blocks of a constant size become vectors, with their parameters in registers.
#define DEFINE_TONE(TYPE, NAME)                                                                                  \
    KERNEL void NAME(                                                                                            \
        TYPE *restrict samples, const float *gains, const float *offsets, const float *whites, float maximum,    \
        ptrdiff_t shift, ptrdiff_t count) {                                                                      \
        float g[kernel_tone_block], o[kernel_tone_block], w[kernel_tone_block];                                  \
        memcpy(g, gains, sizeof g);                                                                              \
        memcpy(o, offsets, sizeof o);                                                                            \
        memcpy(w, whites, sizeof w);                                                                             \
        ptrdiff_t i = 0;                                                                                         \
        for (; i + kernel_tone_block <= count; i += kernel_tone_block)                                           \
            for (int k = 0; k < kernel_tone_block; k++)                                                          \
                samples[i + k] = (TYPE)(tone(samples[i + k] >> shift, g[k], o[k], w[k], maximum) << shift);      \
        for (int k = 0; i + k < count; k++)                                                                      \
            samples[i + k] = (TYPE)(tone(samples[i + k] >> shift, g[k], o[k], w[k], maximum) << shift);          \
    }

DEFINE_TONE(uint8_t, kernel_tone_u8)
DEFINE_TONE(uint16_t, kernel_tone_u16)

#define DEFINE_DESATURATE(TYPE, NAME)                                                                            \
    INNER void desaturate_##TYPE(                                                                                \
        TYPE *restrict samples, const float *gains, const float *whites, const float *weights,                   \
        const float *drawn, int step, float maximum, ptrdiff_t count) {                                          \
        float g[4], w[4], s[4], d[4];                                                                            \
        for (int k = 0; k < step; k++) {                                                                         \
            g[k] = gains[k];                                                                                     \
            w[k] = whites[k];                                                                                    \
            s[k] = weights[k];                                                                                   \
            d[k] = drawn[k];                                                                                     \
        }                                                                                                        \
        for (ptrdiff_t i = 0; i < count; i++) {                                                                  \
            float grey = 0;                                                                                      \
            for (int k = 0; k < step; k++) grey += samples[i * step + k] * s[k];                                 \
            for (int k = 0; k < step; k++) {                                                                     \
                const float own = samples[i * step + k];                                                         \
                samples[i * step + k] = (TYPE)tone(own + (grey - own) * d[k], g[k], 0, w[k], maximum);           \
            }                                                                                                    \
        }                                                                                                        \
    }                                                                                                            \
                                                                                                                 \
    KERNEL void NAME(                                                                                            \
        TYPE *restrict samples, const float *gains, const float *whites, const float *weights,                   \
        const float *drawn, ptrdiff_t step, float maximum, ptrdiff_t count) {                                    \
        if (step == 3)                                                                                           \
            desaturate_##TYPE(samples, gains, whites, weights, drawn, 3, maximum, count);                        \
        else                                                                                                     \
            desaturate_##TYPE(samples, gains, whites, weights, drawn, 4, maximum, count);                        \
    }

DEFINE_DESATURATE(uint8_t, kernel_desaturate_u8)
DEFINE_DESATURATE(uint16_t, kernel_desaturate_u16)
