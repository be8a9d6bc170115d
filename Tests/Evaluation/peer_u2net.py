"""Runs U2-Net's small version by itself. usage: peer_u2net.py MODEL.xml

Reads pictures of 320x320 pixels, RGB, from the standard input, and writes the coverage of each as 8-bit values.
"""
import sys

import numpy
import openvino

SIDE = 320


def main(path):
    model = openvino.Core().compile_model(path, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    while picture := sys.stdin.buffer.read(3 * SIDE * SIDE):
        values = numpy.frombuffer(picture, numpy.uint8).reshape(1, SIDE, SIDE, 3).astype(numpy.float32) / 255
        coverage = model([values])[0].clip(0, 1)
        sys.stdout.buffer.write((255 * coverage).round().astype(numpy.uint8).tobytes())
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
