"""Sound in which each second has a tone of its own, and how two such sounds are compared."""

from dataclasses import dataclass

import numpy

# What the judge decodes to, in samples per second.
RATE = 8000
LOWEST, STEP, COUNT = 300, 40, 31
WINDOW = RATE // 5
HOP = RATE // 4
# Blocks whose times are this close to where the last one ended continue it: Matroska and AVI round times.
JITTER_SECONDS = 0.004
# A window whose strongest tone has less of its power holds two tones.
PURE_SHARE = 0.7
FREQUENCY_TOLERANCE = 12
# Power below which a window is silent; that of the tones is 0.08. The channel for low frequencies keeps little of them.
SILENCE = 1e-3
# A tone may begin this early or late: Matroska has milliseconds.
OFFSET_SECONDS = 0.0012
# How far a tone's beginning is searched, in seconds.
SEARCH = 0.2
# Steps of a sample in which it is searched.
FINER = 16
# Half of the power, which each of two channels has of one.
HALF = 0.5**0.5
# Places of channels in ffmpeg's order: front left, right and center, low frequencies, back, side.
LAYOUTS = {
    "mono": "FC", "stereo": "FL FR", "3.0": "FL FR FC", "4.0": "FL FR FC BC", "quad": "FL FR BL BR", "5.0": "FL FR FC BL BR",
    "5.0(side)": "FL FR FC SL SR", "5.1": "FL FR FC LFE BL BR", "5.1(side)": "FL FR FC LFE SL SR", "2.1": "FL FR LFE",
    "6.1": "FL FR FC LFE BC SL SR", "7.1": "FL FR FC LFE BL BR SL SR",
}  # fmt: skip
# What ffmpeg assumes where a file names no layout.
DEFAULTS = {1: "mono", 2: "stereo", 3: "2.1", 4: "4.0", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"}


def expression(track, channels, start):
    """The sound as an expression of ffmpeg's aevalsrc, of a track that begins at a time of the picture."""
    return "|".join(
        f"0.4*sin(2*PI*(t+{start})*({LOWEST}+{STEP}*mod(floor(t+{start}+0.000001)*7+{track * 13 + channel * 5},{COUNT})))"
        for channel in range(channels)
    )


def frequency(track, channel, second):
    return LOWEST + STEP * ((second * 7 + track * 13 + channel * 5) % COUNT)


@dataclass
class Run:
    """Sound without a gap: the time of its first sample in seconds, and its samples, a column for each channel."""

    start: float
    samples: numpy.ndarray

    @property
    def end(self):
        return self.start + len(self.samples) / RATE

    def cut(self, start, end):
        first = max(0, round((start - self.start) * RATE))
        last = max(first, min(len(self.samples), round((end - self.start) * RATE)))
        return Run(self.start + first / RATE, self.samples[first:last])

    def moved(self, seconds):
        return Run(self.start + seconds, self.samples)


def joined(blocks):
    """The runs of decoded blocks, which are pairs of time and samples."""
    runs, parts, offsets, length = [], [], [], 0

    def close():
        if parts:
            runs.append(Run(float(numpy.median(offsets)), numpy.concatenate(parts)))

    for time, samples in blocks:
        offset = time - length / RATE
        if parts and abs(offset - numpy.median(offsets[-50:])) > JITTER_SECONDS:
            close()
            parts, offsets, length = [], [], 0
            offset = time
        parts.append(samples)
        offsets.append(offset)
        length += len(samples)
    close()
    return [run for run in runs if len(run.samples)]


def mixed(runs, one, other):
    """The runs of one stream as they are to be in another one that has a place for each of their channels.

    Encoders keep nothing of the tones in the channel for low frequencies.
    """
    if not runs or one["codec_name"] == other["codec_name"]:
        return runs
    places, wanted = (LAYOUTS.get(stream.get("channel_layout") or DEFAULTS.get(stream["channels"]), "").split() for stream in (one, other))
    if not places or not wanted:
        return runs
    return [Run(run.start, numpy.stack([channel(run.samples, places, place, wanted) for place in wanted], axis=1)) for run in runs]


def channel(samples, places, wanted, others):
    """What one channel of another layout gets, which has others, too."""
    if wanted in places and wanted != "LFE":
        return samples[:, places.index(wanted)]
    for near in ("B", "S"):
        if wanted[0] in "BS" and near + wanted[1] in places and near + wanted[1] not in others:
            return samples[:, places.index(near + wanted[1])]
    if wanted in ("BL", "BR") and "BC" in places:
        return samples[:, places.index("BC")] * HALF
    return samples[:, 0] * 0


def differences(expected, found, packet, offset=OFFSET_SECONDS):
    """Where a sound differs from the expected one, in sentences. Both are lists of runs on one time line.

    - Parameter packet: seconds that may be missing or added at either end.
    - Parameter offset: seconds by which a tone may begin early or late.
    """
    if not expected:
        return [f"sound where none is expected, from {found[0].start:.3f} s"] if found else []
    if not found:
        start, end = expected[0].start, expected[-1].end
        return [] if end - start <= 2 * packet else [f"no sound; expected {start:.3f} to {end:.3f} s"]
    problems = list(end_differences(expected, found, packet))
    problems += gap_differences(expected, found, packet)
    if expected[0].samples.shape[1] != found[0].samples.shape[1]:
        return [*problems, f"{found[0].samples.shape[1]} channels instead of {expected[0].samples.shape[1]}"]
    for channel in range(expected[0].samples.shape[1]):
        one, other = ([Run(run.start, run.samples[:, channel]) for run in runs] for runs in (expected, found))
        problems += tone_differences(one, other, channel)
        problems += shifts(one, other, channel, offset)
    return problems


def end_differences(expected, found, packet):
    for name, wanted, got in (
        ("begins", expected[0].start, found[0].start),
        ("ends", expected[-1].end, found[-1].end),
    ):
        if abs(wanted - got) > packet + 0.002:
            yield f"sound {name} at {got:.3f} s instead of {wanted:.3f} s"


def gap_differences(expected, found, packet):
    """Gaps and jumps back. Where the expected sound has some, those of the other may be a packet away."""
    near = 2 * packet + 0.002
    joints = [(one.end, two.start) for one, two in zip(expected, expected[1:])]
    for one, two in zip(found, found[1:]):
        known = any(abs(one.end - end) <= near and abs(two.start - start) <= near for end, start in joints)
        if not known and abs(two.start - one.end) > 0.002:
            yield f"sound has a {'gap' if two.start > one.end else 'jump back'} from {one.end:.3f} to {two.start:.3f} s"


def quiet_beginnings(expected, found, *origins, count=5, seconds=0.004):
    """The first parts of a sound that are quieter than expected, as those that a decoder makes of its first packet.

    - Parameter origins: the times of the first frames beside the sounds.
    """
    for place in range(count):
        one, two = (run.cut(origin + place * seconds, origin + (place + 1) * seconds) for run, origin in zip((expected, found), origins))
        powers = [float((part.samples.astype(float) ** 2).mean()) if len(part.samples) else 0.0 for part in (one, two)]
        if powers[1] < 0.6 * powers[0] and powers[0] > SILENCE:
            yield f"sound has {powers[1] / powers[0]:.2f} of its power {place * seconds * 1000:.0f} ms after its beginning"


def tone_differences(expected, found, channel):
    """Windows whose tone or level differs, summed up in a sentence."""
    wrong = []
    for run in expected:
        for other in found:
            start, end = max(run.start, other.start), min(run.end, other.end)
            if end - start < WINDOW / RATE:
                continue
            one, two = run.cut(start, end).samples, other.cut(start, end).samples
            tones, shares, powers = strongest(one)
            others, _, other_powers = strongest(two)
            kept = powers_at(tones, two)
            for place in range(min(len(tones), len(others))):
                if powers[place] < SILENCE or shares[place] < PURE_SHARE:
                    continue
                level = other_powers[place] / powers[place]
                # Surround encoders let a neighbour through where its tone begins.
                is_other = abs(tones[place] - others[place]) > FREQUENCY_TOLERANCE and kept[place] < 0.1 * powers[place]
                if is_other or not 0.4 < level < 2.5:
                    wrong.append((start + place * HOP / RATE, tones[place], others[place], level))
    if wrong:
        time, tone, other, level = wrong[0]
        yield (
            f"sound of channel {channel} differs in {len(wrong)} windows, first at {time:.2f} s: "
            f"{other:.0f} Hz instead of {tone:.0f} Hz, {level:.2f} of its power"
        )


def strongest(samples):
    """Of each window: the strongest frequency, its share of the power, and the power."""
    if len(samples) < WINDOW:
        return [], [], []
    windows = numpy.lib.stride_tricks.sliding_window_view(samples, WINDOW)[::HOP]
    frequencies, shares, powers = [], [], []
    for first in range(0, len(windows), 1000):
        spectrum = numpy.abs(numpy.fft.rfft(windows[first : first + 1000] * numpy.hanning(WINDOW), axis=1)) ** 2
        peak = spectrum.argmax(axis=1)
        total = spectrum.sum(axis=1) + 1e-12
        near = sum(
            numpy.take_along_axis(spectrum, numpy.clip(peak + step, 0, spectrum.shape[1] - 1)[:, None], 1)[:, 0]
            for step in (-2, -1, 0, 1, 2)
        )
        frequencies.extend(peak * RATE / WINDOW)
        shares.extend(near / total)
        powers.extend((windows[first : first + 1000].astype(float) ** 2).mean(axis=1))
    return frequencies, shares, powers


def powers_at(tones, samples):
    """Power of each window near a frequency of its own."""
    found = []
    for place, tone in enumerate(tones):
        window = samples[place * HOP : place * HOP + WINDOW]
        if len(window) < WINDOW:
            break
        spectrum = numpy.abs(numpy.fft.rfft(window * numpy.hanning(WINDOW))) ** 2
        peak = round(tone * WINDOW / RATE)
        found.append(spectrum[max(0, peak - 2) : peak + 3].sum() / (spectrum.sum() + 1e-12) * (window.astype(float) ** 2).mean())
    return found


def shifts(expected, found, channel, tolerance, limit=24):
    """The largest shift of a tone's beginning, in a sentence, if it is more than the tolerance."""
    found_shifts = []
    for run in expected:
        for time in changes(run)[:: max(1, len(changes(run)) // limit)]:
            for other in found:
                short, long = run.cut(time - 0.15, time + 0.15), other.cut(time - 0.15 - SEARCH, time + 0.15 + SEARCH)
                if len(short.samples) >= RATE * 0.29 and len(long.samples) >= RATE * (0.29 + 2 * SEARCH):
                    found_shifts.append((time, long.start + shift(short.samples, long.samples) / RATE - short.start))
    found_shifts = [(time, lag) for time, lag in found_shifts if abs(lag) > tolerance]
    if found_shifts:
        time, lag = max(found_shifts, key=lambda pair: abs(pair[1]))
        yield f"sound of channel {channel} is {lag * 1000:+.1f} ms off the picture at {time:.2f} s"


def changes(run):
    """Times at which one pure tone follows another."""
    tones, shares, powers = strongest(run.samples)
    pure = [place for place in range(len(tones)) if shares[place] > PURE_SHARE and powers[place] > SILENCE]
    times = []
    for one, two in zip(pure, pure[1:]):
        if two - one <= 3 and abs(tones[one] - tones[two]) > FREQUENCY_TOLERANCE:
            middle = (one + two) / 2 * HOP + WINDOW / 2
            times.append(run.start + middle / RATE)
    return times


def shift(short, long):
    """The place of a short sound within a longer one, in samples and parts of them, by normalised correlation."""
    count = len(long) + len(short)
    spectrum = numpy.fft.rfft(long.astype(float), count) * numpy.conj(numpy.fft.rfft(short.astype(float), count))
    # A longer inverse of the same spectrum interpolates: a period of the higher tones is only five samples long.
    correlation = numpy.fft.irfft(spectrum, count * FINER)[: (len(long) - len(short)) * FINER + 1]
    squares = numpy.concatenate([[0], numpy.cumsum(long.astype(float) ** 2)])
    energy = numpy.sqrt(numpy.maximum(squares[len(short) :] - squares[: -len(short)], 1e-9))
    places = numpy.arange(len(correlation)) / FINER
    return places[(correlation / numpy.interp(places, numpy.arange(len(energy)), energy)).argmax()]
