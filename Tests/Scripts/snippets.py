"""The code blocks of the documents."""

import re
import textwrap


def snippets(page):
    """The language and the text of each fenced code block of a page's text, without the indentation of a list."""
    fenced = re.findall(r"^( *)```(\w*)\n(.*?)^\1```$", page, re.MULTILINE | re.DOTALL)
    return [(language, textwrap.dedent(text)) for _, language, text in fenced]
