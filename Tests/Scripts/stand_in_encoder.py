#!/usr/bin/env python3
"""ffmpeg with encoders of graphics processors that run on the processor: tests put it on PATH by the name ffmpeg.

It takes the options of each such encoder, and no others, and hands those of libx264 or libx265 to the real ffmpeg. The file STAND_IN_LOG
gets the name of the encoder and its options.
"""

import os
import shutil
import sys

#: Options of an encoder that have a value, by what libx264 and libx265 call them; none: they have no such option.
OPTIONS = {
    "nvenc": {"-rc": None, "-cq": "-crf", "-preset": None},
    "qsv": {"-global_quality": "-crf", "-preset": None},
    "vaapi": {"-global_quality": "-crf", "-init_hw_device": None, "-filter_hw_device": None},
}
LIBRARIES = {"h264": "libx264", "hevc": "libx265"}


def main():
    here = os.path.dirname(os.path.abspath(sys.argv[0]))
    rest = os.pathsep.join(folder for folder in os.environ["PATH"].split(os.pathsep) if os.path.abspath(folder) != here)
    ffmpeg = shutil.which("ffmpeg", path=rest)
    words = sys.argv[1:]
    place = next((place for place, word in enumerate(words) if word.rpartition("_")[2] in OPTIONS), None)
    if place is not None:
        words = replaced(words, place)
    os.execv(ffmpeg, ["ffmpeg", *words])


def replaced(words, place):
    codec, _, kind = words[place].rpartition("_")
    options, result, taken = OPTIONS[kind], [], []
    words = [*words[:place], LIBRARIES[codec], *words[place + 1 :]]
    follows = iter(words)
    for word in follows:
        if word not in options:
            # Of the filters, those that hand frames to the graphics processor.
            result.append(word.replace(",format=nv12,hwupload", "").replace(",format=p010,hwupload", ""))
            continue
        value = next(follows)
        taken.append(f"{word}={value}")
        # No bit rate beside constant quality.
        result += [options[word], value] if options[word] else []
    if kind == "vaapi" and not any("hwupload" in word for word in words):
        sys.exit("no frame is uploaded")
    with open(os.environ["STAND_IN_LOG"], "a", encoding="utf-8") as log:
        log.write(f"{codec}_{kind} {' '.join(taken)}\n")
    return without_zero_rate(result)


def without_zero_rate(words):
    pairs = list(zip(words, [*words[1:], ""]))
    return [word for place, (word, value) in enumerate(pairs) if (word, value) != ("-b:v:0", "0") and pairs[place - 1] != ("-b:v:0", "0")]


if __name__ == "__main__":
    main()
