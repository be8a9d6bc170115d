import Imaging

/// The rule for people who stand out in a frame.
///
/// A person of height h stands out if h >= share * t * t, where t is the tallest person's height, both as
/// shares of the frame's height. Where one person fills the frame, only people of about the same height
/// stand out; in a wide shot all do.
struct Prominence: Equatable, Sendable {
    let share: Double

    /// Whether a person in `box` stands out next to a person whose box is `tallest` of the frame high.
    func includes(_ box: Rectangle, tallest: Double) -> Bool { box.height >= share * tallest * tallest }
}
