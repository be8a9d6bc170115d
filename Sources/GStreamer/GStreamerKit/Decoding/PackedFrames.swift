import CGStreamer
import Imaging

extension GStreamer {
    /// Frames of a stream in the layout of pipes and files: rows and planes follow each other without
    /// padding.
    package struct PackedFrames: @unchecked Sendable {
        // Unchecked: the pool has a lock of its own.

        /// Bytes of a frame.
        package let byteCount: Int
        private let info: VideoInfo
        private let layout: PixelLayout
        /// Buffers in GStreamer's layout, which pads rows to four bytes.
        private let pool: MemoryPool

        /// Returns nil for caps that are not raw video in a known format.
        package init?(_ caps: Caps) {
            guard let info = VideoInfo(caps), info.isAccessible, let layout = info.format?.layout,
                let pool = MemoryPool(byteCount: Int(clamping: info.raw.size))
            else { return nil }
            (self.info, self.layout, self.pool) = (info, layout, pool)
            byteCount = (0..<layout.planeCount).reduce(0) { sum, plane in
                sum + layout.rowBytes(plane: plane, width: info.width)
                    * layout.rows(plane: plane, height: info.height)
            }
        }

        /// Whether GStreamer's layout has no padding either.
        private var isUnpadded: Bool { Int(clamping: info.raw.size) == byteCount }

        /// Makes a buffer with a frame.
        ///
        /// - Parameter fill: writes the packed frame to `byteCount` bytes.
        /// - Returns: nil when memory is short.
        package func buffer<Failure: Error>(
            _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
        ) throws(Failure) -> Buffer? {
            guard let memory = pool.acquire() else { return nil }
            var outcome: Result<Void, Failure> = .success(())
            func attempt(_ bytes: UnsafeMutableRawBufferPointer) {
                do throws(Failure) { try fill(bytes) } catch { outcome = .failure(error) }
            }
            var isFilled = true
            if isUnpadded {
                isFilled = memory.withMutableBytes(attempt)
            } else {
                withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 16) { bytes in
                    attempt(bytes)
                    isFilled = unpack(UnsafeRawBufferPointer(bytes), to: memory.raw)
                }
            }
            try outcome.get()
            return isFilled ? Buffer(retaining: memory.raw) : nil
        }

        /// Lends the packed bytes of a frame to `body`.
        ///
        /// - Returns: false when the buffer contains no such frame.
        package func withBytes<Failure: Error>(
            of buffer: BufferView, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
        ) throws(Failure) -> Bool {
            guard let frame = VideoFrame(mapping: buffer.pointer, as: info, .read) else { return false }
            var outcome: Result<Void, Failure> = .success(())
            func attempt(_ bytes: UnsafeRawBufferPointer) {
                do throws(Failure) { try body(bytes) } catch { outcome = .failure(error) }
            }
            if isPacked(frame.image) {
                attempt(UnsafeRawBufferPointer(start: frame.image.plane(0).base, count: byteCount))
            } else {
                withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 16) { bytes in
                    pack(frame.image, into: bytes)
                    attempt(UnsafeRawBufferPointer(bytes))
                }
            }
            try outcome.get()
            return true
        }

        // MARK: - Rows

        /// Calls `body` with each row's plane, number, position in the packed frame and length.
        private func forEachRow(_ body: (_ plane: Int, _ row: Int, _ place: Int, _ count: Int) -> Void) {
            var place = 0
            for plane in 0..<layout.planeCount {
                let count = layout.rowBytes(plane: plane, width: info.width)
                for row in 0..<layout.rows(plane: plane, height: info.height) {
                    body(plane, row, place, count)
                    place += count
                }
            }
        }

        private func isPacked(_ image: ImageView) -> Bool {
            let first = image.plane(0).base
            var isPacked = true
            forEachRow { plane, row, place, _ in
                let isInPlace = UnsafeRawPointer(image.plane(plane).row(row)) == first + place
                isPacked = isPacked && isInPlace
            }
            return isPacked
        }

        private func pack(_ image: ImageView, into bytes: UnsafeMutableRawBufferPointer) {
            forEachRow { plane, row, place, count in
                let source = UnsafeRawBufferPointer(start: image.plane(plane).row(row), count: count)
                UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + count]).copyMemory(from: source)
            }
        }

        private func unpack(_ bytes: UnsafeRawBufferPointer, to buffer: UnsafeMutablePointer<GstBuffer>)
            -> Bool
        {
            guard let frame = VideoFrame(mapping: buffer, as: info, .readWrite),
                let image = frame.mutableImage
            else { return false }
            forEachRow { plane, row, place, count in
                let target = UnsafeMutableRawBufferPointer(start: image.plane(plane).row(row), count: count)
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place..<place + count]))
            }
            return true
        }
    }
}
