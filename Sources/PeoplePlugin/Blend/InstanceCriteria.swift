import GStreamerKit
import Imaging

/// Whom a user asks for: the properties `instances`, `instances-at` and `instances-except`, read once.
struct InstanceCriteria: Equatable {
    /// Ids of people; empty for none.
    var ids: [Int] = []
    /// A point on a person, normalised to 0...1 of the frame as stored.
    var point: Point?
    /// Ids of people who are left out.
    var exceptions: [Int] = []

    /// Whether anything is asked for.
    var isEmpty: Bool { ids.isEmpty && point == nil && exceptions.isEmpty }

    /// Reads the properties.
    ///
    /// - Throws: when one of them is malformed.
    init(_ settings: BlendSettings) throws(ElementError) {
        ids = try Self.ids(settings.instances, of: "instances")
        exceptions = try Self.ids(settings.instancesExcept, of: "instances-except")
        guard let text = settings.instancesAt, !text.isEmpty else { return }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Self.share($0) }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else {
            throw Self.malformed(
                "instances-at", text, wanted: "a point as fractions of the frame, such as 0.4,0.5")
        }
        point = Point(x: x, y: y)
    }

    /// Nothing is asked for.
    init() {}

    private static func ids(_ text: String?, of property: String) throws(ElementError) -> [Int] {
        guard let text, !text.isEmpty else { return [] }
        var ids: [Int] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let id = Int(trimmed(word)), id > 0 else {
                throw malformed(property, text, wanted: "ids of people, such as 1,3")
            }
            ids.append(id)
        }
        return ids
    }

    private static func share(_ text: Substring) -> Double? {
        Double(trimmed(text)).flatMap { (0...1).contains($0) ? $0 : nil }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " }
        return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
    }

    private static func malformed(_ property: String, _ text: String, wanted: String) -> ElementError {
        ElementError(.librarySettings, "\(property) is \"\(text)\"; it must be \(wanted).")
    }
}
