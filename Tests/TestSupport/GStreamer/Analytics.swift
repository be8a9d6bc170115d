import CGStreamer
import Foundation

/// The metadata of GStreamer's analytics library on a frame.
public enum Analytics {
    nonisolated(unsafe) private static let library = dlopen("libgstanalytics-1.0.so.0", RTLD_NOW)

    /// Whether the library exists: GStreamer has it from 1.24 on.
    public static var isThere: Bool { library != nil }

    /// A track of a thing; times in nanoseconds of running time.
    public struct Track: Equatable, Sendable {
        /// Id that is unique among the tracks of a stream.
        public let id: UInt64
        /// Running times of the first and the last sighting.
        public let first, last: UInt64
    }

    /// A label map on a part of a frame.
    public struct Segmentation: Equatable, Sendable {
        /// Number of labels, including the background's.
        public let regions: Int
        /// The part, in pixels.
        public let x, y, width, height: Int
        /// A byte per sample, row by row.
        public let labels: [UInt8]

        /// Makes a label map of that part of a frame.
        public init(regions: Int, x: Int, y: Int, width: Int, height: Int, labels: [UInt8]) {
            (self.regions, self.labels) = (regions, labels)
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    private typealias GetMeta = @convention(c) (UnsafeMutablePointer<GstBuffer>) -> OpaquePointer?
    private typealias GetLength = @convention(c) (OpaquePointer) -> Int
    private typealias GetType = @convention(c) () -> UInt
    private typealias Iterate =
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<gpointer?>, UInt,
            UnsafeMutablePointer<people_analytics_handle>
        ) -> gboolean
    private typealias GetTrack =
        @convention(c) (
            UnsafePointer<people_analytics_handle>, UnsafeMutablePointer<guint64>,
            UnsafeMutablePointer<GstClockTime>, UnsafeMutablePointer<GstClockTime>,
            UnsafeMutablePointer<gboolean>
        ) -> gboolean

    private typealias GetRelation = @convention(c) (OpaquePointer, guint, guint) -> Int32
    private typealias CountRegions = @convention(c) (UnsafePointer<people_analytics_handle>) -> gsize
    private typealias GetMask =
        @convention(c) (
            UnsafePointer<people_analytics_handle>, UnsafeMutablePointer<gint>, UnsafeMutablePointer<gint>,
            UnsafeMutablePointer<guint>, UnsafeMutablePointer<guint>
        ) -> UnsafeMutablePointer<GstBuffer>?

    /// Returns the number of descriptions on a frame; nil if the frame has no such metadata.
    public static func count(on frame: Frame) throws -> Int? {
        guard let meta = try meta(of: frame) else { return nil }
        return try function("gst_analytics_relation_get_length", GetLength.self)(meta)
    }

    /// Returns the number of descriptions of a kind, such as `segmentation`, on a frame.
    public static func count(of kind: String, on frame: Frame) throws -> Int {
        var count = 0
        try forEach(kind, on: frame) { _ in count += 1 }
        return count
    }

    /// Returns all tracks of a frame.
    public static func tracks(of frame: Frame) throws -> [Track] {
        let read = try function("gst_analytics_tracking_mtd_get_info", GetTrack.self)
        var tracks: [Track] = []
        try forEach("tracking", on: frame) { handle in
            var (id, first, last, isLost) = (guint64(), GstClockTime(), GstClockTime(), gboolean())
            guard read(handle, &id, &first, &last, &isLost) != 0 else { return }
            tracks.append(Track(id: UInt64(id), first: UInt64(first), last: UInt64(last)))
        }
        return tracks
    }

    /// Whether GStreamer has label maps, as it does from 1.26 on.
    public static var hasSegmentations: Bool {
        dlsym(library, "gst_analytics_relation_meta_add_segmentation_mtd") != nil
    }

    /// Returns all label maps of a frame.
    public static func segmentations(of frame: Frame) throws -> [Segmentation] {
        let countRegions = try function(
            "gst_analytics_segmentation_mtd_get_region_count", CountRegions.self)
        let getMask = try function("gst_analytics_segmentation_mtd_get_mask", GetMask.self)
        var segmentations: [Segmentation] = []
        try forEach("segmentation", on: frame) { handle in
            var (x, y, width, height): (gint, gint, guint, guint) = (-1, -1, 0, 0)
            guard let mask = getMask(handle, &x, &y, &width, &height) else { return }
            defer { gst_buffer_unref(mask) }
            segmentations.append(
                Segmentation(
                    regions: Int(countRegions(handle)), x: Int(x), y: Int(y), width: Int(width),
                    height: Int(height), labels: Frame.bytes(of: mask)))
        }
        return segmentations
    }

    /// Returns the relation of the objects of two tracks, given by the tracks' ids: `GstAnalyticsRelTypes` of
    /// the first object to the second; nil if a track has no object.
    public static func relation(of first: UInt64, to second: UInt64, on frame: Frame) throws -> Int32? {
        guard let meta = try meta(of: frame), let one = try object(of: first, on: frame),
            let other = try object(of: second, on: frame)
        else { return nil }
        return try function("gst_analytics_relation_meta_get_relation", GetRelation.self)(meta, one, other)
    }

    /// Returns the object of a track, by its number: every object is added before its own track.
    private static func object(of track: UInt64, on frame: Frame) throws -> guint? {
        let read = try function("gst_analytics_tracking_mtd_get_info", GetTrack.self)
        var object: guint?
        try forEach("tracking", on: frame) { handle in
            var (id, first, last, isLost) = (guint64(), GstClockTime(), GstClockTime(), gboolean())
            if read(handle, &id, &first, &last, &isLost) != 0, UInt64(id) == track, handle.pointee.id > 0 {
                object = handle.pointee.id - 1
            }
        }
        return object
    }

    private static func forEach(
        _ kind: String, on frame: Frame, _ body: (UnsafePointer<people_analytics_handle>) -> Void
    ) throws {
        guard let meta = try meta(of: frame) else { return }
        let type = try function("gst_analytics_\(kind)_mtd_get_mtd_type", GetType.self)()
        let iterate = try function("gst_analytics_relation_meta_iterate", Iterate.self)
        var (state, handle): (gpointer?, people_analytics_handle) = (nil, people_analytics_handle())
        while iterate(meta, &state, type, &handle) != 0 { body(&handle) }
    }

    private static func meta(of frame: Frame) throws -> OpaquePointer? {
        try function("gst_buffer_get_analytics_relation_meta", GetMeta.self)(frame.buffer)
    }

    private static func function<Function>(_ name: String, _ type: Function.Type) throws -> Function {
        guard let found = dlsym(library, name) else { throw SetupFailure("no \(name)") }
        return unsafeBitCast(found, to: type)
    }
}
