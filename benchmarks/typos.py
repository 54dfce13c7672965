"""Typos planted into the sample vault: how many a check finds, and how often it is wrong.

    python benchmarks/typos.py                                                     a perfect model: the plumbing alone
    python benchmarks/typos.py --base-url http://127.0.0.1:8080/v1 --model NAME    a real one, on any OpenAI server
    python benchmarks/typos.py … --notes 6                                         the first notes that hold some

Twenty Chinese and twenty English words are changed, always the same ones: letters swapped or doubled, characters put in
the place of others that sound or look alike. A typo counts as found where a finding stands at its place, and is right
where the suggestion gives the word that stood there. What else is found is a false alarm.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from obsirag import Components, RagConfig, Vault
from obsirag.checking import TypoReport, check_typos
from obsirag.checking.names import known_names
from obsirag.checking.sentences import NoteText, sentences_of
from obsirag.config import Part

VAULT = Path(__file__).parents[1] / "examples" / "ue-notes"
SEED = 7
EACH = 20
# Words, and how they are mistaken: characters that sound or look alike.
CHINESE = {
    "已经": "以经", "必须": "必需", "可能": "可熊", "问题": "问提", "时候": "时侯", "加载": "加栽", "构建": "构健",
    "材质": "材制", "配置": "配制", "检查": "检察", "设置": "设制", "编译": "编绎", "需要": "须要", "组件": "组建",
    "默认": "默任", "因为": "应为", "所以": "所已", "内存": "内成", "修改": "修该", "服务": "服物", "数据": "数剧",
    "同步": "同部", "资源": "资原", "运行": "运形", "变量": "变亮", "蓝图": "篮图", "属性": "属姓", "函数": "涵数",
    "启动": "起动", "提交": "提叫", "自己": "自已", "的时": "得时", "不要": "不耍", "项目": "项日", "完成": "完城",
    "结果": "结裹", "测试": "测式", "显示": "显视", "原因": "原音", "系统": "系铳",
}  # fmt: skip
_ENGLISH = re.compile(r"(?<![\w./\\:-])[a-z]{5,12}(?![\w/\\:-]|\.\w)")


@dataclass(frozen=True, slots=True)
class Planted:
    """A typo that was put into a note."""

    path: str
    start: int  # in the text after the front matter
    word: str
    typo: str


def plant(vault: Path) -> list[Planted]:
    """Put typos into the notes of a vault, a copy, and return them."""
    random = Random(SEED)
    opened = Vault(vault)
    notes = [opened.note(path) for path in opened.paths() if path.endswith(".md")]
    names = known_names(RagConfig(vault=vault, index=vault / "none"), notes)
    places: dict[str, list[Planted]] = {"zh": [], "en": []}
    for note in notes:
        read = NoteText(note)
        for sentence in sentences_of(read):
            inside = note.text[sentence.start : sentence.end]
            found = [
                ("zh", at.start(), word, typo) for word, typo in CHINESE.items() for at in re.finditer(word, inside)
            ]
            found += [("en", at.start(), at[0], misspell(at[0], random)) for at in _ENGLISH.finditer(inside)]
            for language, at, word, typo in found:
                start = sentence.start + at
                in_name = any(word in name and name in inside.lower() for name in names)
                if word != typo and not in_name and not read.untouchable.holds(start, start + len(word)):
                    places[language].append(Planted(note.path, start, word, typo))
    chosen: list[Planted] = []
    for language in ("zh", "en"):
        random.shuffle(places[language])
        words: set[str] = set()
        for each in places[language]:
            near = any(other.path == each.path and abs(other.start - each.start) < 60 for other in chosen)
            if len(words) < EACH and each.word not in words and not near:
                words.add(each.word)
                chosen.append(each)
    for note in notes:
        text = note.text
        for each in (each for each in chosen if each.path == note.path):
            assert len(each.typo) == len(each.word) or each.word.isascii()
        # From the end, so that the offsets before stay right.
        for each in sorted((each for each in chosen if each.path == note.path), key=lambda each: -each.start):
            text = text[: each.start] + each.typo + text[each.start + len(each.word) :]
        if text != note.text:
            file = opened.file(note.path)
            whole = file.read_bytes().decode("utf-8")
            file.write_bytes((whole[: len(whole) - len(note.text)] + text).encode("utf-8"))
    return chosen


def misspell(word: str, random: Random) -> str:
    """Return an English word with two letters swapped or one doubled."""
    at = random.randrange(1, len(word) - 1)
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return swapped if swapped != word and random.random() < 0.6 else word[: at + 1] + word[at:]


def shifted(planted: list[Planted], vault: Path) -> dict[tuple[str, int, int], Planted]:
    """Return the typos by the lines and columns at which they stand now."""
    opened = Vault(vault)
    found = {}
    for path in {each.path for each in planted}:
        read, moved = NoteText(opened.note(path)), 0
        for each in sorted((each for each in planted if each.path == path), key=lambda each: each.start):
            found[(path, *read.place(each.start + moved))] = each
            moved += len(each.typo) - len(each.word)
    return found


class Perfect(BaseChatModel):
    """Knows what was planted, and says so; it also says much that is wrong, all of which has to be dropped."""

    planted: list[Any]

    @property
    def _llm_type(self) -> str:
        return "perfect"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        typos: list[dict[str, Any]] = []
        nonsense: list[dict[str, Any]] = []
        for line in str(messages[-1].content).splitlines():
            if numbered := re.match(r"\[(\d+)\] (.*)", line):
                number, text = int(numbered[1]), numbered[2]
                typos += [
                    {"number": number, "word": each.typo, "suggestion": each.word}
                    for each in self.planted
                    if each.typo in text
                ]
                nonsense += _nonsense(number, text)
        answer = AIMessage(json.dumps({"typos": [*typos, *nonsense]}, ensure_ascii=False))
        return ChatResult(generations=[ChatGeneration(message=answer)])


def _nonsense(number: int, text: str) -> Iterator[dict[str, Any]]:
    for word in re.findall(r"[A-Za-z]+|[\u4e00-\u9fff]{2}", text)[:1]:
        yield {"number": number, "word": word, "suggestion": word.upper()}
        yield {"number": number, "word": word, "suggestion": f"{word} and so on"}
    yield {"number": number + 100, "word": "teh", "suggestion": "the"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base-url", help="a server that speaks OpenAI's protocol")
    parser.add_argument("--model", default="local")
    parser.add_argument("--notes", type=int, help="only so many of the notes that hold typos")
    parser.add_argument("--max-calls", type=int, help="most calls of the model; what isn't checked is told")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        vault = Path(folder) / "vault"
        shutil.copytree(VAULT, vault)
        planted = plant(vault)
        if given.notes is not None:
            kept = sorted({each.path for each in planted})[:: max(1, len({e.path for e in planted}) // given.notes)]
            kept = kept[: given.notes]
            planted = [each for each in planted if each.path in kept]
            for file in vault.rglob("*.md"):
                if file.relative_to(vault).as_posix() not in kept:
                    file.unlink()
        config = RagConfig(vault=vault, index=Path(folder) / "index")
        if given.base_url:
            options = {
                "base_url": given.base_url,
                "model": given.model,
                "api_key": "none",
                "max_tokens": 400,
                "read_timeout": 300.0,
            }
            config = config.model_copy(update={"chat_model": Part(name="openai", **options)})
            components = None
        else:
            components = Components(chat_model=Perfect(planted=planted))
        began = time.perf_counter()
        report = check_typos(config, components=components, max_calls=given.max_calls)
        seconds = time.perf_counter() - began
        show(report, shifted(planted, vault))
        again = check_typos(config, components=components, max_calls=0)
        print(f"{seconds:.1f} s; a second run asks {again.calls} times and finds {len(again.typos)}")


def show(report: TypoReport, places: dict[tuple[str, int, int], Planted]) -> None:
    """Print what was found, missed and wrong."""
    # A finding may begin some characters before the one that is wrong: a longer word, a neighbouring character.
    found, alarms = {}, []
    for typo in report.typos:
        hits = [
            place
            for place, each in places.items()
            if place[:2] == (typo.path, typo.line)
            and place[2] < typo.column + len(typo.word)
            and typo.column < place[2] + len(each.typo)
        ]
        found.update(dict.fromkeys(hits, typo))
        alarms += [] if hits else [typo]
    print(f"{report.notes} notes, {report.sentences} sentences, {report.calls} calls, {report.tokens} tokens")
    if report.unchecked:
        print(f"not checked: {sum(each.sentences for each in report.unchecked)} sentences ({report.reason})")
    for name, is_ascii in (("Chinese", False), ("English", True)):
        of = {place: each for place, each in places.items() if each.word.isascii() == is_ascii}
        right = sum(
            found[place].suggestion in each.word or each.word in found[place].suggestion
            for place, each in of.items()
            if place in found
        )
        print(f"{name}: planted {len(of)}, found {len(of.keys() & found.keys())} (suggestion right in {right})")
        missed = [f"{each.typo} ({each.word})" for place, each in of.items() if place not in found]
        print(f"  missed: {', '.join(missed) or 'none'}")
    print(f"False alarms: {len(alarms)}")
    for typo in alarms:
        print(f"  {typo.path}:{typo.line}  {typo.word} → {typo.suggestion}")


if __name__ == "__main__":
    main()
