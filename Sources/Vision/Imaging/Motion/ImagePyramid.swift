/// An image at its own size, at half of it and at a quarter.
package struct ImagePyramid {
    static let levels = 3
    /// The image at its own size first.
    let images = (0..<levels).map { _ in FloatImage() }

    /// Creates an empty pyramid.
    package init() {}

    /// Takes an image.
    package func fill(_ image: FloatImage) {
        images[0].copy(image)
        for level in 1..<Self.levels { images[level].copy(halfOf: images[level - 1]) }
    }
}
