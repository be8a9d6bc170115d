import CGStreamer
import Foundation
import TestSupport
import Testing

/// The built plugin's facepose: its metadata, and the signs of its angles.
struct FacePoseTests {
    @Test func attachesTheFaceAndItsRegion() throws {
        let frame = try faces(of: astronaut(512, 512)).frame
        let meta = try #require(FacesMeta(frame))
        #expect(meta.frameSize == [512, 512])
        let face = try #require(meta.faces.first)
        #expect(meta.faces.count == 1 && face.confidence > 0.5)
        // The portrait's face is around (225, 118).
        let center = [face.box[0] + face.box[2] / 2, face.box[1] + face.box[3] / 2]
        #expect(abs(center[0] - 0.44) < 0.05 && abs(center[1] - 0.24) < 0.06, "\(center)")
        let region = try #require(Region.all(of: frame).first)
        #expect(region.kind == "face" && region.id == face.id)
        for (pixel, share) in zip(region.box, face.box) { #expect(abs(Double(pixel) - share * 512) <= 2) }
    }

    @Test func findsNobodyInAPlainImage() throws {
        let frame = try Frame(caps("RGB", 320, 240))
        for component in 0..<3 { frame.fill(component) { _, _ in 120 } }
        #expect(try faces(of: frame).faces.isEmpty)
    }

    @Test func mirroringFlipsYawAndRoll() throws {
        let tilted = try astronaut(512, 512).turned(byDegrees: 15)
        let (face, mirrored) = (try face(of: tilted), try face(of: tilted.mirrored()))
        #expect(abs(face.yaw + mirrored.yaw) < 0.07, "\(face.yaw) \(mirrored.yaw)")
        #expect(abs(face.roll + mirrored.roll) < 0.07, "\(face.roll) \(mirrored.roll)")
        #expect(abs(face.pitch - mirrored.pitch) < 0.07, "\(face.pitch) \(mirrored.pitch)")
    }

    @Test(arguments: [30.0, -30, 90, 180])
    func turningTheImageTurnsTheHead(degrees: Double) throws {
        let upright = try face(of: astronaut(512, 512))
        let turned = try face(of: astronaut(512, 512).turned(byDegrees: degrees))
        let difference = (turned.roll - upright.roll) * 180 / .pi - degrees
        let wrapped = difference - 360 * (difference / 360).rounded()
        #expect(abs(wrapped) < 4, "\(turned.roll) after \(upright.roll)")
    }

    @Test func followsPeopleThroughAClip() throws {
        let source = "filesrc location=\(Checkout.clip.path) ! decodebin"
        let pipeline = try Pipeline(
            "\(source) ! videoconvert ! video/x-raw,format=I420 ! facepose ! appsink name=sink sync=false")
        pipeline.set(state: GST_STATE_PLAYING)
        var ids: [Set<Int>] = []
        for _ in 0..<25 {
            let frame = try #require(pipeline.pullSample(from: "sink"))
            ids.append(Set(try #require(FacesMeta(frame)).faces.map(\.id)))
        }
        // Three people stand there and look around: each keeps its number for a second.
        #expect(ids.allSatisfy { $0.count == 3 }, "\(ids)")
        #expect(Set(ids).count == 1, "\(ids)")
    }

    @Test func worksBeforeAndAfterPersonsegment() throws {
        let picture = try astronaut(512, 512)
        for line in ["facepose ! personsegment quality=fast", "personsegment quality=fast ! facepose"] {
            let frame = try Harness(line, caps: picture.caps).transform(picture)
            #expect(FacesMeta(frame)?.faces.count == 1, "\(line)")
            #expect(MaskMeta(frame) != nil, "\(line)")
        }
    }

    @Test func keepsNoMoreFacesThanAsked() throws {
        let clip = try Frame.picture(Checkout.clip.path, "video/x-raw,format=RGB")
        let frame = try Harness("facepose max-faces=2", caps: clip.caps).transform(clip)
        #expect(FacesMeta(frame)?.faces.count == 2)
        let strict = try Harness("facepose min-confidence=1", caps: clip.caps).transform(clip)
        #expect(FacesMeta(strict)?.faces.isEmpty == true)
    }

    private func faces(of picture: Frame) throws -> (frame: Frame, faces: [FacesMeta.Face]) {
        let frame = try Harness("facepose", caps: picture.caps).transform(picture)
        return (frame, try #require(FacesMeta(frame)).faces)
    }

    private func face(of picture: Frame) throws -> FacesMeta.Face {
        try #require(try faces(of: picture).faces.first)
    }
}

extension Frame {
    /// Returns the image turned counter-clockwise around its middle, as a viewer sees it; grey outside of the
    /// image.
    fileprivate func turned(byDegrees degrees: Double) throws -> Frame {
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let (middleX, middleY) = (Double(width - 1) / 2, Double(height - 1) / 2)
        return try moved { x, y in
            let (dx, dy) = (Double(x) - middleX, Double(y) - middleY)
            // Rows run downwards, so that this turns the image to the left.
            let (u, v) = (dx * cosine - dy * sine + middleX, dx * sine + dy * cosine + middleY)
            return (Int(u.rounded()), Int(v.rounded()))
        }
    }

    fileprivate func mirrored() throws -> Frame { try moved { x, y in (self.width - 1 - x, y) } }

    /// Takes each pixel from the position that `source` returns.
    private func moved(_ source: (Int, Int) -> (Int, Int)) throws -> Frame {
        let result = try Frame(caps)
        for component in 0..<colorCount {
            let rows = samples(component)
            result.fill(component) { x, y in
                let (u, v) = source(x, y)
                return rows.indices.contains(v) && rows[v].indices.contains(u) ? rows[v][u] : 128
            }
        }
        return result
    }
}
