"""The code blocks of the documents.

    snippets.py PAGE.md LANGUAGE            (prints the first one of a language)
"""

import re
import sys
import textwrap


def snippets(page):
    """The language and the text of each fenced code block of a page's text, without the indentation of a list."""
    fenced = re.findall(r"^( *)```(\w*)\n(.*?)^\1```$", page, re.MULTILINE | re.DOTALL)
    return [(language, textwrap.dedent(text)) for _, language, text in fenced]


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(next(text for language, text in snippets(file.read()) if language == sys.argv[2]), end="")
