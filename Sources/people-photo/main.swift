import Foundation
import Imaging
import PeopleVision

// An example of PeopleVision without GStreamer: a PNG in, a mask and the list of faces out.
// Several requests look at one picture, which may be stored sideways.

let usage = "usage: people-photo PICTURE.png MASK.png [ORIENTATION 1...8, as in EXIF]"

func analyze(_ picture: String, _ maskFile: String, _ orientation: ImageOrientation) throws {
    let file = try PNGFile(reading: picture)
    let segmentation = GeneratePersonSegmentationRequest()
    let faces = DetectFaceRectanglesRequest()
    try ImageRequestHandler(file.view, orientation: orientation).perform([segmentation, faces])
    if let mask = segmentation.result?.mask {
        try PNGFile.write(mask, to: maskFile)
        print("\(maskFile): \(mask.view.width)x\(mask.view.height), the people are white")
    }
    for face in faces.results { print(description(of: face)) }
}

/// A face in one line: normalised box, angles in degrees.
func description(of face: FaceObservation) -> String {
    let box = face.boundingBox
    let angles = [face.roll, face.yaw, face.pitch].map { $0 * 180 / .pi }
    return String(
        format: "face %d: x %.3f y %.3f width %.3f height %.3f, roll %.1f yaw %.1f pitch %.1f", face.id,
        box.x,
        box.y, box.width, box.height, angles[0], angles[1], angles[2])
}

let arguments = CommandLine.arguments.dropFirst()
let orientation = arguments.count > 2 ? Int(arguments[3]).flatMap(ImageOrientation.init(rawValue:)) : .up
guard (2...3).contains(arguments.count), let orientation else {
    FileHandle.standardError.write(Data((usage + "\n").utf8))
    exit(2)
}
do {
    try analyze(arguments[1], arguments[2], orientation)
} catch {
    FileHandle.standardError.write(Data("people-photo: \(error)\n".utf8))
    exit(1)
}
