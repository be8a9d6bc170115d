"""Measures how autoframe scales beside videoscale, with the same filter and one thread: shrunk from 1920x1080 to 1280x720, and the middle
of the frame enlarged by 1.5.

usage: scaling.py [--rounds N] [--frames N] [--formats FORMAT,...]

Each row is measured in turns with a pipeline that does not scale, whose time is taken off. The least of the rounds counts, since other
work on the machine only slows.
"""

import argparse

from peers import cpu, gst, least

SOURCE = "videotestsrc num-buffers={frames} pattern=black ! video/x-raw,format={format},width=1920,height=1080,framerate=30/1 ! "
SIZES = {"shrunk": (1280, 720), "enlarged": (1920, 1080)}
ENDS = {
    "none": "fakesink",
    "shrunk by videoscale": "videoscale method=catrom n-threads=1 ! {caps} ! fakesink",
    "shrunk by autoframe": "autoframe zoom=1.0001 width=1280 height=720 ! fakesink",
    "enlarged by videoscale":
        "videocrop left=320 right=320 top=180 bottom=180 ! videoscale method=catrom n-threads=1 ! {caps} ! fakesink",
    "enlarged by autoframe": "autoframe zoom=1.5 ! fakesink",
}


def main():
    parser = argparse.ArgumentParser(prog="bench --scaling")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--frames", type=int, default=600, metavar="N")
    parser.add_argument("--formats", default="I420,NV12,YUY2,RGBA,I420_10LE", metavar="FORMAT,...")
    options = parser.parse_args()
    if options.rounds < 1 or options.frames < 1:
        parser.error("--rounds and --frames must be at least 1")
    formats = options.formats.split(",")
    jobs = [(format, end) for format in formats for end in ENDS]
    times = least(jobs, options.rounds, lambda job: "{}, {}".format(*job), lambda job: [gst(line(options, *job))])
    print(f"{cpu()}; CPU ms a frame, least of {options.rounds} rounds of {options.frames} frames")
    print("format      " + "".join(f"{name}: videoscale  autoframe  ratio  " for name in SIZES))
    for format in formats:
        print(f"{format:12}" + "".join(row(options, times, format, name) for name in SIZES))


def line(options, format, end):
    way = end.split()[0]
    width, height = SIZES.get(way, SIZES["enlarged"])
    caps = f"video/x-raw,format={format},width={width},height={height}"
    return SOURCE.format(frames=options.frames, format=format) + ENDS[end].format(caps=caps)


def row(options, times, format, name):
    base = times[format, "none"][0]
    theirs, ours = (1000 * (times[format, f"{name} by {element}"][0] - base) / options.frames for element in ("videoscale", "autoframe"))
    return f"{theirs:{len(name) + 12}.2f}  {ours:9.2f}  {ours / theirs:5.2f}  "


if __name__ == "__main__":
    main()
