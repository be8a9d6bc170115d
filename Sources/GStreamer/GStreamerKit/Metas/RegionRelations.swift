import CGStreamer

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
