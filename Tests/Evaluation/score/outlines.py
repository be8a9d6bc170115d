"""Outlines of masks."""
import numpy as np
from scipy import ndimage

#: How far apart two outlines may lie and count as the same, as a share of the picture's diagonal.
BOUNDARY_TOLERANCE = 0.0075


def outline(mask):
    """The mask's pixels beside its background; the picture's edge is no outline."""
    return mask & ~ndimage.binary_erosion(mask, border_value=1)


def distance_to(pixels):
    """Every pixel's distance in pixels to the nearest of `pixels`."""
    return ndimage.distance_transform_edt(~pixels)


def boundary_f(truth, prediction, counts):
    """F measure of two outlines within a tolerance, away from pixels that do not count."""
    reach = max(1.0, BOUNDARY_TOLERANCE * np.hypot(*truth.shape))
    unclear = np.zeros(truth.shape, bool) if counts.all() else distance_to(~counts) <= reach
    true_outline, predicted_outline = outline(truth), outline(prediction)
    if not true_outline.any() or not predicted_outline.any():
        return float(true_outline.any() == predicted_outline.any())
    recall = share_near(true_outline, predicted_outline, reach, ~unclear)
    precision = share_near(predicted_outline, true_outline, reach, ~unclear)
    return float(2 * precision * recall / max(precision + recall, 1e-9))


def share_near(pixels, others, reach, counts):
    """The share of `pixels` that lie near `others`."""
    near = (distance_to(others) <= reach)[pixels & counts]
    return near.mean() if near.size else 1.0
