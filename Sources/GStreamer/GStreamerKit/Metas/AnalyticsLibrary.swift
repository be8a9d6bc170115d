import CGStreamer
import Glibc

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
