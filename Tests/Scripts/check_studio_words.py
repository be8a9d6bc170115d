"""Compares the translations of the page of `gst-people studio` with its messages, and uses the page in German, in a headless Chromium.
STUDIO_TOOL, STUDIO_PORTRAIT and STUDIO_PICTURES as in check_studio_page.py."""

import html.parser
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from check_studio_page import PICTURES, SEEN
from studio_client import STILL, Studio
from webdriver import Browser

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources"
PAGE = SOURCES / "Studio/Studio/Page"
TABLES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(PAGE.glob("Languages/*.json"))}
# Texts that are the same in all languages.
NAMES = {"gst-people", "studio", "+", "gst-people studio"}
# What only clients get that are not the page, or that ends the program before there is a page.
FOREIGN = re.compile(
    r"There is nothing here\.|Send |There is no setting|Name an action|The page may not|there is no action|\{\}$|\{\} does not take|"
    r"these settings are not|port |give one video|Ask for a range|The recording is shorter|"
    r"\{\}: (?:a preset|\{\} is no file|\{\} does not take)|Only GET|GET has|A browser says|Say how long|"
    r"This address is not|Another page|Open the address")
# A text in Swift, of one line or of several that are added.
LITERAL = r'"((?:[^"\\\n]|\\.)*)"(?:\s*\+ "((?:[^"\\\n]|\\.)*)")?'


class Texts(html.parser.HTMLParser):
    """The texts of the page's HTML, of elements and of attributes that are read or shown."""

    def __init__(self):
        super().__init__()
        self.found, self.inside = set(), []

    def handle_starttag(self, tag, attributes):
        self.inside.append(tag)
        for name, value in attributes:
            if name in ("aria-label", "placeholder", "title", "alt") and value:
                self.add(value)

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data):
        # Those of `noscript` are seen without the script that translates.
        if not {"noscript", "script", "title"} & set(self.inside):
            self.add(data)

    def add(self, text):
        text = " ".join(text.split())
        if text and text not in NAMES:
            self.found.add(text)


def page_messages():
    texts = Texts()
    texts.feed((PAGE / "index.html").read_text(encoding="utf-8"))
    scripts = "".join(path.read_text(encoding="utf-8") for path in PAGE.glob("*.js"))
    return texts.found | {json.loads(text) for text in re.findall(r'\btr\(("(?:[^"\\]|\\.)*")', scripts)}


def program_patterns():
    """What the program says on the page, with {} for each value."""
    found = set()
    for folder in ("Studio/Studio", "Tool/gst-people/Studio"):
        for path in SOURCES.glob(f"{folder}/*.swift"):
            source = path.read_text(encoding="utf-8")
            errors = rf"(?:Refusal\(\d+, |ToolError\(\s*\.\w+,\s*|\.usage\(\s*|return \(4\d\d, ){LITERAL}"
            found |= {"".join(parts) for parts in re.findall(errors, source)}
    patterns = {re.sub(r"\\\((?:[^()]|\([^()]*\))*\)", "{}", text) for text in found}
    return {text for text in patterns if not FOREIGN.match(text)}


def places(text):
    return sorted(re.findall(r"\{(\w*)\}", text))


def unnamed(text):
    return re.sub(r"\{\w+\}", "{}", text)


class Tables(unittest.TestCase):
    def test_every_message_has_every_translation(self):
        self.assertEqual(set(TABLES), {"de", "fr", "es", "ja"})
        messages = page_messages()
        self.assertGreater(len(messages), 150)
        for language, table in TABLES.items():
            self.assertEqual(set(table), {"page", "program"}, language)
            self.assertEqual(messages ^ set(table["page"]), set(), language)
            self.assertEqual(program_patterns() - {unnamed(text) for text in table["program"]}, set(), language)
            self.assertEqual(set(TABLES["de"]["program"]) ^ set(table["program"]), set(), language)

    def test_translations_have_the_same_values(self):
        for language, table in TABLES.items():
            for text, translation in {**table["page"], **table["program"]}.items():
                self.assertTrue(translation.strip(), (language, text))
                self.assertEqual(places(text), places(translation), (language, text))
                self.assertEqual(text.count("\n"), translation.count("\n"), (language, text))

    def test_a_language_is_one(self):
        """A line that was pasted into another table, by the letters that only its language has."""
        self.assertGreater(sum(bool(re.search("[ぁ-ヿ一-龯]", text)) for text in TABLES["ja"]["page"].values()), 150)
        for language, letters in [("de", "[ñ¿¡èêçœ]"), ("fr", "[ßñ¿¡äü]"), ("es", "[ßäöçœèê]")]:
            wrong = [text for text in TABLES[language]["page"].values() if re.search(letters + "|[ぁ-ヿ一-龯]", text)]
            self.assertEqual(wrong, [], language)


