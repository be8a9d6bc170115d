import Imaging
import TestSupport
import Testing

@Suite struct BoxMeanTests {
    @Test(arguments: [1, 2, 4, 20]) func meansAreThoseOfTheWindows(radius: Int) {
        var images = RandomImages()
        let box = BoxMean()
        for (width, height) in awkwardSizes {
            let source = images.random(width, height)
            let target = FloatImage(width, height)
            box.apply(source.base, width: width, height: height, radius: radius, into: target.base)
            let plain = FloatImage(width, height) { source.mean($0, $1, radius: radius) }
            #expect(distance(target.array, plain.array) < 1e-5, "\(width)x\(height)")
        }
    }
}
