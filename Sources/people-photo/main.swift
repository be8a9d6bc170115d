import Foundation
import Imaging
import PeopleVision

// An example of PeopleVision without GStreamer: a PNG in, a mask and the faces out.
// Several requests look at one picture, which may be stored sideways.

let usage = "usage: people-photo PICTURE.png MASK.png [ORIENTATION 1...8, as in EXIF]"

func analyze(_ picture: String, _ maskFile: String, _ orientation: ImageOrientation) throws {
    let file = try PNGFile(reading: picture)
    let segmentation = GeneratePersonSegmentationRequest()
    try ImageRequestHandler(file.view, orientation: orientation).perform([segmentation])
    if let mask = segmentation.result?.mask {
        try PNGFile.write(mask, to: maskFile)
        print("\(maskFile): \(mask.view.width)x\(mask.view.height), the people are white")
    }
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
