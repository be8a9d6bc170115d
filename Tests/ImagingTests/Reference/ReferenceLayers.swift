import Imaging
import TestSupport

/// The definitions of shadow, outline and light wrap at the mask's resolution, in doubles.
struct ReferenceLayers {
    let mask: TestMask
    let frame: ImageView

    private var coverage: [[Double]] { mask.values.map { $0.map(Double.init) } }
    private var width: Int { mask.view.width }
    private var height: Int { mask.view.height }
    private var aspect: Double { Double(frame.width) / Double(frame.height) }

    private func layer(_ values: [[Double]]) -> ReferenceMask {
        let layer = TestMask(.f32, width, height)
        layer.fill { x, y in Float(min(max(values[y][x], 0), 1)) }
        return ReferenceMask(layer, frame: frame)
    }

    /// Returns the coverage blurred by a standard deviation in frame heights.
    private func blurred(_ radius: Double) -> [[Double]] {
        let (across, down) = (radius * Double(width) / aspect, radius * Double(height))
        return ReferenceBoxes.blur(coverage, across: across * across, down: down * down)
    }

    /// Returns the darkness of the shadow: the blurred coverage, displaced.
    func shadow(_ shadow: Shadow) -> ReferenceMask {
        let values = blurred(shadow.radius)
        let (dx, dy) = (shadow.x * Double(width) / aspect, shadow.y * Double(height))
        return layer(
            (0..<height).map { y in
                (0..<width).map { x in
                    shadow.opacity * Self.between(values, x: Double(x) - dx, y: Double(y) - dy)
                }
            })
    }

    private static func between(_ values: [[Double]], x: Double, y: Double) -> Double {
        let (x, y) = (min(max(x, 0), Double(values[0].count - 1)), min(max(y, 0), Double(values.count - 1)))
        let (left, top) = (Int(x), Int(y))
        let (right, bottom) = (min(left + 1, values[0].count - 1), min(top + 1, values.count - 1))
        let (u, v) = (x - Double(left), y - Double(top))
        let (upper, lower) = (values[top], values[bottom])
        return (upper[left] * (1 - u) + upper[right] * u) * (1 - v)
            + (lower[left] * (1 - u) + lower[right] * u) * v
    }

    /// Returns the outline's coverage at a place: distances to the contour, smoothed over neighbours, cut off
    /// at the width by an edge of two pixels.
    func halo(_ halo: Halo) -> (SamplePlace) -> Double {
        let spacing = (x: aspect / Double(width), y: 1 / Double(height))
        let ramp = 8 * max(spacing.x, spacing.y)
        let distances = distances(spacing, furthest: halo.width + ramp)
        let smooth = ReferenceBoxes.blur(distances, across: 0.7, down: 0.7)
        let layer = layer(smooth.map { $0.map { 0.5 + (halo.width - $0) / ramp } })
        let steepness = max(1, ramp * Double(frame.height) / 2)
        return { min(max((layer[$0] - 0.5) * steepness + 0.5, 0), 1) }
    }

    private func distances(_ spacing: (x: Double, y: Double), furthest: Double) -> [[Double]] {
        let (coverage, cell) = (coverage, min(spacing.x, spacing.y))
        let places = coverage.indices.flatMap { y in coverage[y].indices.map { (x: $0, y: y) } }
        let seeds = places.filter { coverage[$0.y][$0.x] > 0.05 }.map { place in
            (place: place, own: max(0, 0.5 - coverage[place.y][place.x]) * cell)
        }
        return (0..<height).map { y in
            (0..<width).map { x in
                let squares = seeds.map { seed in
                    let dx = Double(x - seed.place.x) * spacing.x
                    let dy = Double(y - seed.place.y) * spacing.y
                    return dx * dx + dy * dy + seed.own * seed.own
                }
                return min(squares.min()?.squareRoot() ?? .infinity, furthest)
            }
        }
    }

    /// Returns the fraction of a white background's light on the subject's edge.
    func edgeLight(strength: Double) -> ReferenceMask {
        let (coverage, surroundings) = (coverage, blurred(0.015))
        return layer(
            (0..<height).map { y in
                (0..<width).map { x in
                    0.5 * strength * coverage[y][x] * min(1, max(0, 2 * (1 - surroundings[y][x])))
                }
            })
    }
}
