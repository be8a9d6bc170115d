import CGStreamer

/// A `GstBuffer` of plain memory; this value owns one reference to it.
public struct MemoryBuffer: ~Copyable {
    let raw: UnsafeMutablePointer<GstBuffer>

    init(takingOwnership raw: UnsafeMutablePointer<GstBuffer>) { self.raw = raw }

    deinit { gst_buffer_unref(raw) }

    /// Lends the bytes for writing; false when they cannot be mapped.
    public func withMutableBytes(_ body: (UnsafeMutableRawBufferPointer) -> Void) -> Bool {
        var map = GstMapInfo()
        guard gst_buffer_map(raw, &map, GST_MAP_WRITE) != 0 else { return false }
        defer { gst_buffer_unmap(raw, &map) }
        body(UnsafeMutableRawBufferPointer(start: map.data, count: Int(clamping: map.size)))
        return true
    }

    /// Marks the bytes as an 8-bit grey image (`GstVideoMeta`), for tools that know nothing else about the
    /// buffer.
    public func describeAsGray(width: Int, height: Int, stride: Int) {
        guard let columns = guint(exactly: width), let rows = guint(exactly: height),
            let rowBytes = gint(exactly: stride)
        else { return }
        var (offset, strides): (gsize, gint) = (0, rowBytes)
        // The pool removes the meta when the buffer comes back.
        gst_buffer_add_video_meta_full(
            raw, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, columns, rows, 1, &offset, &strides)
    }
}

/// Buffers of one size that are reused when their last reader releases them (`GstBufferPool`).
///
/// Metas share their memory with every reader of the frame, so a mask cannot live in a fixed array.
public final class MemoryPool {
    private let reference: ObjectReference
    private var pool: UnsafeMutablePointer<GstBufferPool> {
        reference.pointer.assumingMemoryBound(to: GstBufferPool.self)
    }
    /// Size of every buffer, in bytes.
    public let byteCount: Int

    /// Creates a pool of buffers of `byteCount` bytes; nil when GStreamer refuses that size.
    public init?(byteCount: Int) {
        guard let size = guint(exactly: byteCount), size > 0, let pool = gst_buffer_pool_new() else {
            return nil
        }
        reference = ObjectReference(taking: pool)
        self.byteCount = byteCount
        let config = gst_buffer_pool_get_config(pool)
        gst_buffer_pool_config_set_params(config, nil, size, 0, 0)
        guard gst_buffer_pool_set_config(pool, config) != 0, gst_buffer_pool_set_active(pool, 1) != 0
        else { return nil }
    }

    deinit { gst_buffer_pool_set_active(pool, 0) }

    /// Returns a buffer that is not in use, with undefined contents; nil when memory is short.
    public func acquire() -> MemoryBuffer? {
        var buffer: UnsafeMutablePointer<GstBuffer>?
        guard gst_buffer_pool_acquire_buffer(pool, &buffer, nil) == GST_FLOW_OK, let buffer else {
            return nil
        }
        return MemoryBuffer(takingOwnership: buffer)
    }
}

/// Storage for a buffer from one frame to the next.
public final class BufferSlot {
    private var raw: UnsafeMutablePointer<GstBuffer>?

    /// Creates an empty slot.
    public init() {}

    deinit { clear() }

    /// Whether no buffer is stored.
    public var isEmpty: Bool { raw == nil }

    /// Stores `buffer` and releases the previous one.
    public func keep(_ buffer: consuming MemoryBuffer) {
        clear()
        raw = gst_buffer_ref(buffer.raw)
    }

    /// Releases the stored buffer.
    public func clear() {
        if let raw { gst_buffer_unref(raw) }
        raw = nil
    }

    /// Returns a new reference to the stored buffer.
    func reference() -> UnsafeMutablePointer<GstBuffer>? { raw.flatMap { gst_buffer_ref($0) } }

    /// Sets `field` to the stored buffer; does nothing if there is none.
    public func write(to fields: StructureWriter, as field: StaticString) {
        if let raw { fields.set(field, buffer: raw) }
    }
}
