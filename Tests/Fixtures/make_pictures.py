"""Makes the small pictures that Tests/fuzz damages; needs Pillow.

    python3 Tests/Fixtures/make_pictures.py
"""

from pathlib import Path

from PIL import Image, ImageDraw

FOLDER = Path(__file__).parent / "pictures"


def picture(step: int = 0) -> Image.Image:
    image = Image.new("RGB", (48, 32), (200, 30, 30))
    ImageDraw.Draw(image).ellipse((4 + step, 4, 30 + step, 28), fill=(20, 90, 200))
    return image


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    image, frames = picture(), [picture(step) for step in (0, 6, 12)]
    exif = Image.Exif()
    exif[0x112] = 6
    image.save(FOLDER / "turned.jpg", quality=60, exif=exif)
    image.save(FOLDER / "progressive.jpg", quality=60, progressive=True)
    image.convert("CMYK").save(FOLDER / "cmyk.jpg", quality=60)
    image.convert("P", palette=Image.Palette.ADAPTIVE, colors=16).save(FOLDER / "palette.png", transparency=0)
    image.convert("1").save(FOLDER / "one-bit.png")
    image.convert("RGBA").save(FOLDER / "alpha.png")
    image.save(FOLDER / "still.webp", quality=50)
    animation = {"save_all": True, "append_images": frames[1:], "duration": 80, "loop": 0}
    frames[0].save(FOLDER / "animated.gif", **animation)
    frames[0].save(FOLDER / "animated.webp", quality=40, **animation)


main()
