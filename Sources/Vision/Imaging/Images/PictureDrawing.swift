/// The place and the treatment of a picture in a frame.
package struct PicturePlacement: Sendable, Equatable {
    /// The fit in the frame.
    package var fit = PictureFit.cover
    /// Whether left and right are exchanged.
    package var isMirrored = false
    /// The colour around the picture.
    package var border = RGBColor.black
    /// Whether the frame is stored with its top and bottom exchanged.
    package var isUpsideDown = false

    /// Creates the usual placement: the picture fills the frame.
    package init() {}
}

extension MutableImageView {
    /// Fills the image with a picture, in the image's own format.
    ///
    /// Colours are those of a screen; white becomes reference white where the image's transfer goes beyond.
    /// Memory is allocated, of three floats a pixel: for pictures, not for frames.
    ///
    /// - Throws: `SamplingError`, never for a picture of a size that an image may have.
    package func draw(_ picture: ImageView, _ placement: PicturePlacement) throws(SamplingError) {
        let (part, place) = placement.fit.placement(
            of: (picture.width, picture.height), in: (width, height))
        let count = 3 * place.width * place.height
        let pixels = ScratchBuffer<Float>()
        let tensor = UnsafeMutableBufferPointer(start: pixels.reserve(count), count: count)
        let sampler = try TensorSampler(TensorInput(width: place.width, height: place.height, filter: .area))
        let crop = Rectangle(
            x: Double(part.x) / Double(picture.width), y: Double(part.y) / Double(picture.height),
            width: Double(part.width) / Double(picture.width),
            height: Double(part.height) / Double(picture.height))
        try sampler.sample(picture, region: .crop(crop), into: tensor)
        let repeats = placement.fit == .tile
        let drawn = DrawnPicture(pixels: pixels, place: place, repeats: repeats, placement, width, height)
        let encoder = ColorEncoder(format.layout, colorimetry)
        if format.layout.bytesPerSample == 1 {
            write(drawn, encoder, UInt8.self)
        } else {
            write(drawn, encoder, UInt16.self)
        }
    }

    private func write<Sample: PixelSample>(_ picture: DrawnPicture, _ encoder: ColorEncoder, _: Sample.Type)
    {
        let layout = format.layout
        // Padding inside pixels, and alpha, are full.
        for index in 0..<layout.planeCount {
            let samples = layout.rowSamples(plane: index, width: width)
            for y in 0..<layout.rows(plane: index, height: height) {
                let row: UnsafeMutablePointer<Sample> = plane(index).samples(y)
                row.update(repeating: .max, count: samples)
            }
        }
        for index in 0..<layout.colorCount {
            let part = layout.component(index)
            let across = 1 << part.widthShift
            let isBetween = across > 1 && colorimetry.chromaSite.cositedHorizontally
            for y in 0..<part.sampleHeight(height) {
                let row: UnsafeMutablePointer<Sample> = plane(part.plane).samples(y)
                for x in 0..<part.sampleWidth(width) {
                    // A sample at the left one of two pixels also counts that pixel's left neighbour.
                    let first = x << part.widthShift - (isBetween ? across / 2 : 0)
                    let color = picture.mean(
                        first..<first + across + (isBetween ? 1 : 0),
                        y << part.heightShift..<(y + 1) << part.heightShift, isWeighted: isBetween)
                    row[part.first + x &* part.step] = encoder.sample(color, component: index)
                }
            }
        }
    }
}

extension MutableImageView {
    /// Blends transparent pixels with a colour beneath; does nothing in formats of other than 8 bits R, G, B, alpha.
    package func flatten(on color: RGBColor) {
        let layout = format.layout
        guard layout.model == .rgb, layout.bytesPerSample == 1, let alpha = layout.alpha else { return }
        let below = (color.red, color.green, color.blue)
        for y in 0..<height {
            let row = plane(0).row(y)
            for x in 0..<width {
                let pixel = row + x &* alpha.step
                let share = UInt32(pixel[alpha.first])
                guard share < 255 else { continue }
                for index in 0..<3 {
                    let under = UInt32(index == 0 ? below.0 : index == 1 ? below.1 : below.2)
                    let place = layout.component(index).first
                    let sum = UInt32(pixel[place]) &* share &+ under &* (255 &- share)
                    pixel[place] = UInt8(truncatingIfNeeded: (sum &+ 127) / 255)
                }
                pixel[alpha.first] = .max
            }
        }
    }
}

/// A picture as it appears in a frame.
private struct DrawnPicture {
    private let pixels: ScratchBuffer<Float>
    private let place: PixelRect
    private let repeats: Bool
    private let placement: PicturePlacement
    private let (width, height): (Int, Int)
    private let border: SIMD3<Float>

    init(
        pixels: ScratchBuffer<Float>, place: PixelRect, repeats: Bool, _ placement: PicturePlacement,
        _ width: Int, _ height: Int
    ) {
        (self.pixels, self.place, self.repeats, self.placement) = (pixels, place, repeats, placement)
        (self.width, self.height) = (width, height)
        let color = placement.border
        border = SIMD3(Float(color.red), Float(color.green), Float(color.blue)) / 255
    }

