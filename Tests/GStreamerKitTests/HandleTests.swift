import CGStreamer
import GStreamerKit
import Synchronization
import TestSupport
import Testing

/// Handles of C objects, and the lifetimes of the objects.
struct HandleTests {
    init() { TestedPlugin.load() }

    /// A pointer that GObject clears when an object is freed.
    private final class Watch {
        private let pointer = UnsafeMutablePointer<gpointer?>.allocate(capacity: 1)

        init(_ object: some ObjectHandle) {
            pointer.initialize(to: object.reference.pointer)
            g_object_add_weak_pointer(object.pointer(), pointer)
        }

        var isGone: Bool { pointer.pointee == nil }
    }

    @Test func elementsAreReleasedWithTheirLastHandle() throws {
        var element = GStreamer.Element(factory: "identity")
        let watch = Watch(try #require(element))
        var copy = element
        element = nil
        #expect(!watch.isGone)
        #expect(copy?.classification == "Generic")
        copy = nil
        #expect(watch.isGone)
    }

    @Test func binsKeepTheirElements() throws {
        var element = GStreamer.Element(factory: "identity")
        let watch = Watch(try #require(element))
        var pipeline = GStreamer.Pipeline()
        if let element { pipeline?.element.add(element) }
        element = nil
        #expect(!watch.isGone)
        #expect(pipeline?.element.descendants.count == 1)
        pipeline = nil
        #expect(watch.isGone)
    }

    /// Objects that a probe captured are released with the pad.
    @Test func probesAreReleasedWithTheirPads() throws {
        final class Captured: Sendable {}
        weak var captured: Captured?
        var element = GStreamer.Element(factory: "identity")
        do {
            let object = Captured()
            captured = object
            element?.pad("src")?.onBuffer { _ in withExtendedLifetime(object) {} }
        }
        #expect(captured != nil)
        element = nil
        #expect(captured == nil)
    }

    @Test func removedProbesAreNotCalled() throws {
        let pipeline = try #require(
            try GStreamer.Pipeline("videotestsrc num-buffers=3 ! identity name=here ! fakesink"))
        let pad = try #require(pipeline.element.element(named: "here")?.pad("src"))
        let seen = Mutex((kept: 0, removed: 0))
        pad.addProbe(.buffer) { _ in
            seen.withLock { $0.removed += 1 }
            return .ok
        }.remove()
        pad.onBuffer { _ in seen.withLock { $0.kept += 1 } }
        pipeline.element.setState(.playing)
        #expect(
            pipeline.bus.pop([.endOfStream, .error], within: UInt64(Patience.event * 1e9))?.kind
                == .endOfStream)
        #expect(seen.withLock { [$0.kept, $0.removed] } == [3, 0])
    }

    @Test func changedCapsLeaveTheirCopiesAsTheyWere() throws {
        let caps = try #require(GStreamer.Caps("video/x-raw,format=RGB,width=4; audio/x-raw,rate=8000"))
        let fields = try #require(caps.fields)
        var changed = caps
        changed.removeFields("width", "rate")
        #expect(caps.fields?.int("width") == 4 && fields.int("width") == 4)
        #expect(changed.fields?.has("width") == false && changed.fields(at: 1)?.has("rate") == false)
        #expect(changed.count == 2 && changed.fields(at: 2) == nil)
        #expect(changed != caps)
        #expect(GStreamer.Caps("nonsense,,") == nil)
    }

    @Test func fixatesTheNearestValues() throws {
        let caps = try #require(
            GStreamer.Caps("video/x-raw,width=[1,640],height=[1,480],framerate=[1/1,60/1]"))
        let mode = caps.fixated(
            at: 0, nearest: [("width", 1280), ("height", 100)], fractions: [("framerate", 30)])
        #expect(mode?.fields?.int("width") == 640 && mode?.fields?.int("height") == 100)
        #expect(mode?.fields?.fraction("framerate")?.numerator == 30)
        #expect(caps.fixated(at: 1, nearest: [], fractions: []) == nil)
    }

    /// A probe gets a copy of a buffer with another owner to write to.
    @Test func probesWriteToCopies() throws {
        let pipeline = try #require(
            try GStreamer.Pipeline("appsrc name=source format=time ! identity name=here ! appsink name=sink"))
        let pad = try #require(pipeline.element.element(named: "here")?.pad("src"))
        pad.onBuffer { info in
            info.writableBuffer?.setDuration(7)
            info.writableBuffer?.write([9], at: 1)
            info.writableBuffer?.write([9], at: 2)
        }
        let buffer = try #require(GStreamer.Buffer([1, 2]))
        let source = try #require(GStreamer.AppSource(pipeline.element.element(named: "source")))
        pipeline.element.setState(.playing)
        source.push(buffer)
        source.endStream()
        let result = GStreamer.AppSink(pipeline.element.element(named: "sink"))?.pull(
            within: UInt64(Patience.event * 1e9))
        #expect(result?.buffer?.duration == 7 && buffer.view.duration == nil)
        #expect(result?.buffer?.withBytes { Array($0) } == [1, 9])
        #expect(buffer.view.withBytes { Array($0) } == [1, 2])
    }

    @Test func segmentsConvertTimes() {
        var segment = GStreamer.Segment()
        (segment.start, segment.stop, segment.base, segment.time) = (100, 200, 1000, 50)
        #expect(segment.streamTime(of: 150) == 100 && segment.runningTime(of: 150) == 1050)
        #expect(segment.streamTime(of: 99) == nil && segment.runningTime(of: 201) == nil)
        #expect(segment.fullRunningTime(of: 90) == 990)
    }

    @Test func descriptionsNameWhatIsMissing() {
        do throws(DescriptionError) {
            _ = try GStreamer.Element(parsing: "identity ! people-no-such-element")
            Issue.record("it was made")
        } catch {
            #expect(error.missing == ["people-no-such-element"])
        }
    }

    /// The tool's advice for a machine without the plugin needs the names that the registry otherwise has.
    @Test func registryListsThePluginsElements() {
        let known = [
            "autoframe", "blendmask", "bodypose", "facepose", "handpose", "personbackground",
            "personsegment", "poseoverlay", "subjectsegment",
        ]
        #expect(GStreamer.Registry.elements(ofPlugin: "people") == known)
        #expect(GStreamer.Element(factory: "facepose")?.plugin == "people")
    }
}
