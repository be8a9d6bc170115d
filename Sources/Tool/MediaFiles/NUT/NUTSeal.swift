/// A packet at the end of a NUT file with the hash of all that stands before it, which shows whether the file is whole.
///
/// Readers of NUT skip it, because it is information that they do not know.
package enum NUTSeal {
    /// Returns the packet.
    ///
    /// - Parameter hash: hexadecimal digits.
    package static func packet(_ hash: String) -> [UInt8] {
        NUTWriter.packet(.info, NUTWriter.field("sha256", hash, stream: 0))
    }
}
