import ImageFiles
import PeopleVision

let picture = try ImageFile(reading: CommandLine.arguments[1])
let segmentation = GeneratePersonSegmentationRequest()
segmentation.qualityLevel = .balanced
let (people, faces) = try ImageRequestHandler(picture)
    .perform(segmentation, DetectFaceRectanglesRequest())
try people.mask.writePNG(to: "mask.png")
for face in faces { print(face.boundingBox, face.roll, face.yaw, face.pitch) }
