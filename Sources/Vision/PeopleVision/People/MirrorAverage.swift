import Imaging

/// Averages the people of a view of an image and those of its mirror image, where both show the same people.
///
/// A detector puts boxes of different widths around a person in both. With their mean, the masks of an image and of its mirror
/// image differ less.
package struct MirrorAverage {
    /// The intersection over union from which two boxes show one person.
    private let samePerson: Double
    /// The score from which a person must be in both, 0...1.
    private let certain: Double

    /// Creates an average of detections with these limits.
    package init(samePerson: Double, certain: Double) {
        (self.samePerson, self.certain) = (samePerson, certain)
    }

    /// Replaces boxes and scores of `people` by their means with those of the mirror image, if both show the same people.
    ///
    /// - Parameter mirrored: the people of the mirror image, in its unit square.
    package func apply(to people: inout [BoxDetection], mirrored: [BoxDetection]) {
        var others = mirrored.filter(isCertain).map {
            BoxDetection(box: FrameTransform.mirrored.map($0.box), score: $0.score)
        }
        var means: [(index: Int, BoxDetection)] = []
        for index in people.indices where isCertain(people[index]) {
            let box = people[index].box
            guard
                let nearest = others.indices.max(by: {
                    others[$0].box.overlap(with: box) < others[$1].box.overlap(with: box)
                }),
                others[nearest].box.overlap(with: box) >= samePerson
            else { return }
            means.append((index, mean(people[index], others.remove(at: nearest))))
        }
        guard others.isEmpty else { return }
        for (index, mean) in means { people[index] = mean }
    }

    private func isCertain(_ person: BoxDetection) -> Bool { person.score >= certain }

    private func mean(_ one: BoxDetection, _ other: BoxDetection) -> BoxDetection {
        let (a, b) = (one.box, other.box)
        let box = Rectangle(
            x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, width: (a.width + b.width) / 2,
            height: (a.height + b.height) / 2)
        return BoxDetection(box: box, score: (one.score + other.score) / 2)
    }
}
