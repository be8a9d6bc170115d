"""The level that a video needs, by the tables of H.264 and HEVC."""

# Level, macroblocks of a frame and in a second (ITU-T H.264, table A-1).
H264 = (
    (10, 99, 1485), (11, 396, 3000), (12, 396, 6000), (13, 396, 11880), (21, 792, 19800), (22, 1620, 20250), (30, 1620, 40500),
    (31, 3600, 108000), (32, 5120, 216000), (40, 8192, 245760), (42, 8704, 522240), (50, 22080, 589824), (51, 36864, 983040),
    (52, 36864, 2073600), (60, 139264, 4177920), (61, 139264, 8355840), (62, 139264, 16711680),
)  # fmt: skip
# Thirty times the level, luma samples of a frame and in a second (ITU-T H.265, tables A.8 and A.9).
HEVC = (
    (30, 36864, 552960), (60, 122880, 3686400), (63, 245760, 7372800), (90, 552960, 16588800), (93, 983040, 33177600),
    (120, 2228224, 66846720), (123, 2228224, 133693440), (150, 8912896, 267386880), (153, 8912896, 534773760),
    (156, 8912896, 1069547520), (180, 35651584, 1069547520), (183, 35651584, 2139095040), (186, 35651584, 4278190080),
)  # fmt: skip
# A variable rate may be this much higher than that of most frames.
FASTEST = 2


def problems(clip):
    """Where a file's level is more than its frames need, in sentences."""
    stream, table = clip.video, {"h264": H264, "hevc": HEVC}.get(clip.video.get("codec_name"))
    if not table or len(clip.frames) < 2:
        return
    steps = sorted(two.time - one.time for one, two in zip(clip.frames, clip.frames[1:]))
    middle = steps[len(steps) // 2]
    rate = 1 / max(middle, 0.001) * (1 if steps[-1] < 1.2 * steps[0] else FASTEST)
    level, needed = stream.get("level", 0), lowest(table, stream, rate)
    if level > needed:
        yield f"the video has level {level} instead of {needed}"


def lowest(table, stream, rate):
    """The lowest level of a table for a stream at a rate."""
    width, height = stream["width"], stream["height"]
    if table is H264:
        width, height = -(-width // 16), -(-height // 16)
    size = width * height
    for level, largest, fastest in table:
        # A hundredth: MP4 and Matroska round times.
        fits = size <= largest and max(width, height) ** 2 <= 8 * largest and size * rate <= fastest * 1.01
        if fits:
            return level
    return table[-1][0]
