import Imaging
import TestSupport

/// One sample of an image, with its component.
struct SamplePlace {
    let plane: Int
    let row: Int
    let index: Int
    /// The colour component, 3 for alpha, nil for padding.
    let part: Int?

    /// Returns all samples of images like `image`.
    static func all(of image: TestImage) -> [SamplePlace] {
        let layout = image.view.format.layout
        return (0..<layout.planeCount).flatMap { plane in
            (0..<layout.rows(plane: plane, height: image.view.height)).flatMap { row in
                (0..<image.sampleCount(plane: plane)).map { index in
                    let part = part(plane, index * layout.bytesPerSample, layout)
                    return SamplePlace(plane: plane, row: row, index: index, part: part)
                }
            }
        }
    }

    private static func part(_ plane: Int, _ byte: Int, _ layout: PixelLayout) -> Int? {
        let isOwner = { (part: ComponentLayout) in
            part.plane == plane && byte % part.pixelStride == part.offset % part.pixelStride
        }
        if let alpha = layout.alpha, isOwner(alpha) { return 3 }
        return (0..<layout.colorCount).first { isOwner(layout.component($0)) }
    }
}

extension TestImage {
    /// The code value at a place.
    subscript(place: SamplePlace) -> Double { Double(self[plane: place.plane, place.row, place.index]) }

    /// Returns the largest difference from the expected values; nil means any value.
    func worst(_ expected: (SamplePlace) -> Double?) -> Double {
        var worst = 0.0
        for place in SamplePlace.all(of: self) {
            if let value = expected(place) { worst = max(worst, abs(self[place] - value)) }
        }
        return worst
    }

    /// The largest code value.
    var maximum: Double { Double(view.format.layout.maximum) }
}

extension ReferenceMask {
    /// The mask's value from 0 to 1 at a place.
    subscript(place: SamplePlace) -> Double {
        value(plane: place.plane, row: place.row, index: place.index)
    }
}

extension ReferenceColor {
    /// Returns a colour's code value for a component; alpha and padding are full.
    func code(_ color: RGBColor, _ part: Int?) -> Double {
        guard let part, part < 3 else { return Double(format.layout.maximum) }
        return components(color)[part]
    }
}

extension MaskCompositor {
    /// Composes, and keeps image and mask alive meanwhile.
    func composite(_ frame: TestImage, _ mask: TestMask, _ composition: Composition) throws {
        try withExtendedLifetime((frame, mask)) {
            try composite(frame.mutableView, mask: mask.view, composition)
        }
    }
}
