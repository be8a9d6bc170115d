import CGStreamer
import Glibc
public import Imaging

extension VideoFrame {
    /// Removes the frame's regions of a kind.
    public func removeRegions(_ kind: StaticString) {
        var type = kind.withCString { g_quark_from_string($0) }
        gst_buffer_foreach_meta(buffer, removeRegion, &type)
    }

    /// Removes the frame's descriptions for other plugins, whichever element attached them: regions of
    /// interest, and the metadata of GStreamer's analytics library.
    public func removeDescriptions() { gst_buffer_foreach_meta(buffer, removeDescription, nil) }

    /// Whether regions are also objects of GStreamer's analytics library.
    public static var hasAnalytics: Bool { AnalyticsLibrary.shared != nil }

    /// Opens the library that `attachRegion` uses, so that no frame waits for it.
    public static func prepareRegions() { _ = AnalyticsLibrary.shared }

    /// Marks a region for other plugins: encoders, blurs, overlays.
    ///
    /// The region becomes a `GstVideoRegionOfInterestMeta`. Its parameters are a `detection` structure with
    /// the region, normalised and unrounded, and the confidence; GStreamer drops parameters when it converts
    /// a frame. If GStreamer has its analytics library (from 1.24 on), the region also becomes an object with
    /// a track there.
    ///
    /// - Parameters:
    ///   - kind: the kind of thing in the region: `face`.
    ///   - box: in normalised coordinates of the frame; cut off at the frame's edges.
    ///   - id: the id of the tracked thing.
    ///   - tracks: the element's tracks.
    public func attachRegion(
        _ kind: StaticString, box: Rectangle, confidence: Double, id: Int, in tracks: RegionTracks
    ) {
        let pixels = PixelRect(box, width: info.width, height: info.height)
        attachObject(kind, pixels, confidence: confidence, id: id, in: tracks)
        let region = kind.withCString {
            gst_buffer_add_video_region_of_interest_meta(
                buffer, $0, guint(clamping: pixels.x), guint(clamping: pixels.y),
                guint(clamping: pixels.width), guint(clamping: pixels.height))
        }
        guard let region, let detection = gst_structure_new_empty("detection") else { return }
        region.pointee.id = gint(clamping: id)
        let fields = StructureWriter(structure: detection)
        fields.set("x_min", box.x)
        fields.set("y_min", box.y)
        fields.set("x_max", box.x + box.width)
        fields.set("y_max", box.y + box.height)
        fields.set("confidence", confidence)
        gst_video_region_of_interest_meta_add_param(region, detection)
    }

    /// `GST_CLOCK_TIME_NONE`.
    private static var unknownTime: UInt64 { .max }

    /// Adds an object and its track to the analytics metadata; GStreamer cannot remove a single object again.
    private func attachObject(
        _ kind: StaticString, _ box: PixelRect, confidence: Double, id: Int, in tracks: RegionTracks
    ) {
        guard let library = AnalyticsLibrary.shared, let meta = library.meta(of: buffer) else { return }
        let type = kind.withCString { g_quark_from_string($0) }
        let seen = tracks.see(id)
        var (object, track) = (AnalyticsLibrary.Handle(), AnalyticsLibrary.Handle())
        guard
            library.addObject(
                meta, type, gint(clamping: box.x), gint(clamping: box.y), gint(clamping: box.width),
                gint(clamping: box.height), gfloat(confidence), &object) != 0,
            library.addTrack(
                meta, guint64(tracks.track(of: id)), GstClockTime(seen?.first ?? Self.unknownTime), &track)
                != 0
        else { return }
        if let seen { _ = library.updateLastSeen(&track, GstClockTime(seen.last)) }
        _ = library.setRelation(meta, AnalyticsLibrary.relatesTo, object.id, track.id)
    }
}

/// Removes a meta, by setting it to nil, that is a region of the type in `data`, a GQuark.
private let removeRegion: GstBufferForeachMetaFunc = { _, meta, data in
    guard let found = meta?.pointee, let data,
        found.pointee.info.pointee.api == gst_video_region_of_interest_meta_api_get_type()
    else { return 1 }
    let region = UnsafeMutableRawPointer(found).assumingMemoryBound(to: GstVideoRegionOfInterestMeta.self)
    if region.pointee.roi_type == data.load(as: GQuark.self) { meta?.pointee = nil }
    return 1
}

