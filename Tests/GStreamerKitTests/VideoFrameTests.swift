import CGStreamer
import Imaging
import TestSupport
import Testing

/// A buffer as an element sees it.
struct VideoFrameTests {
    static let formats = PixelFormat.allCases.map(\.rawValue)

    private func caps(_ format: String, _ width: Int, _ height: Int, _ more: String = "") -> String {
        "video/x-raw,format=\(format),width=\(width),height=\(height),framerate=25/1\(more)"
    }

    @Test(arguments: formats, [[16, 8, 0], [15, 7, 0], [1, 1, 0], [17, 5, 13]])
    func readsEverySampleAndNoPadding(_ format: String, _ size: [Int]) throws {
        let frame = try Frame(caps(format, size[0], size[1]), padding: size[2])
        frame.fillBytes(with: 255)
        for index in 0..<frame.colorCount {
            frame.fill(index) { UInt8(($0 * 13 + $1 * 29 + index * 57) % 251) }
        }
        let note = Note(try probe("", caps: caps(format, size[0], size[1])).transform(frame))
        let expected = (0..<frame.colorCount).reduce(0) {
            $0 + frame.samples($1).joined().reduce(0) { $0 + Int($1) }
        }
        #expect(note?.int("sum") == expected)
        #expect(note?.int("width") == size[0])
        #expect(note?.int("height") == size[1])
    }

    /// Returns the sum of a picture inside a larger one; without a crop it is at the top left.
    private func sum(
        _ format: String, _ visible: [Int], _ crop: [Int]?
    ) throws -> (found: Int?, expected: Int) {
        let whole = try Frame(caps(format, 64, 40), padding: 16)
        for index in 0..<whole.colorCount {
            whole.fill(index) { UInt8(($0 * 13 + $1 * 29 + index * 57) % 251) }
        }
        if let crop { whole.crop(to: crop) }
        let (left, top) = (visible[0], visible[1])
        let expected = (0..<whole.colorCount).reduce(0) { sum, index in
            let shifts = whole.shifts(index)
            let rows = whole.samples(index).dropFirst(top >> shifts.vertical)
                .prefix(-(-visible[3] >> shifts.vertical))
            return sum
                + rows.joined(from: left >> shifts.horizontal, count: -(-visible[2] >> shifts.horizontal))
        }
        let harness = try probe("", caps: caps(format, visible[2], visible[3]))
        #expect(harness.push(whole) == GST_FLOW_OK)
        return (harness.pull().flatMap { Note($0) }?.int("sum"), expected)
    }

    @Test(arguments: formats)
    func readsTheVisiblePart(_ format: String) throws {
        for (visible, crop) in [
            ([0, 0, 48, 32], nil), ([0, 0, 47, 31], nil), ([8, 4, 48, 32], [8, 4, 48, 32]),
            ([12, 2, 41, 23], [12, 2, 41, 23]),
        ] {
            let sums = try sum(format, visible, crop)
            #expect(sums.found == sums.expected, "\(visible)")
        }
    }

    /// A part that cannot be read correctly is refused.
    @Test(arguments: [[7, 4, 48, 32], [8, 3, 48, 32], [8, 4, 40, 32], [24, 4, 48, 32], [8, 16, 48, 32]])
    func refusesACropThatItCannotRead(_ crop: [Int]) throws {
        #expect(try sum("I420", [0, 0, 48, 32], crop).found == nil)
    }

    @Test func asksForNoPartsByMetadata() throws {
        let harness = try probe("", caps: caps("I420", 64, 48))
        harness.addDownstreamSupport(gst_video_crop_meta_api_get_type())
        _ = try harness.transform(Frame(caps("I420", 64, 48)))
        #expect(harness.proposesVideoMeta(for: caps("I420", 64, 48)))
        #expect(!harness.proposes(gst_video_crop_meta_api_get_type(), for: caps("I420", 64, 48)))
    }

    @Test(arguments: formats)
    func isRefusedWhenABufferIsTooSmall(_ format: String) throws {
        let frame = try Frame(caps(format, 15, 7))
        let harness = try probe("", caps: caps(format, 15, 7))
        let short = frame.copy()
        gst_buffer_set_size(short, gssize(frame.byteCount / 2))
        #expect(harness.push(buffer: short) == GST_FLOW_OK)
        let warning = harness.nextMessage()
        #expect(warning?.is(.warning, gst_stream_error_quark(), GST_STREAM_ERROR_FORMAT.rawValue) == true)
        #expect(harness.pull() == nil)
        #expect(Note(try harness.transform(frame)) != nil)
    }

    @Test(arguments: [
        ("I420", ",colorimetry=bt601", "bt601 limited"), ("I420", ",colorimetry=bt709", "bt709 limited"),
        ("I420", ",colorimetry=bt2020", "bt2020 limited"), ("NV12", ",colorimetry=1:4:5:4", "bt601 full"),
        ("YUY2", "", "bt601 limited"), ("GRAY8", "", "bt601 full"), ("RGB", "", "bt601 full"),
    ])
    func hasTheColorimetryOfItsCaps(_ format: String, _ more: String, _ expected: String) throws {
        let caps = caps(format, 16, 8, more)
        #expect(Note(try probe("", caps: caps).transform(Frame(caps)))?.string("colorimetry") == expected)
    }

    @Test func hasTheTimeOfItsBuffer() throws {
        let frame = try Frame(caps("RGB", 4, 4))
        let harness = try probe("", caps: caps("RGB", 4, 4))
        #expect(Note(try harness.transform(frame))?.double("time") == -1)
        frame.buffer.pointee.pts = 2_500_000_000
        #expect(Note(try harness.transform(frame))?.double("time") == 2.5)
    }

    @Test func countsDiscontinuities() throws {
        let frame = try Frame(caps("RGB", 4, 4))
        let harness = try probe("", caps: caps("RGB", 4, 4))
        let before = Note(try harness.transform(frame))?.int("discontinuities") ?? -1
        #expect(Note(try harness.transform(frame))?.int("discontinuities") == before)
        frame.buffer.pointee.mini_object.flags |= GST_BUFFER_FLAG_DISCONT.rawValue
        #expect(Note(try harness.transform(frame))?.int("discontinuities") == before + 1)
    }

    @Test(arguments: [
        ("rotate-0", 1), ("flip-rotate-0", 2), ("rotate-180", 3), ("flip-rotate-180", 4),
        ("flip-rotate-270", 5),
        ("rotate-90", 6), ("flip-rotate-90", 7), ("rotate-270", 8), ("upside-down", 1),
    ])
    func takesItsOrientationFromTags(_ tag: String, _ expected: Int) throws {
        let harness = try probe("", caps: caps("RGB", 4, 4))
        harness.push(
            event: gst_event_new_tag(
                gst_tag_list_new_from_string("taglist, image-orientation=(string)\(tag)")))
        #expect(Note(try harness.transform(Frame(caps("RGB", 4, 4))))?.int("orientation") == expected)
    }
}

extension Sequence<[UInt8]> {
    /// Returns the sum of `count` samples of each row.
    fileprivate func joined(from first: Int, count: Int) -> Int {
        reduce(0) { $0 + $1.dropFirst(first).prefix(count).reduce(0) { $0 + Int($1) } }
    }
}
