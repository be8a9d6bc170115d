import Imaging
import Properties

/// The settings with which the room behind the people stays hidden.
package enum HiddenRoom {
    /// Returns the setting that shows the room, and its effect, as a phrase; nil while the room is hidden.
    ///
    /// - Parameter text: a property's text, as GStreamer writes it; nil for one that is not set.
    package static func fault(_ text: (_ element: String, _ property: String) -> String?) -> String? {
        let backdrop = Backdrop { text("blendmask", $0) }
        guard backdrop.room != .sharp else {
            return backdrop.inverts || backdrop.resolved != .original
                ? "the room is kept"
                : "a blur of less than \(Int(Backdrop.minimumBlur)) does not hide the room"
        }
        for row in PropertyTable.rows {
            guard let rule = row.facts.roomRule, let value = text(row.element, row.property),
                !rule.allows(value)
            else { continue }
            return rule.fault(of: "\(row.property)=\(value)")
        }
        return nil
    }
}

extension RoomRule {
    /// The phrase for a setting that breaks the rule.
    fileprivate func fault(of setting: String) -> String {
        switch self {
        case .range: "\(setting) shows some of the room"
        case .texts: "\(setting) shows the room in frames without a mask"
        case .unset: "a model of your own may show the room"
        }
    }
}
