import CGStreamer

/// Video devices of the machine.
enum VideoDevices {
    /// Those of hardware, in the order of their numbers.
    static var cameras: [String] { devices(in: "/dev").filter { !virtual.contains($0) } }

    /// Those that programs made, such as v4l2loopback.
    static var virtual: [String] { devices(in: "/sys/devices/virtual/video4linux") }

    /// The number of `/dev/videoN`.
    static func number(_ path: String) -> Int? {
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix("video") ? Int(name.dropFirst("video".count)) : nil
    }

    private static func devices(in folder: String) -> [String] {
        guard let listing = g_dir_open(folder, 0, nil) else { return [] }
        defer { g_dir_close(listing) }
        var numbers: [Int] = []
        while let name = g_dir_read_name(listing) {
            if let number = number(String(cString: name)) { numbers.append(number) }
        }
        return numbers.sorted().map { "/dev/video\($0)" }
    }
}
