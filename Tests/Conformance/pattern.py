"""The number of a frame as large black and white blocks, which every codec keeps.

The blocks are 8 columns of 4 rows: 24 bits with the number and 8 bits that check them. Neighbouring numbers differ in many
blocks, so that a mixture of two frames is no number.
"""

import numpy

COLUMNS, ROWS = 8, 4
BLOCKS = COLUMNS * ROWS
LIMIT = 1 << 24
FACTOR = 0x9E3779
INVERSE = pow(FACTOR, -1, LIMIT)
# Means of a block that count as black and as white, of 255.
DARK, LIGHT = 95, 160
CHECK_START = 0x5A


def draw(number, size):
    """The frame of a number: grey, of 8 bits."""
    width, height = size
    blocks = (bits(number) * 255).astype(numpy.uint8).reshape(ROWS, COLUMNS)
    rows = numpy.arange(height) * ROWS // height
    columns = numpy.arange(width) * COLUMNS // width
    return blocks[rows][:, columns]


def bits(number):
    scattered = number * FACTOR % LIMIT
    whole = scattered << 8 | check(scattered)
    return numpy.array([whole >> (BLOCKS - 1 - place) & 1 for place in range(BLOCKS)])


def check(value):
    """CRC-8 of three bytes."""
    code = CHECK_START
    for byte in value.to_bytes(3, "big"):
        code ^= byte
        for _ in range(8):
            code = (code << 1 ^ 0x07) & 0xFF if code & 0x80 else code << 1
    return code


def read(means):
    """The number of a frame by the means of its blocks, of 255; none if they show no number."""
    if numpy.any((means > DARK) & (means < LIGHT)):
        return None
    whole = 0
    for mean in means:
        whole = whole << 1 | int(mean >= LIGHT)
    scattered = whole >> 8
    return scattered * INVERSE % LIMIT if check(scattered) == whole & 0xFF else None


def block_means(frame, area=(0.0, 0.0, 1.0, 1.0)):
    """The means of the blocks within an area of a grey frame; the area is left, top, width and height as parts of the frame.

    The outer quarter of each block is left out, because scaling and coding soften it.
    """
    height, width = frame.shape
    left, top, across, down = area[0] * width, area[1] * height, area[2] * width / COLUMNS, area[3] * height / ROWS
    means = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            y, x = top + (row + 0.25) * down, left + (column + 0.25) * across
            means.append(frame[int(y) : max(int(y) + 1, int(y + down / 2)), int(x) : max(int(x) + 1, int(x + across / 2))].mean())
    return numpy.array(means)
