"""Draws what a process took of the memory over the frames that it played, and prints how it grew.

    memory_curve.py LOG FILE.png

Each line of the log has a number of frames, bytes and "playing" or "resting", or "allocated" for what is in use of it at rest.
"""

import statistics
import sys

from PIL import Image, ImageDraw

WIDTH, HEIGHT, MARGIN = 900, 420, 60
COLORS = {"playing": (150, 170, 200), "resting": (200, 60, 40), "allocated": (60, 140, 60)}
MEBIBYTE = 1 << 20


def main(log: str, target: str) -> None:
    with open(log, encoding="ascii") as lines:
        rows = [(int(frames), int(size) / MEBIBYTE, kind) for frames, size, kind in map(str.split, lines)]
    right, top = max(row[0] for row in rows), 1.1 * max(row[1] for row in rows)
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(image)

    def place(frames: float, size: float) -> tuple:
        x = MARGIN + frames / right * (WIDTH - 2 * MARGIN)
        return x, HEIGHT - MARGIN - size / top * (HEIGHT - 2 * MARGIN)

    draw.line([place(0, top), place(0, 0), place(right, 0)], fill="black")
    for share in (0.25, 0.5, 0.75, 1):
        draw.text(place(share * right, -top * 0.03), f"{share * right:,.0f}", fill="black", anchor="mt")
        draw.text((MARGIN - 6, place(0, share * top)[1]), f"{share * top:.0f}", fill="black", anchor="rm")
    draw.text((MARGIN, 20), "MiB in memory over frames", fill="black")
    for number, (kind, color) in enumerate(COLORS.items()):
        points = [row[:2] for row in rows if row[2] == kind]
        if len(points) > 1:
            draw.line([place(*point) for point in points], fill=color, width=2)
        draw.text((WIDTH - MARGIN, 20 + 16 * number), kind, fill=color, anchor="ra")
    image.save(target)
    for wanted in ("resting", "allocated"):
        sizes = [size for frames, size, kind in rows if kind == wanted and frames > 1000]
        if len(sizes) >= 3:
            part = len(sizes) // 3
            early, late = statistics.median(sizes[:part]), statistics.median(sizes[-part:])
            print(f"      {wanted}: {early:.1f} MiB in the first third, {late:.1f} in the last (medians): {target}")


main(*sys.argv[1:])
