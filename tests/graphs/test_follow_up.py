"""References to what was asked before are seen; questions that stand alone are left alone."""

import json

import pytest

from obsirag.graphs.follow_up import refers_back

REFER = [
    "Why?",
    "And on mobile?",
    "But what if that fails?",
    "What about Android?",
    "On mobile?",
    "Does it work on mobile?",
    "How do I change this?",
    "How do I leave those out?",
    "Which of the two is the default?",
    "Which one is faster?",
    "Tell me more",
    "Can you give an example?",
    "为什么？",
    "那小怪的呢？",
    "手机上呢？",
    "第二个呢",
    "它的默认值是多少？",
    "这个参数怎么调？",
    "如果这样还不行怎么办？",
    "上面提到的第二种方法具体怎么做",
    "这两个有什么区别？",
    "有例子吗？",
    "再详细一点",
    "Any other way of doing so?",
    "What's the alternative?",
    "What are the limitations?",
    "What does the last option do?",
    "Should I take the first one or the second?",
    "Same for canvas files?",
    "能举几个例子吗？",
    "还有别的方法吗？",
    "网页版也支持吗？",
    "说说第二点",
    "换成英文怎么说？",
    "另外，有什么限制？",
]

STAND_ALONE = [
    "",
    "LNK2019?",
    "你好",
    "Is it possible to sort by urgency?",
    "What is TQ_extra_instructions for, and is its value a list?",
    "Query that finds lines with an emoji which the plugin does not regard as recurring?",
    "Items that have no deadline turn up. Why, and how do I avoid it?",
    "I told a parent item to vanish once it is finished, and its children became code. Why?",
    "Who is on duty this week?",
    "弹药只同步给自己，那行代码是什么？",
    "策划的配表里查出来的那一行，能一直留着用吗？",
    "`BindWidgetOptional` 什么时候用？",
    "FTableRowBase 它的子类怎么写？",
    "How many builds did this machine make so far?",
    "So far, how many maps are finished?",
    'What does "that" stand for in a query?',
    "这个月谁值班？",
    "其他人的存档放在哪个文件夹？",
    "同样的贴图为什么占用的显存不同？",
    "还有几张贴图没有压缩？",
    "另外两台构建机的地址是什么？",
    "其中一个测试失败时流水线会停吗？",
    "前面板的按钮怎么接线？",
    "“这个”在脚本里指什么？",
]


@pytest.mark.parametrize("question", REFER)
def test_refers_back(question):
    assert refers_back(question)


@pytest.mark.parametrize("question", STAND_ALONE)
def test_stands_alone(question):
    assert not refers_back(question)


@pytest.mark.parametrize("name", ["ue-notes", "obsidian-tasks", "dataview", "quartz-docs"])
def test_tells_follow_ups_in_the_development_questions(test_data, name):
    rows = [json.loads(line) for line in (test_data / "questions" / f"{name}.jsonl").read_text("utf-8").splitlines()]
    wrong = [row["question"] for row in rows if refers_back(row["question"]) != bool(row.get("history"))]
    assert wrong == []