/// Removes a region of interest or the analytics library's metadata, by setting it to nil.
private let removeDescription: GstBufferForeachMetaFunc = { _, meta, _ in
    guard let found = meta?.pointee, found.pointee.flags.rawValue & GST_META_FLAG_LOCKED.rawValue == 0 else {
        return 1
    }
    let type = found.pointee.info.pointee.api
    if type == gst_video_region_of_interest_meta_api_get_type() || type == AnalyticsLibrary.shared?.metaType {
        meta?.pointee = nil
    }
    return 1
}

/// The ids of an element's tracked things in GStreamer's analytics metadata, which all elements share.
///
/// Each stream of each element has its own number in the process, so that ids cannot collide.
public final class RegionTracks {
    /// Time after which an unseen thing is forgotten, in nanoseconds; elements forget it earlier.
    private static let memory: UInt64 = 60_000_000_000
    /// Number of things up to which no old ones are searched for.
    private static let usualCount = 64

    private static let streams = Guarded<UInt32>(0)

    /// The times of a thing's first and last sighting, in nanoseconds of running time.
    private struct Sighting {
        let first: UInt64
        let last: UInt64
    }

    private let stream: UInt32
    private var sightings: [Int: Sighting] = [:]
    private var time: UInt64?

    /// Begins a stream.
    package init() {
        stream = Self.streams.update {
            $0 &+= 1
            return $0
        }
    }

    /// Begins a frame of this running time, in nanoseconds; nil when unknown.
    package func begin(at time: UInt64?) {
        self.time = time
        guard let time, sightings.count > Self.usualCount else { return }
        sightings = sightings.filter { $1.last <= time && time - $1.last <= Self.memory }
    }

    /// Returns the id of a track: the element's stream in the upper 32 bits, its own `id` in the lower.
    public func track(of id: Int) -> UInt64 { UInt64(stream) << 32 | UInt64(UInt32(clamping: id)) }

    /// Records that the frame shows a thing.
    ///
    /// - Returns: the running times of the first and the last sighting, in nanoseconds; nil when unknown.
    package func see(_ id: Int) -> (first: UInt64, last: UInt64)? {
        guard let time else { return nil }
        // Running time restarts after a flush.
        let first = sightings[id].map { min($0.first, time) } ?? time
        sightings[id] = Sighting(first: first, last: time)
        return (first, time)
    }
}

extension VideoElement {
    /// Returns the element's tracks, ready for objects of `frame`.
    public func tracks(in frame: borrowing VideoFrame) -> RegionTracks {
        tracks.begin(at: runningTime(of: frame))
        return tracks
    }
}

/// The relation of an object in GStreamer's analytics metadata to another.
public enum RegionRelation {
    /// The object is a part of the other: a face of a person.
    case part
    /// Both are the same thing, found by two elements.
    case same
    /// The objects are unrelated.
    case none

    /// The relation types from the object to the other, and back.
    fileprivate var types: (CInt, CInt) {
        switch self {
        case .part: (AnalyticsLibrary.isPartOf, AnalyticsLibrary.contains)
        case .same: (AnalyticsLibrary.relatesTo, AnalyticsLibrary.relatesTo)
        case .none: (AnalyticsLibrary.isUnrelated, AnalyticsLibrary.isUnrelated)
        }
    }
}

extension VideoFrame {
    /// Relates two regions of the frame, which `attachRegion` attached; does nothing if GStreamer has no
    /// analytics library, or a region is missing.
    ///
    /// - Parameters:
    ///   - track: id of the first region's track, from `RegionTracks`.
    ///   - other: id of the second region's track.
    public func relate(_ track: UInt64, to other: UInt64, as relation: RegionRelation) {
        guard let library = AnalyticsLibrary.shared, let meta = library.findMeta(buffer),
            let first = library.object(of: track, in: meta), let second = library.object(of: other, in: meta)
        else { return }
        let (there, back) = relation.types
        _ = library.setRelation(meta, there, first, second)
        _ = library.setRelation(meta, back, second, first)
    }
}

