import Foundation
import ImageFiles
import Imaging
import PeopleVision

// An example of PeopleVision without GStreamer: a picture in, a mask and the list of faces out.
// Several requests analyse one picture, which may be stored sideways.

let usage = "usage: people-photo PICTURE MASK.png [ORIENTATION 1...8, as in EXIF]"

func analyze(_ picture: String, _ maskFile: String, _ orientation: ImageOrientation?) throws {
    let file = try ImageFile(reading: picture)
    let handler = ImageRequestHandler(
        file.view, orientation: orientation ?? file.orientation, keeping: file)
    let (people, faces) = try handler.perform(
        GeneratePersonSegmentationRequest(), DetectFaceRectanglesRequest())
    let mask = people.mask
    try mask.writePNG(to: maskFile)
    print("\(maskFile): \(mask.view.width)x\(mask.view.height), the people are white")
    for face in faces { print(description(of: face)) }
}

/// A face in one line: normalised box, angles in degrees.
func description(of face: FaceObservation) -> String {
    let box = face.boundingBox
    let angles = [face.roll, face.yaw, face.pitch].map { $0 * 180 / .pi }
    return String(
        format: "face %d: x %.3f y %.3f width %.3f height %.3f, roll %.1f yaw %.1f pitch %.1f", face.id,
        box.x, box.y, box.width, box.height, angles[0], angles[1], angles[2])
}

let arguments = CommandLine.arguments.dropFirst()
let orientation = arguments.count > 2 ? Int(arguments[3]).flatMap(ImageOrientation.init(rawValue:)) : nil
guard (2...3).contains(arguments.count), arguments.count == 2 || orientation != nil else {
    FileHandle.standardError.write(Data((usage + "\n").utf8))
    exit(2)
}
do {
    try analyze(arguments[1], arguments[2], orientation)
} catch {
    FileHandle.standardError.write(Data("people-photo: \(error)\n".utf8))
    exit(1)
}