class Languages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.studio = Studio(f"--source={STILL}", "--color=ff0000", "--show-original")

    @classmethod
    def tearDownClass(cls):
        assert cls.studio.close() == 0

    def language(self, accepted):
        reply = self.studio.request("GET", "/words.js", headers={"Authorization": "", "Accept-Language": accepted})
        self.assertEqual((reply.status, reply.getheader("Content-Type")), (200, "text/javascript; charset=utf-8"))
        language, words = re.fullmatch(r'const language = "(\w+)", words = (.*);\n', reply.text.decode(), re.DOTALL).groups()
        self.assertEqual(json.loads(words), TABLES.get(language, {"page": {}, "program": {}}))
        return language

    def test_the_browser_chooses(self):
        wanted = {
            "": "en", "de-AT,de;q=0.9,en;q=0.8": "de", "it,fr;q=0.7,en;q=0.9": "en", "en;q=0.5, ja": "ja", "ES-mx": "es", "it, pl": "en",
            "de;q=0": "en", "de;q=x, fr;q=0.1": "fr", ",;,-;q": "en", "*": "en",
        }  # fmt: skip
        self.assertEqual({accepted: self.language(accepted) for accepted in wanted}, wanted)

    def test_what_the_page_describes_is_translated(self):
        page = self.studio.get("/settings")
        texts = {group["name"] for group in page["groups"]} | {figure["label"] for figure in page["status"]["figures"]}
        for setting in (setting for group in page["groups"] for setting in group["settings"]):
            texts |= {setting["label"], setting["summary"], setting.get("unit", "")}
            texts |= {*setting.get("labels", []), *setting.get("meanings", [])}
        for language, table in TABLES.items():
            self.assertEqual(texts - {"", "%"} - set(table["program"]), set(), language)

    def test_in_german(self):
        browser = Browser(1440, 900, language="de-DE")
        try:
            browser.open(self.studio.address)
            browser.wait(SEEN, "the page")
            self.assertEqual(browser.run("return document.documentElement.lang"), "de")
            self.assertEqual(browser.run("return document.getElementById('record').textContent"), "Aufnehmen")
            browser.wait("return /^\\d+,\\d$/.test(document.querySelector('#figures dd').textContent)", "a number with a comma")
            # Nothing on the page is English that has a translation.
            english = [text for part in TABLES["de"].values() for text, own in part.items() if text != own]
            script = """
                const shown = [];
                const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
                while (texts.nextNode()) shown.push(texts.currentNode.data.trim().replace(/\\s+/g, ' '));
                for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
                    for (const item of document.querySelectorAll(`[${name}]`)) shown.push(item.getAttribute(name));
                return shown"""
            shown = set(browser.run(script))
            self.assertGreater(len(shown), 200)
            self.assertEqual(shown & set(english), set())
            # What the program refuses, and what it says of an output.
            browser.run("set({ 'blendmask.blur': 1000 })")
            browser.wait("return document.getElementById('fault').textContent.includes('.blur nimmt 1000')", "a refusal with values")
            browser.run("act('choose-camera', { name: '/dev/none' })")
            browser.wait("return document.getElementById('fault').textContent.startsWith('Diese Kamera ist nicht mehr da')", "a refusal")
            browser.click("#fault button")
            browser.click("#record")
            browser.wait("return document.getElementById('where').textContent.startsWith('Aufnahme in ')", "the recording")
            browser.wait("return document.getElementById('record').textContent.startsWith('Aufnahme beenden 0:0')", "its time")
            browser.click("#record")
            if PICTURES:
                browser.screenshot(f"{PICTURES}/german.png")
        finally:
            browser.close()

    def test_a_preset_has_any_name(self):
        browser = Browser(1440, 900, language="ja")
        try:
            browser.open(self.studio.address)
            browser.wait(SEEN, "the page")
            browser.click("#drawers [value=more]")
            for name in ("Büro & “Küche”", "会議室の背景を", "100 % 'mine'; $HOME"):
                browser.type("#name", name + "\ue007")
                chips = "[...document.querySelectorAll('#presets .chip')].map((chip) => chip.textContent)"
                browser.wait(f"return {chips}.includes({json.dumps(name + '×')})", name)
                self.assertTrue(os.path.exists(f"{self.studio.folder.name}/config/gst-people/presets/{name}.ini"))
                self.assertEqual(self.studio.do("load-preset", name=name).status, 200)
            browser.type("#name", "a/b\ue007")
            browser.wait("return document.getElementById('fault').textContent.includes('この名前')", "the reason")
        finally:
            browser.close()


