/// Three objects of one kind, one per component or plane, that an index chooses without an array.
struct Triple<Object: AnyObject> {
    private let first: Object
    private let second: Object
    private let third: Object

    init(_ make: () -> Object) {
        first = make()
        second = make()
        third = make()
    }

    subscript(index: Int) -> Object {
        switch index {
        case 0: first
        case 1: second
        default: third
        }
    }
}
