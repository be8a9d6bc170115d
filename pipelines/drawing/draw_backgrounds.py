"""Draws backgrounds to put behind people: a beach, a bookshelf, curtains, colours, mountains, a night sky, an office.

usage: draw_backgrounds.py OUT_DIR [NAME]...

Each is the same picture every time. draw_forest.py draws one more.
"""

import pathlib
import sys

import numpy as np

from canvas import (
    HEIGHT,
    WIDTH,
    blur,
    columns,
    developed,
    ellipse,
    glow,
    mix,
    noise,
    ramp,
    rectangle,
    rows,
    save,
    shade,
    step,
    vignette,
)

WHITE = np.ones(3, np.float32)


def main(folder: pathlib.Path, *names: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in DRAWINGS.items():
        if not names or name in names:
            rng = np.random.default_rng(7)
            save(developed(draw(rng), rng), folder / f"{name}.jpg")


# MARK: - Beach


def beach(rng) -> np.ndarray:
    """Afternoon: sky with thin clouds, a sea with a sunlit strip, foam, and sand."""
    horizon, shore = 470, 760
    picture = mix(beach_sky(rng, horizon), sea(rng, horizon, shore), step(horizon - 1, horizon + 1, rows))
    line = shore + 26 * np.sin(columns / 260 + 0.6) + 30 * (noise(rng, 330, 4000, 4, height=1) - 0.5)
    sand = beach_sand(rng, line)
    picture = mix(picture, sand, step(-3, 3, rows - line))
    for offset, width, strength in ((-6, 12, 0.9), (-64, 8, 0.5), (-118, 5, 0.35)):
        lace = step(0.38, 0.62, noise(rng, 26, 9, 4))
        place = line + offset + 12 * (noise(rng, 150, 4000, 3, height=1) - 0.5)
        picture = mix(picture, shade(WHITE, 0.9), strength * lace * np.exp(-(((rows - place) / width) ** 2)))
    return vignette(blur(picture, 1), 0.5)


def beach_sky(rng, horizon: int) -> np.ndarray:
    sky = ramp(rows / horizon, (0, (0.10, 0.28, 0.62)), (0.6, (0.33, 0.56, 0.82)), (1, (0.80, 0.86, 0.88)))
    sky = mix(sky, shade((1.0, 0.93, 0.78), 1.0), 0.75 * glow(1350, horizon - 40, 620, 260))
    height = np.clip(rows / horizon, 0.05, 1)
    clouds = step(0.50, 0.78, 0.7 * noise(rng, 620, 90, 5) + 0.3 * noise(rng, 160, 34, 4))
    return mix(sky, shade((1.0, 0.97, 0.93), 0.95), 0.75 * clouds * step(0.05, 0.5, height))


def sea(rng, horizon: int, shore: int) -> np.ndarray:
    depth = np.clip((rows - horizon) / (shore - horizon), 0, 1)
    water = ramp(depth, (0, (0.06, 0.22, 0.36)), (0.55, (0.05, 0.34, 0.42)), (1, (0.33, 0.60, 0.56)))
    far, near = noise(rng, 150, 5, 3), noise(rng, 420, 26, 4)
    waves = far * (1 - depth) + near * depth
    water = water * (0.72 + 0.56 * waves)[..., None]
    sparkle = step(0.60, 0.78, noise(rng, 26, 3, 2)) * np.exp(-(((columns - 1350) / (160 + 420 * depth)) ** 2))
    return mix(water, shade((1.0, 0.95, 0.82), 1.0), 0.8 * sparkle * (1 - 0.7 * depth))


def beach_sand(rng, line: np.ndarray) -> np.ndarray:
    dry = step(30, 210, rows - line)
    colour = ramp(dry, (0, (0.36, 0.27, 0.18)), (1, (0.74, 0.60, 0.42)))
    ripples = noise(rng, 240, 16, 4)
    grain = rng.random((HEIGHT, WIDTH)).astype(np.float32)
    return colour * (0.80 + 0.26 * ripples + 0.14 * grain * dry)[..., None]


# MARK: - Bookshelf


def bookshelf(rng) -> np.ndarray:
    """Rows of books on wooden shelves in the light of a lamp."""
    wood = shade((0.20, 0.105, 0.05), 0.7 + 0.6 * noise(rng, 900, 9, 4))
    picture = wood * 0.35
    boards = (20, 286, 552, 818, 1084)
    for top, bottom in zip(boards, boards[1:]):
        picture = fill_shelf(rng, picture, top + 22, bottom)
    for board in boards:
        face = rectangle(-9, board, WIDTH + 9, board + 22)
        light = 1.3 - 0.5 * (rows - board) / 22
        picture = mix(picture, wood * light[..., None], face)
        shadow = np.exp(-np.maximum(rows - board - 22, 0) / 34) * (rows > board + 22)
        picture = picture * (1 - 0.55 * shadow)[..., None]
    for side in (-30, 628, 1290, WIDTH - 2):
        post = rectangle(side, -9, side + 32, HEIGHT + 9)
        across = np.clip((columns - side) / 32, 0, 1)
        picture = mix(picture, wood * (1.35 - 0.7 * across)[..., None], post)
        picture = picture * (1 - 0.45 * np.exp(-np.abs(columns - side - 16) / 40) * (1 - post))[..., None]
    lamp = 0.34 + 1.05 * glow(1480, 250, 1100, 800)
    return vignette(blur(picture * (lamp[..., None] * np.array([1.12, 1.0, 0.82], np.float32)), 2), 0.9)


COVERS = [
    (0.30, 0.05, 0.04), (0.05, 0.12, 0.22), (0.07, 0.16, 0.10), (0.42, 0.33, 0.20), (0.16, 0.07, 0.05), (0.55, 0.49, 0.38),
    (0.10, 0.10, 0.12), (0.38, 0.16, 0.05), (0.17, 0.22, 0.25), (0.24, 0.20, 0.07),
]


def fill_shelf(rng, picture: np.ndarray, top: int, bottom: int) -> np.ndarray:
    x = 0.0
    while x < WIDTH:
        if rng.random() < 0.06:
            x += rng.uniform(40, 130)
            continue
        width, height = rng.uniform(18, 50), (bottom - top) * rng.uniform(0.66, 0.93)
        paint_book(rng, picture, x, bottom - height, width, bottom)
        x += width + rng.uniform(0, 2)
    return picture


def paint_book(rng, picture: np.ndarray, x: float, top: float, width: float, bottom: int) -> None:
    """Paints a spine: rounded, with bands and a title."""
    window = np.s_[int(top) : bottom, int(x) : min(WIDTH, int(x + width))]
    across = (columns[window] - x) / width * 2 - 1
    down = (rows[window] - top) / (bottom - top)
    colour = np.array(COVERS[rng.integers(len(COVERS))], np.float32) * rng.uniform(0.75, 1.35)
    light = 0.35 + 0.8 * np.sqrt(np.clip(1 - (across + 0.25) ** 2 / 1.7, 0, 1))
    spine = colour * light[..., None]
    gold = np.array([0.75, 0.58, 0.26], np.float32) if rng.random() < 0.7 else np.array([0.82, 0.80, 0.74], np.float32)
    marks = np.zeros_like(down)
    for place in (0.07, 0.10, 0.90, 0.93) if rng.random() < 0.6 else (0.12, 0.86):
        marks = np.maximum(marks, np.abs(down - place) < 0.006)
    first, last = rng.uniform(0.2, 0.3), rng.uniform(0.5, 0.75)
    letters = rng.random(60) < 0.72
    title = (down > first) & (down < last) & (np.abs(across) < 0.34) & letters[np.clip((down * 60).astype(int), 0, 59)]
    marks = np.maximum(marks, 0.8 * title)
    picture[window] = spine + (gold * light[..., None] - spine) * (0.75 * marks)[..., None]


# MARK: - Colours


def colours(rng) -> np.ndarray:
    """Large soft lights of a few colours that run into each other."""
    picture = ramp(columns / WIDTH * 0.5 + rows / HEIGHT * 0.5, (0, (0.05, 0.09, 0.26)), (1, (0.22, 0.05, 0.24)))
    bend = 260 * (noise(rng, 1500, 1200, 2) - 0.5)
    for x, y, size, colour, strength in (
        (250, 180, 760, (0.01, 0.42, 0.62), 0.9), (1700, 160, 700, (0.62, 0.07, 0.36), 0.85),
        (1480, 980, 820, (0.98, 0.36, 0.10), 0.8), (420, 1020, 700, (0.14, 0.06, 0.52), 0.85),
        (980, 520, 520, (0.22, 0.16, 0.62), 0.5),
    ):
        away = np.hypot(columns - x + bend, rows - y - bend) / size
        picture = mix(picture, shade(colour, 1.0), strength * np.exp(-(away**2)))
    return vignette(picture, 0.6)


# MARK: - Curtains


def curtains(rng) -> np.ndarray:
    """Long folds of linen that hang before a bright window."""
    down = rows / HEIGHT
    # Folds grow wider on their way down.
    sway = columns + 26 * np.sin(2.1 * down + 0.7) * down + 16 * (noise(rng, 700, 900, 2) - 0.5)
    height = np.zeros((HEIGHT, WIDTH), np.float32)
    for width, depth in ((214, 1.0), (127, 0.75), (61, 0.3)):
        places = np.cumsum(rng.uniform(0.55, 1.45, 400))
        phase = 2 * np.pi * np.interp(sway / width, np.arange(400) - 20, places)
        height += depth * width * (np.sin(phase) + 0.22 * np.sin(2 * phase + 1.3))
    slope = np.gradient(blur(height, 5), axis=1)
    facing = 0.5 + 0.5 * slope / np.sqrt(1 + slope**2) / 0.85
    depth = np.clip((height - height.min()) / (height.max() - height.min()), 0, 1)
    window = 0.46 + 0.62 * glow(820, 400, 900, 760)
    light = (0.20 + 0.34 * facing + 0.40 * depth) * window * (1.08 - 0.26 * down)
    threads = 0.035 * (noise(rng, 5, 70, 2) - 0.5) + 0.035 * (noise(rng, 70, 5, 2) - 0.5)
    linen = ramp(light * (1 + 2 * threads), (0, (0.05, 0.035, 0.03)), (0.35, (0.36, 0.28, 0.21)), (1, (1.0, 0.93, 0.80)))
    return vignette(linen, 0.5)


# MARK: - Mountains


def mountains(rng) -> np.ndarray:
    """Ridges that fade into the haze of a morning, and the sun that has just come up."""
    sky = ramp(
        rows / 700, (0, (0.13, 0.24, 0.46)), (0.55, (0.55, 0.52, 0.58)), (0.85, (0.98, 0.70, 0.46)), (1, (1.0, 0.80, 0.56))
    )
    picture = mix(sky, shade((1.0, 0.90, 0.66), 1.0), 0.8 * glow(1240, 560, 520, 260))
    streaks = step(0.5, 0.8, noise(rng, 900, 44, 5)) * step(30, 260, rows) * (1 - step(330, 560, rows))
    picture = mix(picture, shade((1.0, 0.74, 0.62), 0.9), 0.5 * streaks)
    picture = mix(picture, shade((1.0, 0.97, 0.86), 1.0), ellipse(1240, 545, 42, 42, 0.06))
    haze = shade((0.96, 0.72, 0.52), 0.72 + 0.5 * glow(1240, 600, 900, 500))
    for number, distance in enumerate(np.linspace(1, 0, 6)):
        base = 590 + 430 * (1 - distance) ** 1.5
        height = 120 + 200 * (1 - abs(distance - 0.6))
        ridge = base - height * (noise(rng, 560 - 50 * number, 4000, 7, height=1) - 0.25)
        slopes = 0.75 + 0.5 * noise(rng, 90, 130, 5)
        rock = shade(ramp(np.full((1, 1), 1 - distance), (0, (0.17, 0.19, 0.30)), (1, (0.020, 0.032, 0.030)))[0, 0], slopes)
        clear = np.exp(-2.4 * distance)
        valley = np.clip((rows - ridge) / 260, 0, 1)
        layer = mix(haze, rock, clear * (1 - 0.55 * valley * min(1, 0.35 + distance)))
        picture = mix(picture, layer, step(-1.5, 1.5, rows - ridge))
    return vignette(picture, 0.6)


# MARK: - Night sky


def night_sky(rng) -> np.ndarray:
    """Stars and the Milky Way over dark hills, with the last light of the evening."""
    sky = ramp(
        rows / HEIGHT, (0, (0.004, 0.007, 0.022)), (0.6, (0.012, 0.024, 0.06)), (0.82, (0.05, 0.09, 0.13)), (1, (0.16, 0.16, 0.13))
    )
    along, across = (columns - 300) * 0.80 + (rows - 900) * -0.60, (columns - 300) * 0.60 + (rows - 900) * 0.80
    middle = across - 190 + 60 * np.sin(along / 420)
    band = 0.55 * np.exp(-((middle / 300) ** 2)) + 0.45 * np.exp(-((middle / 120) ** 2))
    clouds = noise(rng, 210, 190, 6)
    lane = np.exp(-(((middle + 150 * (noise(rng, 360, 330, 5) - 0.5)) / 44) ** 2))
    glowing = band * step(0.10, 0.95, clouds) * (1 - 0.75 * lane * step(0.30, 0.60, noise(rng, 150, 140, 5)))
    picture = sky + shade((0.085, 0.088, 0.120), glowing) + shade((0.30, 0.17, 0.12), glowing**3)
    picture = picture + stars(rng, band)
    for base, height, colour in ((905, 130, (0.010, 0.018, 0.026)), (985, 120, (0.004, 0.007, 0.009))):
        ridge = base - height * (noise(rng, 620, 4000, 6, height=1) - 0.3)
        if base > 950:
            ridge = ridge - firs(rng)
        picture = mix(picture, shade(colour, 1.0), step(-1.2, 1.2, rows - ridge))
    return picture


def stars(rng, band: np.ndarray) -> np.ndarray:
    field = np.zeros((HEIGHT, WIDTH, 3), np.float32)
    halo = np.array([[0.15, 0.4, 0.15], [0.4, 0, 0.4], [0.15, 0.4, 0.15]], np.float32)[..., None]
    for y, x in zip(rng.integers(2, HEIGHT - 2, 9000), rng.integers(2, WIDTH - 2, 9000)):
        if rng.random() > 0.25 + 0.75 * band[y, x]:
            continue
        bright = 0.05 * rng.pareto(1.6) + 0.03
        tint = 1 + rng.uniform(-0.18, 0.18) * np.array([1, 0.1, -1], np.float32)
        field[y, x] += np.clip(bright, 0, 1.6) * tint
        if bright > 0.45:
            field[y - 1 : y + 2, x - 1 : x + 2] += halo * min(bright, 1.4) * tint
    return field + 1.6 * blur(field, 1)


def firs(rng) -> np.ndarray:
    """How far the tops of trees stand above the ground, for each column."""
    tops = np.zeros((1, WIDTH), np.float32)
    for x in np.arange(-20, WIDTH + 20, 13) + rng.uniform(-9, 9, len(np.arange(-20, WIDTH + 20, 13))):
        height, slim = rng.uniform(14, 62), rng.uniform(0.20, 0.30)
        away = np.abs(columns[:1] - x)
        jagged = 4 * np.abs(np.sin(away * 0.55))
        tops = np.maximum(tops, height - away / slim - jagged * (away > 2))
    return tops


# MARK: - Office


def office(rng) -> np.ndarray:
    """A bright room out of focus: a wall, a window onto a city, a shelf, a lamp, a plant and a desk."""
    wall = shade((0.66, 0.64, 0.60), 0.62 + 0.5 * glow(560, 380, 1150, 900) + 0.02 * noise(rng, 300, 300, 3))
    picture = mix(wall, window_view(rng), rectangle(170, 70, 860, 720, 2))
    for x in (162, 508, 852):
        picture = mix(picture, shade((0.82, 0.82, 0.80), 0.9), rectangle(x, 62, x + 18, 728))
    for y in (62, 330, 712):
        picture = mix(picture, shade((0.82, 0.82, 0.80), 0.95), rectangle(162, y, 870, y + 16))
    picture = mix(picture, shade((0.88, 0.87, 0.84), 0.95), rectangle(130, 728, 902, 756))
    picture = office_shelves(rng, picture)
    picture = picture_frame(rng, picture)
    picture = floor_lamp(picture)
    picture = house_plant(rng, blur(picture, 3))
    desk = shade((0.42, 0.28, 0.17), 0.8 + 0.35 * noise(rng, 900, 12, 4))
    desk = mix(desk, shade(WHITE, 0.8), 0.25 * glow(560, 960, 700, 90))
    picture = mix(picture, desk * 0.55, rectangle(-9, 1012, WIDTH + 9, HEIGHT + 9))
    picture = mix(picture, desk, rectangle(-9, 962, WIDTH + 9, 1020, 2))
    return vignette(blur(picture, 6), 0.7)


def window_view(rng) -> np.ndarray:
    """A pale sky, and the fronts of houses far away."""
    view = ramp(rows / 760, (0, (0.72, 0.86, 1.0)), (1, (1.0, 1.0, 0.97)))
    x = 150.0
    while x < 880:
        width, top = rng.uniform(50, 120), rng.uniform(330, 540)
        front = shade((0.55, 0.62, 0.70), rng.uniform(0.85, 1.15))
        lights = (((columns - x) % 22 > 8) & ((rows - top) % 30 > 14)).astype(np.float32)
        front = mix(front, shade((0.80, 0.86, 0.92), 1.0), 0.6 * lights)
        view = mix(view, front, 0.8 * rectangle(x, top, x + width, 760))
        x += width + rng.uniform(0, 30)
    greens = step(560, 640, rows + 90 * noise(rng, 90, 60, 4))
    return mix(view, shade((0.35, 0.50, 0.30), 0.7 + 0.6 * noise(rng, 40, 30, 3)), 0.8 * greens)


def office_shelves(rng, picture: np.ndarray) -> np.ndarray:
    for y in (250, 430, 610):
        picture = picture * (1 - 0.25 * rectangle(1290, y + 26, 1830, y + 60, 16))[..., None]
        x = 1310.0
        while x < 1790:
            if rng.random() < 0.22:
                x += rng.uniform(40, 90)
                continue
            width, height = rng.uniform(16, 34), rng.uniform(80, 128)
            colour = np.array(COVERS[rng.integers(len(COVERS))], np.float32) * 1.3 + 0.12
            picture = mix(picture, shade(colour, 1.0), rectangle(x, y - height, x + width, y))
            x += width + 2
        picture = mix(picture, shade((0.48, 0.33, 0.20), 0.95), rectangle(1280, y, 1840, y + 20))
    return picture


def picture_frame(rng, picture: np.ndarray) -> np.ndarray:
    picture = picture * (1 - 0.22 * rectangle(1010, 190, 1226, 466, 14))[..., None]
    picture = mix(picture, shade((0.10, 0.09, 0.08), 1.0), rectangle(1000, 180, 1216, 452))
    picture = mix(picture, shade((0.86, 0.85, 0.82), 1.0), rectangle(1010, 190, 1206, 442))
    art = ramp(rows, (220, (0.86, 0.66, 0.42)), (330, (0.60, 0.36, 0.30)), (412, (0.16, 0.22, 0.32)))
    art = mix(art, shade((0.95, 0.85, 0.60), 1.0), ellipse(1130, 300, 30, 30))
    return mix(picture, art, rectangle(1034, 218, 1182, 414))


def floor_lamp(picture: np.ndarray) -> np.ndarray:
    picture = mix(picture, shade((0.12, 0.11, 0.10), 1.0), rectangle(1082, 640, 1092, 980))
    inside = np.abs(columns - 1087) - 52 - 0.30 * (rows - 560)
    cover = (1 - step(-2, 2, inside)) * rectangle(900, 560, 1280, 672)
    picture = mix(picture, shade((1.0, 0.86, 0.62), 0.98), cover)
    return mix(picture, shade((1.0, 0.84, 0.58), 1.0), 0.45 * glow(1087, 620, 260, 210))


def house_plant(rng, picture: np.ndarray) -> np.ndarray:
    """Long leaves that fan out of a pot."""
    for angle in np.linspace(-1.25, 1.25, 23) + rng.uniform(-0.06, 0.06, 23):
        length, width = rng.uniform(240, 400), rng.uniform(15, 25)
        dx, dy = np.sin(angle), -np.cos(angle)
        along = ((columns - 1610) * dx + (rows - 830) * dy) / length
        droop = 60 * np.clip(along, 0, 1) ** 2 * np.sign(angle) * abs(angle)
        across = (columns - 1610) * -dy + (rows - 830) * dx - droop
        shape = width * np.sqrt(np.clip(along * (1 - along), 0, 1)) * 2
        cover = step(-1.5, 1.5, shape - np.abs(across)) * (along > 0) * (along < 1)
        green = shade((0.10, 0.26, 0.09), rng.uniform(0.6, 1.5) * (0.7 + 0.6 * np.clip(along, 0, 1)))
        picture = mix(picture, green * (1.15 - 0.3 * np.sign(across))[..., None], cover)
    pot = 1 - step(-2, 2, np.abs(columns - 1610) - 92 + 0.22 * (rows - 810))
    clay = shade((0.80, 0.78, 0.74), 1.0) * (1.0 - 0.5 * np.clip((columns - 1540) / 150, 0, 1))[..., None]
    return mix(picture, clay, pot * rectangle(1400, 810, 1820, 976))


DRAWINGS = {
    "beach": beach, "bookshelf": bookshelf, "colours": colours, "curtains": curtains, "mountains": mountains,
    "night-sky": night_sky, "office": office,
}

if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), *sys.argv[2:])
