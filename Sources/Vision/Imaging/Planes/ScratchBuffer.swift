/// Memory that a stream reuses for every frame.
///
/// The memory grows when a larger frame arrives and never shrinks, so that the frame path does not allocate.
final class ScratchBuffer<Element: BitwiseCopyable> {
    private(set) var base = UnsafeMutablePointer<Element>.allocate(capacity: 1)
    private var capacity = 1

    deinit { base.deallocate() }

    /// Reserves memory for `count` elements; growing loses the stored elements.
    @discardableResult
    func reserve(_ count: Int) -> UnsafeMutablePointer<Element> {
        if count > capacity {
            base.deallocate()
            base = UnsafeMutablePointer<Element>.allocate(capacity: count)
            capacity = count
        }
        return base
    }
}

/// Four objects of one kind, one per plane or component, selected by an index without an array.
struct Quad<Object: AnyObject> {
    private let first: Object
    private let second: Object
    private let third: Object
    private let fourth: Object

    init(_ make: () -> Object) {
        first = make()
        second = make()
        third = make()
        fourth = make()
    }

    subscript(index: Int) -> Object {
        switch index {
        case 0: first
        case 1: second
        case 2: third
        default: fourth
        }
    }
}
