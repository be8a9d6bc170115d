import Foundation
import TestSupport

/// A binary PGM file with a header of one line.
struct GrayImage {
    let width: Int
    let height: Int
    let values: [Float]

    init(contentsOf file: URL) throws {
        let data = try Data(contentsOf: file)
        let header = data.prefix { $0 != 10 }
        let words = String(decoding: header, as: UTF8.self).split(separator: " ")
        guard words.count == 4, words[0] == "P5", let width = Int(words[1]), let height = Int(words[2]),
            data.count == header.count + 1 + width * height
        else { throw SetupFailure("\(file.path) is no mask") }
        (self.width, self.height) = (width, height)
        values = data.dropFirst(header.count + 1).map { Float($0) / 255 }
    }
}