    /// Returns the mean colour of some pixels, R'G'B' in 0...1; pixels outside of the frame are those at its edge.
    ///
    /// - Parameter isWeighted: whether the outer columns count half.
    func mean(_ columns: Range<Int>, _ rows: Range<Int>, isWeighted: Bool) -> SIMD3<Float> {
        if columns.count == 1, rows.count == 1 { return color(columns.lowerBound, rows.lowerBound) }
        var (sum, weights) = (SIMD3<Float>(), Float(0))
        for y in rows {
            for x in columns {
                let isOuter = isWeighted && (x == columns.lowerBound || x == columns.upperBound - 1)
                let weight: Float = isOuter ? 0.5 : 1
                sum += weight * color(x, y)
                weights += weight
            }
        }
        return sum / weights
    }

    private func color(_ x: Int, _ y: Int) -> SIMD3<Float> {
        var (x, y) = (min(max(x, 0), width - 1), min(max(y, 0), height - 1))
        if placement.isMirrored { x = width - 1 - x }
        if placement.isUpsideDown { y = height - 1 - y }
        if repeats {
            (x, y) = (x % place.width, y % place.height)
        } else {
            (x, y) = (x - place.x, y - place.y)
        }
        guard (0..<place.width).contains(x), (0..<place.height).contains(y) else { return border }
        let pixel = pixels.base + 3 * (y * place.width + x)
        return SIMD3(pixel[0], pixel[1], pixel[2])
    }
}

/// The conversion of colours to the samples of a format.
private struct ColorEncoder {
    private let layout: PixelLayout
    private let colorimetry: Colorimetry
    private let levels: CodeLevels

    init(_ layout: PixelLayout, _ colorimetry: Colorimetry) {
        (self.layout, self.colorimetry) = (layout, colorimetry)
        levels = CodeLevels(layout, colorimetry)
    }

    /// Returns a component of a colour, R'G'B' in 0...1, as it is stored.
    func sample<Sample: PixelSample>(_ color: SIMD3<Float>, component: Int) -> Sample {
        let rgb = ReferenceWhite.placed(color, in: colorimetry)
        let values =
            levels.black + levels.swing * RGBColor.components(rgb, layout.model, colorimetry.matrix)
        let code = min(max(values[component], 0), Float(layout.maximum)).rounded()
        return Sample(truncatingIfNeeded: Int(code) << layout.shift)
    }
}

/// The fit of a picture of one shape in a frame of another.
package enum PictureFit: String, CaseIterable, Sendable {
    /// Fills the frame; parts that stick out are cut off evenly.
    case cover
    /// Shows the whole picture; the rest of the frame stays free.
    case contain
    /// Fills the frame without keeping the picture's proportions.
    case stretch
    /// Repeats the picture at its own size, from the upper left corner.
    case tile
}

extension PictureFit {
    /// Returns the shown part of the picture, and its place in the frame; for `tile` those of the first tile.
    ///
    /// - Parameters:
    ///   - picture: size of the picture in pixels.
    ///   - frame: size of the frame in pixels.
    ///   - pixelAspect: width divided by height of a picture's pixel as the frame would show it: the
    ///     picture's pixel aspect ratio divided by the frame's, 1 when both are the same.
    package func placement(
        of picture: (width: Int, height: Int), in frame: (width: Int, height: Int), pixelAspect: Double = 1
    ) -> (source: PixelRect, destination: PixelRect) {
        let whole = PixelRect(x: 0, y: 0, width: max(1, picture.width), height: max(1, picture.height))
        let all = PixelRect(x: 0, y: 0, width: max(1, frame.width), height: max(1, frame.height))
        let correction = pixelAspect.isFinite && pixelAspect > 0 ? pixelAspect : 1
        switch self {
        case .stretch:
            return (whole, all)
        case .cover:
            let aspect = Double(all.width) / Double(all.height) / correction
            return (.centred(aspect: aspect, in: whole.width, whole.height), all)
        case .contain:
            let aspect = Double(whole.width) / Double(whole.height) * correction
            return (whole, .centred(aspect: aspect, in: all.width, all.height))
        case .tile:
            let shown = PixelRect(
                x: 0, y: 0, width: pixels(Double(whole.width) * correction, atMost: all.width),
                height: min(all.height, whole.height))
            let columns = pixels(Double(shown.width) / correction, atMost: whole.width)
            return (PixelRect(x: 0, y: 0, width: columns, height: shown.height), shown)
        }
    }
}

extension PixelRect {
    /// Returns the largest rectangle of `aspect` (width over height, in pixels) in the middle of `width` x
    /// `height`.
    static func centred(aspect: Double, in width: Int, _ height: Int) -> PixelRect {
        let wide = (Double(height) * aspect).rounded()
        let high = (Double(width) / aspect).rounded()
        let fitWidth = wide >= Double(width) ? width : max(1, Int(wide))
        let fitHeight = high >= Double(height) ? height : max(1, Int(high))
        return PixelRect(
            x: (width - fitWidth) / 2, y: (height - fitHeight) / 2, width: fitWidth, height: fitHeight)
    }
}

/// Returns the nearest number of pixels, at least one.
private func pixels(_ count: Double, atMost limit: Int) -> Int {
    count < Double(limit) ? max(1, Int(count.rounded())) : limit
}