extension AnalyticsLibrary {
    /// Returns the number of the object that has a track.
    fileprivate func object(of track: UInt64, in meta: OpaquePointer) -> guint? {
        var (state, handle): (gpointer?, Handle) = (nil, Handle())
        while iterate(meta, &state, trackType, &handle) != 0 {
            var (id, first, last, isLost) = (guint64(), GstClockTime(), GstClockTime(), gboolean())
            guard getTrack(&handle, &id, &first, &last, &isLost) != 0, UInt64(id) == track, handle.id > 0
            else { continue }
            // An object and its track are added one after the other.
            let object = handle.id - 1
            return getRelation(meta, object, handle.id) == Self.relatesTo ? object : nil
        }
        return nil
    }
}

/// GStreamer's analytics library, which has its own metadata for detected objects (from 1.24 on).
///
/// Opened at run time, since the plugin also has to load without it (GStreamer 1.22).
///
/// - SeeAlso: `gst_buffer_add_analytics_relation_meta`, `gst_analytics_relation_meta_add_od_mtd`,
///   `gst_analytics_relation_meta_add_tracking_mtd`, `gst_analytics_tracking_mtd_update_last_seen`,
///   `gst_analytics_relation_meta_add_segmentation_mtd`, `gst_analytics_relation_meta_set_relation`
struct AnalyticsLibrary: Sendable {
    /// The library, opened at first use; nil if GStreamer has none.
    static let shared = AnalyticsLibrary(soname: "libgstanalytics-1.0.so.0")

    typealias Handle = people_analytics_handle

