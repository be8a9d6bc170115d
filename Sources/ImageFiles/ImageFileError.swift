/// Why a picture file could not be read or written; `name` is its path.
public enum ImageFileError: Error, Equatable, CustomStringConvertible {
    /// The file does not exist or must not be read.
    case unreadable(_ name: String, _ why: String)
    /// The file is neither a PNG nor a JPEG.
    case unknownFormat(_ name: String)
    /// Nothing can be decoded, or not by this library.
    case undecodable(_ name: String, _ why: String)
    /// A side is larger than `ImageView.maximumSide`, or memory is short.
    case tooLarge(_ name: String)
    /// The file could not be written.
    case unwritable(_ name: String, _ why: String)

    /// What failed, in a sentence.
    public var description: String {
        switch self {
        case .unreadable(let name, let why): "\(name) could not be read: \(why)"
        case .unknownFormat(let name): "\(name) is neither a PNG nor a JPEG"
        case .undecodable(let name, let why): "\(name) could not be decoded: \(why)"
        case .tooLarge(let name): "\(name) has more pixels than can be held"
        case .unwritable(let name, let why): "\(name) could not be written: \(why)"
        }
    }
}
