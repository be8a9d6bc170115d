import Imaging
import PeopleVision
import Testing

struct MattingInputTests {
    /// Sizes from a strip to a banner.
    private let sizes = (-30...30).map { step in
        let (longer, shorter) = (1000 + 333 * Double(abs(step)), 1000.0)
        return step > 0 ? Size(width: longer, height: shorter) : Size(width: shorter, height: longer)
    }

    @Test func sidesAreMultiplesOf32() {
        for size in sizes {
            for input in [
                MattingInput(crop: size, pixels: 92_000), MattingInput(frame: size, pixels: 92_000),
                MattingInput(frame: size, shortSide: 512), MattingInput(crop: size, pixels: 1),
            ] {
                #expect(input.width.isMultiple(of: 32) && input.height.isMultiple(of: 32))
                #expect(min(input.width, input.height) >= 128)
            }
        }
    }

    @Test func costsAreNearThoseAskedFor() {
        for size in sizes {
            for input in [
                MattingInput(crop: size, pixels: 92_000), MattingInput(frame: size, pixels: 92_000),
            ] {
                let share = Double(input.width * input.height) / 92_000
                #expect(share > 0.8 && share < 1.2, "\(input.width)x\(input.height)")
            }
        }
    }

    @Test func cropsOfSimilarShapeShareAModel() {
        var inputs: [MattingInput] = []
        for size in sizes {
            let input = MattingInput(crop: size, pixels: 92_000)
            if !inputs.contains(input) { inputs.append(input) }
        }
        #expect(inputs.count == 5)
    }

    @Test func aFramesShorterSideIsTheOneAskedFor() {
        let wide = MattingInput(frame: Size(width: 1920, height: 1080), shortSide: 512)
        #expect([wide.width, wide.height] == [896, 512])
        let tall = MattingInput(frame: Size(width: 1080, height: 1920), shortSide: 512)
        #expect([tall.width, tall.height] == [512, 896])
        // A strip costs no more.
        #expect(MattingInput(frame: Size(width: 9000, height: 1080), shortSide: 512) == wide)
    }

    @Test func aCropOfTheInputsAspectIsSeenUndistorted() {
        let frame = Size(width: 1920, height: 1080)
        let input = MattingInput(crop: Size(width: 300, height: 700), pixels: 92_000)
        let aspect = input.aspect(in: frame) * frame.width / frame.height
        #expect(abs(aspect - Double(input.width) / Double(input.height)) < 1e-9)
    }

    @Test func anEmptyCropHasASizeToo() {
        let input = MattingInput(crop: Size(width: 0, height: 0), pixels: 92_000)
        #expect(input.width > 0 && input.height > 0)
    }
}