    typealias GetType = @convention(c) () -> GType
    typealias FindMeta = @convention(c) (UnsafeMutablePointer<GstBuffer>) -> OpaquePointer?
    typealias AddObject =
        @convention(c) (
            OpaquePointer, GQuark, gint, gint, gint, gint, gfloat, UnsafeMutablePointer<Handle>
        ) -> gboolean
    typealias AddTrack =
        @convention(c) (OpaquePointer, guint64, GstClockTime, UnsafeMutablePointer<Handle>) -> gboolean
    typealias UpdateLastSeen = @convention(c) (UnsafeMutablePointer<Handle>, GstClockTime) -> gboolean
    typealias SetRelation = @convention(c) (OpaquePointer, CInt, guint, guint) -> gboolean
    typealias GetRelation = @convention(c) (OpaquePointer, guint, guint) -> CInt
    typealias Iterate =
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<gpointer?>, UInt, UnsafeMutablePointer<Handle>
        ) -> gboolean
    typealias GetTrack =
        @convention(c) (
            UnsafePointer<Handle>, UnsafeMutablePointer<guint64>, UnsafeMutablePointer<GstClockTime>,
            UnsafeMutablePointer<GstClockTime>, UnsafeMutablePointer<gboolean>
        ) -> gboolean
    typealias GetMtdType = @convention(c) () -> UInt

    typealias AddSegmentation =
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<GstBuffer>, CInt, gsize, UnsafeMutablePointer<guint32>, gint,
            gint, guint, guint, UnsafeMutablePointer<Handle>
        ) -> gboolean

    /// `GST_SEGMENTATION_TYPE_INSTANCE`.
    static let instances: CInt = 1
    /// `GST_ANALYTICS_REL_TYPE_NONE`.
    static let isUnrelated: CInt = 0
    /// `GST_ANALYTICS_REL_TYPE_IS_PART_OF`.
    static let isPartOf: CInt = 1 << 1
    /// `GST_ANALYTICS_REL_TYPE_CONTAIN`.
    static let contains: CInt = 1 << 2
    /// `GST_ANALYTICS_REL_TYPE_RELATE_TO`.
    static let relatesTo: CInt = 1 << 3

    /// The type of the metadata, as buffers list it.
    let metaType: GType
    let findMeta: FindMeta
    let addMeta: FindMeta
    let addObject: AddObject
    let addTrack: AddTrack
    let updateLastSeen: UpdateLastSeen
    let setRelation: SetRelation
    let getRelation: GetRelation
    let iterate: Iterate
    let getTrack: GetTrack
    /// `gst_analytics_tracking_mtd_get_mtd_type`.
    let trackType: UInt
    /// Available from 1.26 on.
    let addSegmentation: AddSegmentation?

    /// Opens a library and looks up its functions; nil if the library or one of them is missing.
    init?(soname: String) {
        guard let library = dlopen(soname, RTLD_NOW | RTLD_LOCAL),
            let getType = dlsym(library, "gst_analytics_relation_meta_api_get_type"),
            let findMeta = dlsym(library, "gst_buffer_get_analytics_relation_meta"),
            let addMeta = dlsym(library, "gst_buffer_add_analytics_relation_meta"),
            let addObject = dlsym(library, "gst_analytics_relation_meta_add_od_mtd"),
            let addTrack = dlsym(library, "gst_analytics_relation_meta_add_tracking_mtd"),
            let updateLastSeen = dlsym(library, "gst_analytics_tracking_mtd_update_last_seen"),
            let setRelation = dlsym(library, "gst_analytics_relation_meta_set_relation"),
            let getRelation = dlsym(library, "gst_analytics_relation_meta_get_relation"),
            let iterate = dlsym(library, "gst_analytics_relation_meta_iterate"),
            let getTrack = dlsym(library, "gst_analytics_tracking_mtd_get_info"),
            let getTrackType = dlsym(library, "gst_analytics_tracking_mtd_get_mtd_type")
        else { return nil }
        metaType = unsafeBitCast(getType, to: GetType.self)()
        self.findMeta = unsafeBitCast(findMeta, to: FindMeta.self)
        self.addMeta = unsafeBitCast(addMeta, to: FindMeta.self)
        self.addObject = unsafeBitCast(addObject, to: AddObject.self)
        self.addTrack = unsafeBitCast(addTrack, to: AddTrack.self)
        self.updateLastSeen = unsafeBitCast(updateLastSeen, to: UpdateLastSeen.self)
        self.setRelation = unsafeBitCast(setRelation, to: SetRelation.self)
        self.getRelation = unsafeBitCast(getRelation, to: GetRelation.self)
        self.iterate = unsafeBitCast(iterate, to: Iterate.self)
        self.getTrack = unsafeBitCast(getTrack, to: GetTrack.self)
        trackType = unsafeBitCast(getTrackType, to: GetMtdType.self)()
        addSegmentation = dlsym(library, "gst_analytics_relation_meta_add_segmentation_mtd")
            .map { unsafeBitCast($0, to: AddSegmentation.self) }
    }

    /// Returns the analytics metadata of a buffer, added if there is none yet; nil if it cannot be added.
    func meta(of buffer: UnsafeMutablePointer<GstBuffer>) -> OpaquePointer? {
        findMeta(buffer) ?? addMeta(buffer)
    }
}

extension VideoFrame {
    /// Attaches a label map of the whole frame for other plugins, as metadata of GStreamer's analytics
    /// library (from 1.26 on).
    ///
    /// - Parameters:
    ///   - labels: an 8-bit grey image; pixels of one instance have the same label, 0 is the background.
    ///   - highest: the highest label; all labels from 0 on are used.
    public func attachSegmentation(_ labels: BufferSlot, highest: Int) {
        guard let library = AnalyticsLibrary.shared, let add = library.addSegmentation,
            let meta = library.meta(of: buffer), let width = guint(exactly: info.width),
            let height = guint(exactly: info.height)
        else { return }
        let count = min(max(highest, 0), 255) + 1
        withUnsafeTemporaryAllocation(of: guint32.self, capacity: count) { regions in
            for label in 0..<count { regions.initializeElement(at: label, to: guint32(label)) }
            var handle = AnalyticsLibrary.Handle()
            // The function takes the reference over.
            guard let first = regions.baseAddress, let map = labels.reference() else { return }
            _ = add(
                meta, map, AnalyticsLibrary.instances, gsize(count), first, 0, 0, width, height, &handle)
        }
    }
}
