import CGStreamer
import TestSupport
import Testing

/// A sink that does not accept the source's formats.
struct ConversionTests {
    @Test(arguments: ["YUY2", "I420", "NV12", "RGB"])
    func convertsForItsSink(_ format: String) throws {
        let picture = try astronaut(64, 48).converted(to: caps(format, 64, 48))
        let frame = picture.duplicate()
        try HandMadeMask(width: 64, height: 48) { x, _ in x < 32 ? 255 : 0 }.attach(to: frame)
        let harness = try Harness(
            "blendmask background-color=0xff0000ff", caps: picture.caps,
            downstream: "video/x-raw,format=BGRx")
        let result = try harness.transform(frame)
        let expected = try picture.converted(to: caps("BGRx", 64, 48))
        #expect(result.format == "BGRx")
        #expect(result.width == 64 && result.height == 48)
        for index in 0..<3 {
            let (found, wanted) = (result.samples(index), expected.samples(index))
            for y in 0..<48 {
                #expect(zip(found[y][..<31], wanted[y][..<31]).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
                #expect(found[y][34...].allSatisfy { $0 == (index == 2 ? 255 : 0) })
            }
        }
    }

    @Test func keepsTheFormatWhereTheSinkTakesIt() throws {
        let harness = try Harness(
            "blendmask", caps: caps("NV12", 64, 48), downstream: "video/x-raw,format={BGRx,I420,NV12}")
        #expect(try harness.transform(Frame(caps("NV12", 64, 48))).format == "NV12")
    }

    @Test func refusesToScale() throws {
        let harness = try Harness(
            "blendmask", caps: caps("RGB", 64, 48), downstream: "video/x-raw,width=32,height=24")
        #expect(try harness.push(Frame(caps("RGB", 64, 48))) == GST_FLOW_NOT_NEGOTIATED)
    }
}
