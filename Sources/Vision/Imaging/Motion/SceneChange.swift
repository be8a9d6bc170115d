/// Finds the frames at which a video cuts to another scene.
package struct SceneChange {
    /// Number of samples that are compared, across and down.
    private static let grid = (x: 48, y: 27)
    /// Mean difference of samples from the last frame, of full scale, below which there is no cut.
    private static let minimumDifference = 0.1
    /// Multiple of the usual difference that a cut exceeds: fast motion and noise change all frames.
    private static let outstanding = 4.0
    /// Weight of a frame in the usual difference.
    private static let weight = 0.2

    private var last: [Int32] = []
    private var usual = 0.0

    /// Creates a search that has seen no frame.
    package init() {}

    /// Forgets the last frame.
    package mutating func reset() {
        last.removeAll(keepingCapacity: true)
        usual = 0
    }

    /// Returns whether a frame is the first of another scene than the last; false for the very first.
    package mutating func isCut(_ image: ImageView) -> Bool {
        let layout = image.format.layout
        // Green is nearest to brightness.
        let part = layout.component(layout.model == .rgb ? 1 : 0)
        let sum =
            layout.bytesPerSample == 1
            ? compare(image, part, UInt8.self) : compare(image, part, UInt16.self)
        let count = Self.grid.x * Self.grid.y
        guard let sum else { return false }
        let difference = Double(sum) / Double(count) / Double(layout.maximum << layout.shift)
        let isCut = difference > max(Self.minimumDifference, Self.outstanding * usual)
        usual += Self.weight * ((isCut ? 0 : difference) - usual)
        return isCut
    }

    /// Stores the frame's samples; returns the sum of their differences from those before, nil if there are none.
    private mutating func compare<Sample: PixelSample>(
        _ image: ImageView, _ part: ComponentLayout, _: Sample.Type
    ) -> Int? {
        let isFirst = last.isEmpty
        if isFirst { last = [Int32](repeating: 0, count: Self.grid.x * Self.grid.y) }
        var sum = 0
        for row in 0..<Self.grid.y {
            let y = (2 * row + 1) * image.height / (2 * Self.grid.y)
            let samples: UnsafePointer<Sample> = image.plane(part.plane).samples(min(y, image.height - 1))
            for column in 0..<Self.grid.x {
                let x = min((2 * column + 1) * image.width / (2 * Self.grid.x), image.width - 1)
                let value = Int32(truncatingIfNeeded: samples[part.first + x * part.step])
                let index = row * Self.grid.x + column
                sum += Int(abs(value &- last[index]))
                last[index] = value
            }
        }
        return isFirst ? nil : sum
    }
}
