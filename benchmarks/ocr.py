"""How many characters OCR gets wrong, on pages drawn here: Chinese and English, three sizes, with slight noise.

    python benchmarks/ocr.py
    python benchmarks/ocr.py --noise 0 --sizes 9

A page is drawn as a scan of 170 dots to the inch. The error rate is the edit distance to what was drawn, in its
characters; blanks, the width of punctuation and marks of Markdown don't count. The fonts are Debian's `fonts-noto-cjk`.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from pathlib import Path
from random import Random
from unicodedata import normalize

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from obsirag.loaders import Limits
from obsirag.loaders.kinds import read_file

DOTS = 170
PAGE = (1405, 1988)  # A4
MARGIN = 140
FONT = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
CHINESE = (
    "员工应在出差结束后三十日内提交报销单，逾期不予受理。住宿标准为每晚四百元，超出部分由个人承担；特殊情况须事先"
    "书面申请，并由部门负责人批准。高铁乘坐二等座，飞机乘坐经济舱。发票抬头必须填写公司全称，金额与行程单一致。"
    "服务器每日凌晨2点自动备份，保留最近30天的数据。如遇故障，请立即联系值班工程师（内线8866）。"
)
ENGLISH = (
    "Expenses must be submitted within 30 days of the end of a journey; later claims are refused. Hotels cost at most "
    "120 EUR a night, and what goes beyond is paid by the traveller. Trains are second class, flights economy. The "
    "server is backed up every night at 02:00, and the last 30 days are kept. If it fails, call the engineer on duty "
    "(extension 8866) at once. "
)


def draw(text: str, points: float, noise: float, chance: Random) -> Image.Image:
    """Return a scanned page full of a text."""
    font = ImageFont.truetype(FONT, round(points * DOTS / 72), index=2)
    image = Image.new("L", PAGE, 255)
    canvas = ImageDraw.Draw(image)
    for number, line in enumerate(lines_of(text, font)):
        canvas.text((MARGIN, MARGIN + number * 1.6 * font.size), line, font=font, fill=0)
    if not noise:
        return image
    turned = image.rotate(chance.uniform(-0.5, 0.5), fillcolor=255, resample=Image.Resampling.BICUBIC)
    dots = np.asarray(turned.filter(ImageFilter.GaussianBlur(0.6)), dtype=np.float64)
    random = np.random.default_rng(chance.randrange(1 << 30))
    return Image.fromarray(np.clip(dots + random.normal(0, noise, dots.shape), 0, 255).astype(np.uint8))


def lines_of(text: str, font: ImageFont.FreeTypeFont) -> list[str]:
    """Return the lines of a text that fit a page; English is broken at blanks."""
    lines, line = [], ""
    for piece in re.findall(r"[!-~]+ ?|.", text):
        if font.getlength(line + piece) > PAGE[0] - 2 * MARGIN:
            lines.append(line)
            line = ""
        line += piece
    return [*lines, line][: int((PAGE[1] - 2 * MARGIN) / (1.6 * font.size))]


def edit_distance(one: str, other: str) -> int:
    """Return how many characters are to be changed, added or left out."""
    before = list(range(len(other) + 1))
    for row, character in enumerate(one, 1):
        now = [row]
        for column, each in enumerate(other, 1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (character != each)))
        before = now
    return before[-1]


def bare(text: str) -> str:
    return re.sub(r"[\s\\]|^#+|^- ", "", normalize("NFKC", text), flags=re.MULTILINE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", type=float, nargs="*", default=[8, 10, 14], help="points")
    parser.add_argument("--noise", type=float, default=12, help="standard deviation of a dot's grey, of 255")
    given = parser.parse_args()
    chance = Random(1)
    print("| language | points | characters | errors | error rate | seconds |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for language, text in (("Chinese", CHINESE), ("English", ENGLISH)):
            for points in given.sizes:
                font = ImageFont.truetype(FONT, round(points * DOTS / 72), index=2)
                drawn = bare("".join(lines_of(text * 2, font)))
                path = Path(folder) / "page.png"
                draw(text * 2, points, given.noise, chance).save(path)
                begin = time.perf_counter()
                found = bare(read_file(path, Limits(), ocr=True).text)
                seconds = time.perf_counter() - begin
                wrong = edit_distance(drawn, found)
                print(
                    f"| {language} | {points:g} | {len(drawn)} | {wrong} | {wrong / len(drawn):.2%} | {seconds:.1f} |"
                )


if __name__ == "__main__":
    main()
