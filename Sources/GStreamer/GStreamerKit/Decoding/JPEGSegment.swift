/// A segment of a JPEG file before its samples (ITU-T T.81, annex B).
struct JPEGSegment {
    /// The second byte of its marker: 0xe1 of APP1, 0xe2 of APP2.
    let marker: UInt8
    /// The bytes behind its length; fewer where the file ends before.
    let data: ArraySlice<UInt8>

    /// Returns the segments at the beginning of a file, as far as the given bytes go.
    static func all(of file: [UInt8]) -> [JPEGSegment] {
        guard file.starts(with: [0xff, 0xd8]) else { return [] }
        let startOfScan = 0xda
        var (segments, place) = ([JPEGSegment](), 2)
        while place + 4 <= file.count, file[place] == 0xff, file[place + 1] != startOfScan {
            let end = place + 2 + max(2, Int(file[place + 2]) << 8 | Int(file[place + 3]))
            segments.append(
                JPEGSegment(marker: file[place + 1], data: file[place + 4..<min(end, file.count)]))
            place = end
        }
        return segments
    }
}