class MissingBackground(unittest.TestCase):
    def add(self, studio, name, pattern):
        with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
            line = f"videotestsrc pattern={pattern} num-buffers=1 ! video/x-raw,width=64,height=36 ! jpegenc"
            subprocess.run(f"gst-launch-1.0 -q {line} ! filesink location={file.name}", shell=True, check=True)
            body = pathlib.Path(file.name).read_bytes()
        reply = studio.request("POST", f"/backgrounds?name={name}", body, {"Content-Type": "application/octet-stream"})
        self.assertEqual(reply.status, 200, reply.text)

    def shown(self, studio):
        values = studio.get("/settings")["values"]
        return values["blendmask.background-source"], values["blendmask.background"], values["blendmask.blur"]

    def test_a_deleted_background_leaves_a_blur(self):
        """At once, after a preset is loaded, and after a restart with it."""
        studio = Studio(f"--source={STILL}")
        browser = Browser()
        try:
            self.add(studio, "green.jpg", "green")
            browser.open(studio.address)
            browser.wait(SEEN, "the page")
            browser.wait("return document.querySelector('[aria-label=\"green.jpg\"]')", "the tile")
            browser.click('#tiles [aria-label="green.jpg"]')
            studio.wait(lambda: self.shown(studio)[1] == "green.jpg", "the picture")
            self.assertEqual(studio.do("save-preset", name="green").status, 200)
            # At once, and it can be undone.
            browser.click('[aria-label="Delete green.jpg"]')
            studio.wait(lambda: self.shown(studio)[0] == "original" and self.shown(studio)[2] == 30, "the blur")
            browser.click("#message button")
            studio.wait(lambda: self.shown(studio)[:2] == ("auto", "green.jpg"), "the picture again")
            # Another program deletes what is in use: the same.
            self.assertEqual(studio.do("remove-background", name="green.jpg").status, 200)
            self.assertEqual(self.shown(studio), ("original", "", 30))
            self.assertEqual(studio.get("/settings")["kind"], "blur")
            studio.set(blendmask__background_source="color")
            self.assertEqual(studio.do("load-preset", name="green").status, 200)
            self.assertEqual(self.shown(studio), ("original", "", 30))
            corner = studio.settled()[20:60, 20:60].mean(axis=(0, 1))
            self.assertGreater(abs(corner - [0, 255, 0]).max(), 40)
            # The next start.
            again = Studio(f"--source={STILL}", "--preset=green", environment={"XDG_CONFIG_HOME": f"{studio.folder.name}/config"})
            try:
                self.assertEqual(self.shown(again)[::2], ("original", 30))
                self.assertIn("green.jpg is not there any more", again.output())
            finally:
                again.close()
        finally:
            browser.close()
            studio.close()


if __name__ == "__main__":
    unittest.main()
