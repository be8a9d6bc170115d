package import Imaging

/// Divides a mask among the connected parts of a coarse one: every value belongs to the nearest.
package final class SubjectPartition: MaskParts {
    /// A connected part, in the unit square.
    package struct Subject: Equatable {
        package let box: Rectangle
        /// Mean coverage.
        package let confidence: Double
        /// Share of the frame.
        package let area: Double
        fileprivate let component: Int
    }

    /// Parts smaller than this share of the frame, and than the next of the largest part, are specks.
    private static let smallest = (ofFrame: 0.005, ofLargest: 0.02)
    /// Parts that are told apart, the largest first; more of them are a texture rather than subjects.
    private static let most = 32

    /// The last frame's, the largest first; the owners' numbers are the places in it.
    package private(set) var subjects: [Subject] = []
    private var areas: [Int] = []
    private let nearest = NearestLabel()

    /// Values that a part needs not to be a speck, of an image of `count`.
    static func smallestArea(_ components: ConnectedComponents, of count: Int) -> Int {
        let share = min(
            smallest.ofFrame * Double(count), smallest.ofLargest * Double(components.largestArea))
        return max(1, Int(share.rounded(.up)))
    }

    /// Finds the parts.
    ///
    /// - Parameter components: of an image of the partition's size, measured with that image.
    package func divide(_ components: ConnectedComponents) {
        let (width, height) = (Double(owners.width), Double(owners.height))
        let smallest = Self.smallestArea(components, of: owners.count)
        subjects.removeAll(keepingCapacity: true)
        components.forEach { component in
            guard component.area >= smallest else { return }
            let box = Rectangle(
                x: Double(component.left) / width, y: Double(component.top) / height,
                width: Double(component.right - component.left) / width,
                height: Double(component.bottom - component.top) / height)
            subjects.append(
                Subject(
                    box: box, confidence: Double(component.sum) / Double(component.area),
                    area: Double(component.area) / (width * height), component: component.id))
        }
        subjects.sort { $0.area > $1.area }
        if subjects.count > Self.most { subjects.removeLast(subjects.count - Self.most) }
        own(components)
    }

    /// Writes the parts' numbers into `owners`, and those of the nearest everywhere else.
    private func own(_ components: ConnectedComponents) {
        owners.fill(-1)
        components.paint(on: owners) { component in
            subjects.firstIndex { $0.component == component.id }.map(Float.init)
        }
        nearest.spread(owners)
    }
}
