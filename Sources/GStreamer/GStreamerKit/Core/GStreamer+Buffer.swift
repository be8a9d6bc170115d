package import CGStreamer
package import Imaging

extension GStreamer {
    /// A piece of data that passes from element to element.
    package struct Buffer: MiniObjectHandle {
        package let reference: MiniObjectReference

        package init(_ reference: MiniObjectReference) { self.reference = reference }

        /// Creates a buffer of undefined contents; nil when memory is short.
        package init?(byteCount: Int) {
            guard let size = gsize(exactly: byteCount), let buffer = gst_buffer_new_allocate(nil, size, nil)
            else { return nil }
            self.init(taking: buffer)
        }

        /// Creates a buffer of these bytes; nil when memory is short.
        package init?(_ bytes: [UInt8]) {
            self.init(byteCount: bytes.count)
            gst_buffer_fill(pointer(), 0, bytes, gsize(bytes.count))
        }

        /// The buffer's contents and times, for reading.
        package var view: BufferView { BufferView(pointer(), owner: reference) }

        /// The buffer's contents and times, for writing by the code that made it and has not passed it on.
        package var writableView: WritableBufferView { WritableBufferView(pointer(), owner: reference) }
    }

    /// A buffer for reading: borrowed for a call, or kept alive by the view.
    package struct BufferView {
        package let pointer: UnsafeMutablePointer<GstBuffer>
        private let owner: MiniObjectReference?

        package init(_ pointer: UnsafeMutablePointer<GstBuffer>, owner: MiniObjectReference? = nil) {
            (self.pointer, self.owner) = (pointer, owner)
        }
    }

    /// A buffer without another reference, for writing.
    package struct WritableBufferView {
        private let pointer: UnsafeMutablePointer<GstBuffer>
        private let owner: MiniObjectReference?

        fileprivate init(_ pointer: UnsafeMutablePointer<GstBuffer>, owner: MiniObjectReference?) {
            (self.pointer, self.owner) = (pointer, owner)
        }

        init(_ pointer: UnsafeMutablePointer<GstBuffer>) { self.init(pointer, owner: nil) }
    }
}

// MARK: - Reading

extension GStreamer.BufferView {
    /// Time at which the buffer is shown, in nanoseconds of its segment; nil when the buffer has none.
    package var presentationTime: UInt64? { known(pointer.pointee.pts) }
    /// Time at which the buffer is decoded, in nanoseconds of its segment; nil when the buffer has none.
    package var decodingTime: UInt64? { known(pointer.pointee.dts) }
    /// Duration for which the buffer is shown, in nanoseconds; nil when the buffer has none.
    package var duration: UInt64? { known(pointer.pointee.duration) }

    package var byteCount: Int { Int(clamping: gst_buffer_get_size(pointer)) }

    /// Whether it can be decoded without others.
    package var isKeyUnit: Bool {
        pointer.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0
    }

    /// Lends the bytes to `body`; nil when they cannot be mapped.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        pointer.withBytes(body)
    }

    /// Returns the fields of registered metadata; nil when the buffer carries none of that name.
    package func fields(ofMeta name: String) -> StructureReader? {
        guard let meta = gst_buffer_get_custom_meta(pointer, name) else { return nil }
        return gst_custom_meta_get_structure(meta).map { StructureReader(structure: $0, owner: owner) }
    }

    /// A new handle with a reference of its own to the buffer.
    package var retained: GStreamer.Buffer { GStreamer.Buffer(retaining: pointer) }

    /// A copy of the buffer with its bytes; nil when memory is short.
    package var deepCopy: GStreamer.Buffer? {
        gst_buffer_copy_deep(pointer).map { GStreamer.Buffer(taking: $0) }
    }

    /// Returns the part from a byte on, which shares the buffer's memory; it has the times and the
    /// metadata of the whole.
    package func part(from offset: Int) -> GStreamer.Buffer? {
        let copied =
            GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue
            | GST_BUFFER_COPY_META.rawValue | GST_BUFFER_COPY_MEMORY.rawValue
        guard offset < byteCount,
            let part = gst_buffer_copy_region(
                pointer, GstBufferCopyFlags(rawValue: copied), gsize(offset), gsize(byteCount - offset))
        else { return nil }
        (part.pointee.pts, part.pointee.dts) = (pointer.pointee.pts, pointer.pointee.dts)
        part.pointee.duration = pointer.pointee.duration
        return GStreamer.Buffer(taking: part)
    }
}

