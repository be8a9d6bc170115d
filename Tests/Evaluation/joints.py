"""What the elements for bodies and hands find in a folder of pictures."""
import json

from gstreamer import Analyzer, decode, size, streams_in


def evaluate(arguments, element, settings, name, described):
    """Writes what an element finds, and says how long a picture took.

    `name` is that of the things found; `described(frame, extent)` lists them. `attach(buffer, file)` in the arguments
    attaches metadata to a picture first.
    """
    attach = getattr(arguments, "attach", lambda _buffer, _name: None)
    images, milliseconds = {}, []
    for paths in streams_in(arguments.input, arguments.video):
        analyzer = Analyzer(
            element, [*settings, *arguments.properties], is_stream=arguments.video, rate=arguments.rate)
        for path in paths:
            frame = analyzer.analyze(decode(path), lambda buffer, path=path: attach(buffer, path.name))
            images[str(path.relative_to(arguments.input))] = {name: described(frame, size(frame.get_caps()))}
        milliseconds.append(analyzer.milliseconds())
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps({"images": images}, indent=1) + "\n")
    count = sum(len(image[name]) for image in images.values())
    print(f"{len(images)} pictures, {count} {name}: {sum(milliseconds) / len(milliseconds):.1f} ms a picture")


def arrays(thing, field):
    """The arrays of a structure within a structure."""
    inner = thing.get_value(field)
    return {name: numbers(inner, name) for name in (inner.nth_field_name(n) for n in range(inner.n_fields()))}


def numbers(structure, name):
    """An array of doubles."""
    _, array = structure.get_array(name)
    return [array.get_nth(n) for n in range(array.n_values)]


def pixels(thing, extent):
    """x and y of each joint in pixels, and its confidence, by its name."""
    scale = (*extent, 1)
    return {name: [a * b for a, b in zip(values, scale)] for name, values in arrays(thing, "joints").items()}
