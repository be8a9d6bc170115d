/// Four objects of one kind, one per plane or component, that an index chooses without an array.
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
