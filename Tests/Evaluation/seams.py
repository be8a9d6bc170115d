"""Masks of a video that is made in segments beside those of a video that is made in one piece."""
from gstreamer import EvaluationError
from live import decode, masks

#: From VideoSegment.swift: frames that are analysed before a segment, and after how many the analysis repeats its phases.
WARM_UP, PHASE = 120, 4


def evaluate(arguments):
    """Runs `Tests/evaluate seams`."""
    seams = sorted(arguments.at or [200])
    frames = decode(arguments.input, seams[-1] + arguments.frames)
    if len(frames) <= seams[-1]:
        raise EvaluationError(f"{arguments.input} has {len(frames)} frames, none from {seams[-1]} on.")
    settings = " ".join([f"quality={arguments.quality}", *arguments.properties])
    whole = masks(frames, arguments.rate, settings)
    print(f"{settings}: difference of the masks, of 255, in the mean of a frame")
    print("seam at frame  warmed up from  frames after  most, mean of these  most of the first 20 of the warm-up")
    for seam in seams:
        first = max(0, seam - WARM_UP) // PHASE * PHASE
        end = min(len(frames), seam + arguments.frames)
        part = masks(frames[first:end], arguments.rate, settings, first=first)
        after = [difference(part, whole, number) for number in range(seam, end)]
        before = [difference(part, whole, number) for number in range(first, min(first + 20, seam))]
        print(f"{seam:13}  {first:14}  {len(after):12}  {max(after):7.4f}, {sum(after) / len(after):7.4f}      {max(before):12.2f}")


def difference(part, whole, number):
    """The mean difference of two masks of a frame, of 255."""
    if number not in part or number not in whole or part[number].shape != whole[number].shape:
        raise EvaluationError(f"Frame {number} has no masks of one size.")
    return abs(part[number].astype(float) - whole[number]).mean()
