/// Capital letters of straight strokes, for a few words in a frame.
extension ShapeRasterizer {
    /// Writes two lines into the middle of the frame, white with a black rim, so that they are legible before any
    /// picture.
    ///
    /// - Parameter lines: capital letters, spaces and hyphens; other characters leave a space. Each line has the size
    ///   that fits.
    package func writeSign(_ lines: (StaticString, StaticString)) {
        let middle = Double(frame.height) / 2
        write(lines.0, aroundRow: middle - Letter.largestHeight * Double(frame.height))
        write(lines.1, aroundRow: middle + Letter.largestHeight * Double(frame.height))
    }

    private func write(_ line: StaticString, aroundRow row: Double) {
        let cells = Double(line.utf8CodeUnitCount) * Letter.advance - (Letter.advance - Letter.width)
        let unit = min(
            Letter.largestShare * Double(frame.width) / max(1, cells),
            Letter.largestHeight * Double(frame.height) / Letter.height)
        let start = Point(
            x: (Double(frame.width) - cells * unit) / 2, y: row - Letter.height * unit / 2)
        draw(line, at: start, unit, width: Letter.rim * unit, .black)
        draw(line, at: start, unit, width: unit, .white)
    }

    private func draw(
        _ line: StaticString, at start: Point, _ unit: Double, width: Double, _ color: RGBColor
    ) {
        line.withUTF8Buffer { letters in
            for (index, letter) in letters.enumerated() {
                let place = Point(x: start.x + Double(index) * Letter.advance * unit, y: start.y)
                draw(strokes: Letter.strokes(letter), at: place, unit, width: width, color)
            }
        }
    }

    /// Draws the strokes of a letter: columns and rows of points as digits; a space begins another stroke.
    private func draw(
        strokes: StaticString, at place: Point, _ unit: Double, width: Double, _ color: RGBColor
    ) {
        strokes.withUTF8Buffer { digits in
            var (last, index): (Point?, Int) = (nil, 0)
            while index + 1 < digits.count {
                if digits[index] == UInt8(ascii: " ") {
                    (last, index) = (nil, index + 1)
                    continue
                }
                let (x, y) = (Double(digits[index]) - 48, Double(digits[index + 1]) - 48)
                let point = Point(x: place.x + x * unit, y: place.y + y * unit)
                if let last { line(from: last, to: point, width: width, color: color) }
                (last, index) = (point, index + 2)
            }
        }
    }
}

/// The strokes of the letters, on a grid of 4 x 6 units.
private enum Letter {
    static let (width, height, advance) = (4.0, 6.0, 6.0)
    /// Width of the black strokes below the white ones.
    static let rim = 2.4
    /// Maximum width of a line, in frame widths.
    static let largestShare = 0.9
    /// Maximum height of a letter, in frame heights.
    static let largestHeight = 0.08

    static func strokes(_ letter: UInt8) -> StaticString {
        switch letter {
        case UInt8(ascii: "A"): "0602204246 0444"
        case UInt8(ascii: "B"): "003041423303 334445360600"
        case UInt8(ascii: "C"): "4130100105163645"
        case UInt8(ascii: "D"): "00204244260600"
        case UInt8(ascii: "E"): "40000646 0333"
        case UInt8(ascii: "F"): "400006 0333"
        case UInt8(ascii: "G"): "41301001051636454323"
        case UInt8(ascii: "H"): "0006 4046 0343"
        case UInt8(ascii: "I"): "2026"
        case UInt8(ascii: "J"): "4045361605"
        case UInt8(ascii: "K"): "0006 400346"
        case UInt8(ascii: "L"): "000646"
        case UInt8(ascii: "M"): "0600234046"
        case UInt8(ascii: "N"): "06004640"
        case UInt8(ascii: "O"): "103041453616050110"
        case UInt8(ascii: "P"): "06003041423303"
        case UInt8(ascii: "Q"): "103041453616050110 3446"
        case UInt8(ascii: "R"): "06003041423303 2346"
        case UInt8(ascii: "S"): "413010010213334445361605"
        case UInt8(ascii: "T"): "0040 2026"
        case UInt8(ascii: "U"): "000516364540"
        case UInt8(ascii: "V"): "002640"
        case UInt8(ascii: "W"): "0016233640"
        case UInt8(ascii: "X"): "0046 4006"
        case UInt8(ascii: "Y"): "002340 2326"
        case UInt8(ascii: "Z"): "00400646"
        case UInt8(ascii: "-"): "1333"
        default: ""
        }
    }
}
