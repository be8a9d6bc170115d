"""Checks that `gst-people studio` goes on answering whatever clients and files do. STUDIO_TOOL and STUDIO_PORTRAIT as in
check_studio.py."""

import os
import socket
import unittest

from check_studio import image
from studio_client import PATIENCE, STILL, Studio

REQUESTS, STRANGERS = 20_000, 2000


class Load(unittest.TestCase):
    def setUp(self):
        self.studio = Studio(f"--source={STILL}", "--color=ff0000")
        self.folder = f"{self.studio.folder.name}/data/gst-people/backgrounds"
        os.makedirs(self.folder)
        # What the first frames need is there.
        self.studio.settled()

    def tearDown(self):
        output = self.studio.output()
        self.assertEqual(self.studio.close(), 0, output)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.studio.process.pid}/fd"))

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.studio.port), timeout=PATIENCE)

    def ask(self, connection, path="/settings", token=True, more=""):
        secret = f"Authorization: {self.studio.secret}\r\n" if token else ""
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {self.studio.host}\r\n{secret}{more}\r\n".encode())
        return connection.recv(1 << 16)

    def answers(self):
        self.assertEqual(self.studio.request("GET", "/settings").status, 200)

    def memory(self):
        with open(f"/proc/{self.studio.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


class Connections(Load):
    def test_descriptors_come_back(self):
        before = self.descriptors()
        for number in range(REQUESTS):
            with self.connect() as connection:
                # With the token and without it, kept alive or not, whole requests and parts of them, or nothing at all.
                kind = number % 8
                if kind < 6:
                    line = self.ask(connection, "/nothing", kind % 2 == 0, ["", "Connection: close\r\n"][kind // 2 % 2])
                    self.assertTrue(line.startswith([b"HTTP/1.1 404", b"HTTP/1.1 401"][kind % 2]), line)
                elif kind == 6:
                    connection.sendall(b"GET /settings HTTP/1.1\r\nHo")
        self.studio.wait(lambda: self.descriptors() <= before, f"{before} descriptors")

    def test_idle_strangers_keep_nobody_out(self):
        with self.studio.watch() as viewer:
            strangers = []
            for number in range(STRANGERS):
                strangers.append(self.connect())
                if number % 3 == 0:
                    strangers[-1].sendall(b"GET / HTTP/1.1\r\nHost")
                if number % 100 == 0:
                    self.answers()
                    viewer.newest()
            self.answers()
            self.assertLess(self.descriptors(), 300)
            # Those that have waited longest were closed.
            self.assertEqual(strangers[0].recv(1), b"")
            for stranger in strangers:
                stranger.close()

    def test_incomplete_requests_time_out(self):
        with self.connect() as silent, self.connect() as half, self.studio.watch() as viewer:
            half.sendall(f"GET /events?key={self.studio.key} HTTP/1.1\r\nHost: {self.studio.host}\r\n\r\n".encode())
            half.shutdown(socket.SHUT_WR)
            self.assertEqual(silent.recv(1), b"")
            while half.recv(1 << 16):
                pass
            viewer.newest()


class Files(Load):
    def post(self, name, size):
        """Begins an upload that does not end."""
        connection = self.connect()
        head = f"POST /backgrounds?name={name} HTTP/1.1\r\nHost: {self.studio.host}\r\nAuthorization: {self.studio.secret}\r\n"
        connection.sendall(f"{head}Origin: http://{self.studio.host}\r\nContent-Length: {size}\r\n\r\n".encode())
        return connection

    def upload(self, name, content):
        return self.studio.request("POST", f"/backgrounds?name={name}", content, {"Content-Type": "image/png"})

    def offered(self):
        return {background["name"] for background in self.studio.get("/settings")["backgrounds"]}

    def test_only_regular_files_of_the_folder_are_read(self):
        packaged = self.offered()
        os.mkfifo(f"{self.folder}/pipe.png")
        with open(f"{self.folder}/sparse.png", "wb") as file:
            file.write(image(64, 36))
            file.truncate(3 << 30)
        with open(f"{self.studio.folder.name}/secret.png", "wb") as file:
            file.write(image(64, 36))
        os.symlink(f"{self.studio.folder.name}/secret.png", f"{self.folder}/link.png")
        os.symlink("/dev/zero", f"{self.folder}/zero.png")
        with open(f"{self.folder}/good.png", "wb") as file:
            file.write(image(64, 36))
        before = self.memory()
        self.assertEqual(self.offered() - packaged, {"good.png"})
        for name in ["pipe.png", "sparse.png", "link.png", "zero.png"]:
            self.assertEqual(self.studio.request("GET", f"/background?name={name}").status, 404, name)
            self.assertEqual(self.studio.post("/settings", {"blendmask.background": name}).status, 400, name)
        self.assertEqual(self.studio.request("GET", "/background?name=good.png").status, 200)
        self.assertLess(self.memory() - before, 100 << 10)
        presets = f"{self.studio.folder.name}/config/gst-people/presets"
        os.makedirs(presets)
        os.mkfifo(f"{presets}/pipe.ini")
        with open(f"{presets}/large.ini", "wb") as file:
            file.truncate(3 << 30)
        with open(f"{self.studio.folder.name}/elsewhere.ini", "w") as file:
            file.write("[blendmask]\nblur=30\n")
        os.symlink(f"{self.studio.folder.name}/elsewhere.ini", f"{presets}/link.ini")
        for name in ["pipe", "large", "link"]:
            self.assertEqual(self.studio.do("load-preset", name=name).status, 409, name)
        self.assertEqual(self.studio.get("/settings")["presets"], [])

    def test_other_requests_do_not_wait_for_uploads(self):
        # The header of an AVI that promises frames which never come, and bytes that look like nothing.
        damaged = b"RIFF\xff\xff\xff\x7fAVI LIST" + bytes(200_000)
        waiting = self.post("damaged.avi.mp4", len(damaged))
        waiting.sendall(damaged)
        for _ in range(20):
            self.answers()
        self.assertIn(b" 400 ", waiting.recv(1 << 16))
        waiting.close()
        self.studio.wait(lambda: os.listdir(self.folder) == [], "the end of the upload")

    def test_uploads_take_no_memory(self):
        before = self.memory()
        size = 32 << 20
        first, second = self.post("a.png", size), self.post("b.png", size)
        for connection in (first, second):
            connection.sendall(bytes(size - 1))
        # One limit for all that are under way.
        third = self.post("c.png", size)
        self.assertIn(b" 429 ", self.refusal(third, size))
        self.answers()
        self.assertLess(self.memory() - before, 40 << 10)
        self.assertEqual(sorted(os.listdir(self.folder)), [".upload-a.png", ".upload-b.png"])
        self.assertEqual(self.upload("b.png", image(8, 8)).status, 429)
        for connection in (first, second, third):
            connection.close()
        # What has not come wholly leaves nothing.
        self.studio.wait(lambda: os.listdir(self.folder) == [], "the end of the uploads")
        self.assertEqual(self.upload("b.png", image(8, 8)).status, 200)
        self.studio.wait(lambda: os.listdir(self.folder) == ["b.png"], "the end of the upload")

    def refusal(self, connection, size):
        """The answer to a request whose body has yet to be sent."""
        connection.sendall(bytes(size))
        return connection.recv(1 << 16)

    def test_playlists_are_not_followed(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.setblocking(False)
            for name, content in playlists(server.getsockname()[1]).items():
                for ending in ["mp4", "png"]:
                    reply = self.upload(f"{name}.{ending}", content)
                    self.assertEqual(reply.status, 400, (name, reply.text))
                    self.assertIn(b"playlist", reply.text)
            self.assertRaises(BlockingIOError, server.accept)


def playlists(port):
    """Files that name a picture or clip of a server."""
    server = f"http://127.0.0.1:{port}"
    return {
        "hls": f"#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n{server}/a.ts\n#EXT-X-ENDLIST\n".encode(),
        "variants": f"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\n{server}/a.m3u8\n".encode(),
        "dash": (
            '<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S" '
            'minBufferTime="PT1S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011">'
            f'<Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000" width="64" height="36">'
            f"<BaseURL>{server}/a.mp4</BaseURL><SegmentBase indexRange=\"0-100\"/></Representation></AdaptationSet></Period></MPD>\n"
        ).encode(),
    }  # fmt: skip


if __name__ == "__main__":
    unittest.main()
