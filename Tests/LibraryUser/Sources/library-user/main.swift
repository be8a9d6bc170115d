import Imaging
import PeopleVision

// Segments a grey picture and prints the mask's size.
let (width, height) = (64, 48)
let pixels = UnsafeMutableRawPointer.allocate(byteCount: width * height, alignment: 16)
defer { pixels.deallocate() }
pixels.initializeMemory(as: UInt8.self, repeating: 128, count: width * height)
let plane = Plane(base: pixels, stride: width)
let view = ImageView(
    format: .gray8, width: width, height: height, plane: plane, byteCount: width * height)

let request = GeneratePersonSegmentationRequest()
request.qualityLevel = .fast
if let view { try ImageRequestHandler(view).perform([request]) }
if let mask = request.result?.mask.view { print("\(mask.width)x\(mask.height)") }
