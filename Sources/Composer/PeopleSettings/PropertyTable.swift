package import Properties

/// The one table of the properties that hosts offer, of all elements that compose frames.
package enum PropertyTable {
    /// A property of an element.
    package struct Row: Sendable {
        /// The element's name.
        package let element: String
        package let facts: PropertyFacts
        /// The default.
        package let initial: PropertyValue

        package var property: String { facts.name }
    }

    /// The properties, in the order of their groups, and of their places there; those without a control are last.
    package static let rows = ordered(
        rows("blendmask", of: BlendSettings.self) + rows("personsegment", of: PersonSegmentSettings.self)
            + rows("poseoverlay", of: PoseOverlaySettings.self)
            + rows("autoframe", of: FramingSettings.self))

    /// The names of the elements.
    package static let elements = ["blendmask", "personsegment", "poseoverlay", "autoframe"]

    /// Returns the row of a property; nil for one that is not in the table.
    package static func row(_ element: String, _ property: String) -> Row? {
        rows.first { $0.element == element && $0.property == property }
    }

    private static func rows<Settings: ElementSettings>(_ element: String, of type: Settings.Type) -> [Row] {
        Settings.properties.map { Row(element: element, facts: $0.facts, initial: $0.initial) }
    }

    private static func ordered(_ rows: [Row]) -> [Row] {
        rows.enumerated().sorted { one, other in
            let (place, otherPlace) = (one.element.facts.place, other.element.facts.place)
            return place == otherPlace ? one.offset < other.offset : place < otherPlace
        }.map(\.element)
    }
}

extension PropertyFacts {
    /// The numbers of the control's group and of its place there; large numbers without a control.
    package var place: (group: Int, place: Int) {
        guard let control else { return (.max, .max) }
        return (PropertyGroup.allCases.firstIndex(of: control.group) ?? .max, control.place)
    }
}
