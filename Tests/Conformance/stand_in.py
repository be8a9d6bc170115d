"""A transcoder by ffmpeg that keeps everything, or has one fault, in the place of the tool: stand_in.py [--fault NAME] IN OUT.

Tests of the judge use it: what it makes without a fault has to pass, and each fault has to be found.
"""

import json
import subprocess
import sys

VIDEO = ("-c:v", "libx264", "-preset", "veryfast", "-bf", "2", "-enc_time_base:v", "1/90000", "-fps_mode", "passthrough")
WEBM = ("-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "1M", "-enc_time_base:v", "1/1000", "-fps_mode", "passthrough")
HELD = {
    "webm": ("opus", "vorbis"),
    "mp4": ("aac", "mp3", "ac3", "opus", "alac", "mp2", "flac"),
    "mov": ("aac", "mp3", "ac3", "alac", "pcm_s16le", "pcm_s16be", "mp2"),
}
OPUS_DELAY = 312 / 48000
# Options of ffmpeg for each fault. Frame 20 is in the middle of the clips of the tests.
FAULTS = {
    "dropped frame": ("-vf", "select='not(eq(n,20))'"),
    "last frames dropped": ("-vf", "select='lt(n,47)'"),
    "doubled frame": ("-vf", "loop=loop=1:size=1:start=20,setpts='if(gt(N,20),PTS,PTS)'"),
    "swapped frames": ("-vf", "shuffleframes=1 0 2 3 4"),
    "frozen frame": ("-vf", "split[a][b];[a][b]freezeframes=first=20:last=20:replace=19"),
    "one frame 5 ms late": ("-vf", "setpts='if(eq(N,20),PTS+0.005/TB,PTS)'"),
    "constant rate": ("-vf", "fps=25"),
    "picture 10 ms late": ("-vf", "setpts='PTS+0.01/TB'"),
    "half of the size": ("-vf", "scale=iw/2:ih/2"),
    "black": ("-vf", "drawbox=t=fill:c=black"),
    "sound 10 ms early": ("-af", "atrim=start=0.01,asetpts=PTS-STARTPTS"),
    "sound of another second": ("-af", "asetpts=PTS,aeval='val(0)*lt(t,1)+gte(t,1)*0.4*sin(2*PI*t*333)':c=same"),
    "sound ends early": ("-af", "atrim=end=1.8"),
    "sound has a gap": ("-af", "aselect='not(between(t,0.8,1.1))'"),
    "sound is silent": ("-af", "volume=0"),
    "chapters lost": ("-map_chapters", "-1"),
    "tags lost": ("-metadata", "title=", "-metadata", "comment="),
    "language lost": ("-metadata:s:a:0", "language=und"),
    "flag lost": ("-disposition:s:0", "0"),
    "subtitles lost": ("-sn",),
    "subtitles 1 s late": (),
    "second sound track lost": (),
    "level too high": ("-level", "6.2"),
    "time code lost": ("-metadata", "timecode="),
}


def command(source, target, fault=None):
    ending = target.rsplit(".", 1)[-1]
    probe = ["ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=codec_name", "-of", "csv=p=0", source]
    codecs = subprocess.run(probe, capture_output=True, text=True, check=True).stdout.split()
    kinds = subprocess.run([*probe[:4], "s", *probe[5:]], capture_output=True, check=True).stdout
    words = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", source]
    # ffmpeg writes Opus into Matroska earlier by the samples that decoders skip.
    held = HELD.get(ending)
    opus = any(codec.strip(",") == "opus" or ending == "webm" and codec.strip(",") not in held for codec in codecs)
    early = OPUS_DELAY if ending in ("mkv", "webm") and opus else 0
    late = int(fault == "subtitles 1 s late")
    if early or late:
        words += ["-itsoffset", str(early), "-i", source, "-itsoffset", str(late), "-i", source]
    # Of transport streams, ffmpeg lets each input begin with what is used of it: sound and picture have to be of one.
    sound, lines = (1, 2) if early or late else (0, 0)
    words += ["-map", "0:V:0", "-map", f"{sound}:a?", "-map", f"{lines}:s?", *(["-map", "0:t?"] if ending == "mkv" else [])]
    if fault == "second sound track lost":
        words += ["-map", f"-{sound}:a:1"]
    words += ["-map_metadata", "0", "-map_chapters", "0", "-c", "copy", *(WEBM if ending == "webm" else VIDEO)]
    again = bool(fault) and "-af" in FAULTS[fault]
    for place, codec in enumerate(codecs):
        if again or codec.strip(",") not in HELD.get(ending, (codec.strip(","),)):
            words += [f"-c:a:{place}", "libopus" if ending == "webm" else "aac"]
    if ending == "webm":
        words += ["-sn"]
    if ending != "webm":
        words += ["-c:s", "mov_text" if ending in ("mp4", "mov") else "ass" if b"ass" in kinds else "srt"]
    words += flags(source)
    return [*words, *(FAULTS[fault] if fault else ()), target]


def flags(source):
    """Options that keep the flags of all tracks: without them ffmpeg makes the first of each kind the default."""
    words = []
    for kind in "as":
        probe = ["ffprobe", "-v", "error", "-select_streams", kind, "-show_entries", "stream_disposition", "-of", "json", source]
        streams = json.loads(subprocess.run(probe, capture_output=True, check=True).stdout)["streams"]
        for place, stream in enumerate(streams):
            names = [name for name, value in stream["disposition"].items() if value]
            words += [f"-disposition:{kind}:{place}", "+".join(names) or "0"]
    return words


if __name__ == "__main__":
    fault = sys.argv[2] if sys.argv[1] == "--fault" else None
    sys.exit(subprocess.run(command(*sys.argv[-2:], fault)).returncode)
