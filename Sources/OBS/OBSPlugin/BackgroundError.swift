/// Reasons why a picture or clip cannot be shown.
enum BackgroundError: Error, CustomStringConvertible {
    case unreadable(String)
    case unusable(String, String)
    case unplayable(String)
    case noPlayer
    case noMemory

    var description: String {
        switch self {
        case .unreadable(let path): "Could not read \"\(path)\"; choose a JPEG, PNG or other picture."
        case .unusable(let path, let why): "Could not use \"\(path)\": \(why)."
        case .unplayable(let path): "Could not play \"\(path)\"; choose another clip."
        case .noPlayer: "Clips need OBS's media source: install or switch on the plugin obs-ffmpeg."
        case .noMemory: "There is no memory for the background."
        }
    }
}
