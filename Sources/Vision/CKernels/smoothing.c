// Means of a mask's values over time, where the image is still.
#include <math.h>

#include "CKernels.h"
#include "levels.h"

// No number becomes 0.
INNER float unit(float value) {
    const float raised = value > 0 ? value : 0;
    return raised < 1 ? raised : 1;
}

INNER float step(float value, float middle, float slope) { return unit((value - middle) * slope + 0.5f); }

KERNEL void kernel_smooth_row(
    float *restrict values, float *restrict mean, float *restrict age, float *restrict last,
    const float *restrict still, const struct kernel_smoothing *limits, ptrdiff_t count) {
    const struct kernel_smoothing l = *limits;
    const float doubt_scale = 1 / (1 - l.doubt);
    for (ptrdiff_t i = 0; i < count; i++) {
        const float change = values[i] - mean[i], size = fabsf(change), square = change * change;
        // Distance that the last measurement went in the same direction; 0 without a direction.
        const float agreement = 2 * (last[i] - mean[i]) * change, raised = agreement > 0 ? agreement : 0;
        const float confirmation = raised < square ? raised : square;
        const float confirmed = size > 0 ? confirmation / size : 0;
        const float patience = step(still[i], l.rest_middle, l.rest_slope) * step(age[i], l.history_middle, l.history_slope);
        const float contradiction = unit((size + patience * (confirmed - size) - l.doubt) * doubt_scale);
        // An unconfirmed measurement must not change the mean, or the next one would contradict it less.
        const float withheld = unit((size - l.doubt) * doubt_scale) - contradiction;
        const float past = (age[i] + 1) * still[i] * l.strength * (1 - contradiction);
        last[i] = values[i];
        age[i] = past;
        mean[i] += change * (1 - withheld) / (past + 1);
        values[i] = mean[i];
    }
}
