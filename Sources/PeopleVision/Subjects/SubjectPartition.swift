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

    /// Parts that are no subject.
    static let specks = Specks(shareOfFrame: 0.005, shareOfLargest: 0.02)
    /// Parts that are told apart, the largest first; more of them are a texture rather than subjects.
    private static let most = 32

    /// The last frame's, the largest first; the owners' numbers are the places in it.
    package private(set) var subjects: [Subject] = []
    private let nearest = NearestLabel()

    /// Finds the parts.
    ///
    /// - Parameter components: of an image of the partition's size, measured with that image.
    package func divide(_ components: ConnectedComponents) {
        let smallest = Self.specks.smallestArea(beside: components.largestArea, of: owners.count)
        subjects.removeAll(keepingCapacity: true)
        components.forEach { component in
            guard component.area >= smallest else { return }
            subjects.append(
                Subject(
                    box: Rectangle(component, width: owners.width, height: owners.height),
                    confidence: Double(component.sum) / Double(component.area),
                    area: Double(component.area) / Double(owners.count), component: component.id))
        }
        subjects.sort { $0.area > $1.area }
        if subjects.count > Self.most { subjects.removeLast(subjects.count - Self.most) }
        assignOwners(components)
    }

    /// Writes the parts' numbers into `owners`, and those of the nearest everywhere else.
    private func assignOwners(_ components: ConnectedComponents) {
        owners.fill(-1)
        components.paint(on: owners) { component in
            subjects.firstIndex { $0.component == component.id }.map(Float.init)
        }
        nearest.spread(owners)
    }
}