private func known(_ time: GstClockTime) -> UInt64? { time == .max ? nil : UInt64(time) }

// MARK: - Writing

extension GStreamer.WritableBufferView {
    package func setPresentationTime(_ time: UInt64?) {
        pointer.pointee.pts = time.map { GstClockTime($0) } ?? .max
    }
    package func setDecodingTime(_ time: UInt64?) {
        pointer.pointee.dts = time.map { GstClockTime($0) } ?? .max
    }
    package func setDuration(_ time: UInt64?) {
        pointer.pointee.duration = time.map { GstClockTime($0) } ?? .max
    }

    /// This buffer for reading.
    package var readable: GStreamer.BufferView { GStreamer.BufferView(pointer, owner: owner) }

    /// Lends the bytes for reading and writing to `body`; nil when they cannot be mapped.
    package func withBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result? {
        pointer.withMutableBytes(body)
    }

    /// Writes bytes at a position; does nothing if the buffer is too short.
    package func write(_ bytes: [UInt8], at place: Int) {
        guard readable.byteCount >= place + bytes.count else { return }
        gst_buffer_fill(pointer, gsize(place), bytes, gsize(bytes.count))
    }

    /// Copies the flags and times of another buffer.
    package func copyFlagsAndTimes(of other: GStreamer.BufferView) {
        let copied = GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue
        gst_buffer_copy_into(pointer, other.pointer, GstBufferCopyFlags(rawValue: copied), 0, .max)
    }
}

extension UnsafeMutablePointer<GstBuffer> {
    /// Lends the bytes to `body`; nil when they cannot be mapped.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        var map = GstMapInfo()
        guard gst_buffer_map(self, &map, GST_MAP_READ) != 0 else { return nil }
        defer { gst_buffer_unmap(self, &map) }
        return body(UnsafeRawBufferPointer(start: map.data, count: Int(clamping: map.size)))
    }

    /// Lends the bytes for reading and writing to `body`; nil when they cannot be mapped.
    func withMutableBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result? {
        var map = GstMapInfo()
        let access = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
        guard gst_buffer_map(self, &map, access) != 0 else { return nil }
        defer { gst_buffer_unmap(self, &map) }
        return body(UnsafeMutableRawBufferPointer(start: map.data, count: Int(clamping: map.size)))
    }
}

// MARK: - Samples

extension GStreamer {
    /// A buffer with its caps and the segment that its times belong to.
    package struct Sample: MiniObjectHandle {
        package let reference: MiniObjectReference

        package init(_ reference: MiniObjectReference) { self.reference = reference }

        /// Creates a sample of a buffer without a segment, so that its times mean nothing.
        package init?(_ buffer: Buffer, _ caps: Caps) {
            guard let sample = gst_sample_new(buffer.pointer(), caps.pointer(), nil, nil) else { return nil }
            self.init(taking: UnsafeMutableRawPointer(sample))
        }

        private var opaque: OpaquePointer { OpaquePointer(pointer(GstMiniObject.self)) }

        package var buffer: BufferView? {
            gst_sample_get_buffer(opaque).map { BufferView($0, owner: reference) }
        }

        package var caps: Caps? { gst_sample_get_caps(opaque).map { Caps(retaining: $0) } }

        package var segment: Segment? { gst_sample_get_segment(opaque).map { Segment($0.pointee) } }

        /// Time at which a player shows the sample, in nanoseconds from the start of the medium; nil when it
        /// never does.
        package var streamTime: UInt64? {
            buffer?.presentationTime.flatMap { segment?.streamTime(of: $0) }
        }

        /// Running time of the sample in nanoseconds; nil when it is outside of its segment, or has no time.
        package var runningTime: UInt64? {
            buffer?.presentationTime.flatMap { segment?.runningTime(of: $0) }
        }

        /// Lends the pixels to `body`; nil when the frame is of another format, or smaller than its caps say.
        package func withImage<Result>(_ format: PixelFormat, _ body: (ImageView) -> Result) -> Result? {
            guard let buffer, let info = caps.flatMap({ VideoInfo($0) }), info.format == format,
                let frame = VideoFrame(mapping: buffer.pointer, as: info, .read)
            else { return nil }
            return body(frame.image)
        }

        /// Passes the C object to `body`.
        package func withOpaque<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(opaque) }
    }
}
