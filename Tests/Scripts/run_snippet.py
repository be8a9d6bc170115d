"""Runs the Python snippet of a page on the first frame of a launch line and prints its result.

    run_snippet.py PAGE.md LINE            (the line ends in an appsink called "sink")
"""

import re
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402, F401

with open(sys.argv[1], encoding="utf-8") as page:
    snippet = re.search(r"```python\n(.*?)```", page.read(), re.DOTALL).group(1)
names = {"Gst": Gst}
exec(snippet, names)

Gst.init(None)
pipeline = Gst.parse_launch(sys.argv[2])
pipeline.set_state(Gst.State.PLAYING)
print(names["coverage"](pipeline.get_by_name("sink").try_pull_sample(60 * Gst.SECOND).get_buffer()))
pipeline.set_state(Gst.State.NULL)
