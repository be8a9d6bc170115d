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


def pixels(part, extent):
    """x and y of each joint of a body or hand in pixels, and its confidence, by its name."""
    return {name: (point * (*extent, 1)).tolist() for name, point in part.joints.items()}


def metres(part):
    """x, y and z of each joint in space, by its name."""
    return {name: point.tolist() for name, point in part.joints_3d.items()}
