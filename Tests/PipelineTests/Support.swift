import CGStreamer
import Foundation
import TestSupport

/// Caps of raw video.
func caps(_ format: String, _ width: Int, _ height: Int, _ more: String = "") -> String {
    "video/x-raw,format=\(format),width=\(width),height=\(height),framerate=25/1\(more)"
}

/// Returns the portrait, decoded to a size and format.
func astronaut(_ width: Int, _ height: Int, _ format: String = "RGB") throws -> Frame {
    try Frame.picture(
        Checkout.astronaut.path,
        "video/x-raw,format=\(format),width=\(width),height=\(height),pixel-aspect-ratio=1/1")
}

/// Returns the mean absolute difference of two masks; 1, the maximum, if they differ in size.
func meanDifference(_ one: [Float], _ other: [Float]) -> Float {
    guard one.count == other.count, !one.isEmpty else { return 1 }
    return zip(one, other).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(one.count)
}

/// Returns the mean absolute difference of the colour samples of two frames, as code values.
func meanDifference(_ one: Frame, _ other: Frame) -> Float {
    let samples = [one, other].map { frame in
        (0..<3).flatMap { frame.samples($0).joined() }.map(Float.init)
    }
    return meanDifference(samples[0], samples[1])
}

/// Returns the mask of one frame.
func mask(of frame: Frame, _ element: String = "personsegment quality=fast mask-format=f32") throws
    -> MaskMeta
{
    ElementCase.keepModels
    let harness = try Harness(element, caps: frame.caps)
    guard let mask = MaskMeta(try harness.transform(frame)) else {
        throw SetupFailure("the frame has no mask")
    }
    return mask
}

/// Runs a script of Tests/Scripts with the system's Python, which has GStreamer's bindings.
func script(_ name: String, _ arguments: [String], environment: [String: String?] = [:]) throws -> Subprocess
{
    let path = Checkout.root.appendingPathComponent("Tests/Scripts/\(name)").path
    // Without files of compiled modules, which would be installed with the folders that they are in.
    return try Subprocess.run("/usr/bin/python3", ["-B", path] + arguments, environment: environment)
}

/// Returns the lines of JSON in a program's output.
func objects(_ result: Subprocess) -> [[String: Any]] { objects(in: result.output) }

/// Returns the lines of JSON in a text.
func objects(in text: String) -> [[String: Any]] {
    text.split(separator: "\n").compactMap {
        (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
    }
}

extension Frame {
    /// Whether all colour samples are equal.
    func hasSameSamples(as other: Frame) -> Bool {
        format == other.format && (0..<colorCount).allSatisfy { samples($0) == other.samples($0) }
    }
}
