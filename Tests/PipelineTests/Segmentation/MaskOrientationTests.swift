import CGStreamer
import TestSupport
import Testing

/// Images that are stored turned, according to the `image-orientation` tag.
struct MaskOrientationTests {
    /// The tag's value, the videoflip direction that stores an upright image that way, and the meta's number.
    static let turns = [
        ("rotate-90", "90l", 6), ("rotate-180", "180", 3), ("rotate-270", "90r", 8),
        ("flip-rotate-0", "horiz", 2), ("flip-rotate-180", "vert", 4),
    ]

    @Test(arguments: turns)
    func masksTheImageAsItIsStored(_ tag: String, _ direction: String, _ number: Int) throws {
        let source =
            "filesrc location=\(Checkout.astronaut.path) ! decodebin ! videoflip video-direction=\(direction)"
        guard let turned = try Frame.first(of: source, caps: "video/x-raw,format=RGB,width=256,height=256")
        else {
            throw SetupFailure("no turned picture")
        }
        let harness = try Harness("personsegment quality=fast mask-format=f32", caps: turned.caps)
        harness.push(event: orientationTag(tag))
        let found = MaskMeta(try harness.transform(turned))
        #expect(found?.int("orientation") == number)

        let upright = try mask(of: astronaut(256, 256)).values
        let expected = Self.stored(upright, 256, number)
        #expect(meanDifference(expected, found?.values ?? []) < 1e-3)
        #expect(meanDifference(upright, found?.values ?? []) > 0.02, "the person is not symmetrical")
    }

    @Test func swapsTheSidesOfATurnedMask() throws {
        let turned = try astronaut(128, 256)
        let harness = try Harness("personsegment quality=fast", caps: turned.caps)
        harness.push(event: orientationTag("rotate-90"))
        let mask = MaskMeta(try harness.transform(turned))
        #expect(mask?.int("width") == 144)
        #expect(mask?.int("height") == 256)
    }

    private func orientationTag(_ value: String) -> UnsafeMutablePointer<GstEvent>? {
        gst_event_new_tag(gst_tag_list_new_from_string("taglist, image-orientation=(string)\(value)"))
    }

    /// Returns an upright square mask as it is stored in an image with that EXIF orientation.
    private static func stored(_ mask: [Float], _ side: Int, _ orientation: Int) -> [Float] {
        let last = side - 1
        return (0..<side * side).map { index in
            let (x, y) = (index % side, index / side)
            return switch orientation {
            case 2: mask[y * side + last - x]
            case 3: mask[(last - y) * side + last - x]
            case 4: mask[(last - y) * side + x]
            // A stored pixel (x, y) is seen upright at (last - y, x) after a clockwise turn.
            case 6: mask[x * side + last - y]
            case 8: mask[(last - x) * side + y]
            default: mask[index]
            }
        }
    }
}
