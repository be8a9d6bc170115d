import Foundation
import TestSupport
import Testing

/// `gst-people bodies --gltf`: bodies in space as glTF 2.0.
struct BodySceneTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func write(_ name: String, _ options: String...) throws -> Data {
        let path = scratch.path(name)
        let result = try Subprocess.run(
            Tool.path, ["bodies", Checkout.astronaut.path, "--gltf", path] + options)
        guard result.status == 0 else { throw SetupFailure(result.output) }
        #expect(result.output == "\(path): 1 body\n")
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Returns the object of a `.gltf`, and its numbers.
    private func scene(_ options: String...) throws -> (json: [String: Any], numbers: Data) {
        let path = scratch.path("scene.gltf")
        let result = try Subprocess.run(
            Tool.path, ["bodies", Checkout.astronaut.path, "--force", "--gltf", path] + options)
        guard result.status == 0 else { throw SetupFailure(result.output) }
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any]
        )
        let buffer = try #require(list(json, "buffers").first)
        let parts = try #require(buffer["uri"] as? String).split(separator: ",", maxSplits: 1)
        #expect(parts.first == "data:application/octet-stream;base64")
        let numbers = try #require(Data(base64Encoded: String(parts.last ?? "-")))
        #expect(buffer["byteLength"] as? Int == numbers.count)
        return (json, numbers)
    }

    private func list(_ object: [String: Any], _ name: String) -> [[String: Any]] {
        object[name] as? [[String: Any]] ?? []
    }

    private func vector(_ value: Any?) -> SIMD3<Double>? {
        (value as? [Double]).flatMap { $0.count == 3 ? SIMD3($0[0], $0[1], $0[2]) : nil }
    }

    // MARK: - Rules of the specification

    /// The rules of glTF 2.0 for the kinds of objects that a scene has.
    @Test func keepsTheRulesOfTheSpecification() throws {
        let (json, numbers) = try scene()
        #expect((json["asset"] as? [String: Any])?["version"] as? String == "2.0")
        let (nodes, views, accessors) = (
            list(json, "nodes"), list(json, "bufferViews"), list(json, "accessors")
        )
        #expect(json["scene"] as? Int == 0)
        let roots = try #require(list(json, "scenes").first?["nodes"] as? [Int])
        // Every node is a root or has one parent.
        let children = nodes.flatMap { $0["children"] as? [Int] ?? [] }
        #expect((roots + children).sorted() == Array(nodes.indices))
        for view in views {
            let (start, size) = (view["byteOffset"] as? Int ?? 0, try #require(view["byteLength"] as? Int))
            #expect(size > 0 && start % 4 == 0 && start + size <= numbers.count)
            #expect(view["buffer"] as? Int == 0)
        }
        for accessor in accessors { try check(accessor, views, numbers) }
        for mesh in list(json, "meshes") {
            for primitive in list(mesh, "primitives") {
                #expect(primitive["mode"] as? Int == 1)
                let places = try #require((primitive["attributes"] as? [String: Int])?["POSITION"])
                let bones = accessors[try #require(primitive["indices"] as? Int)]
                let count = try #require(accessors[places]["count"] as? Int)
                #expect(bones["type"] as? String == "SCALAR" && (bones["count"] as? Int ?? 1) % 2 == 0)
                #expect(shorts(bones, views, numbers).allSatisfy { $0 < count })
            }
        }
        let camera = try #require(list(json, "cameras").first)
        let lens = try #require(camera["perspective"] as? [String: Double])
        #expect(camera["type"] as? String == "perspective" && lens["aspectRatio"] == 1)
        #expect(
            try #require(lens["yfov"]) > 0 && (try #require(lens["yfov"])) < .pi && (lens["znear"] ?? 0) > 0)
    }

    /// Checks place, alignment and limits of an accessor's numbers.
    private func check(_ accessor: [String: Any], _ views: [[String: Any]], _ numbers: Data) throws {
        let view = views[try #require(accessor["bufferView"] as? Int)]
        let (start, count) = (accessor["byteOffset"] as? Int ?? 0, try #require(accessor["count"] as? Int))
        let isVector = accessor["type"] as? String == "VEC3"
        #expect(accessor["componentType"] as? Int == (isVector ? 5126 : 5123))
        #expect(start % (isVector ? 4 : 2) == 0)
        #expect(start + count * (isVector ? 12 : 2) <= (view["byteLength"] as? Int ?? 0))
        guard isVector else { return }
        let places = floats(accessor, views, numbers)
        for axis in 0..<3 {
            let (low, high) = (accessor["min"] as? [Double], accessor["max"] as? [Double])
            #expect(low.map { Float($0[axis]) } == places.map { $0[axis] }.min())
            #expect(high.map { Float($0[axis]) } == places.map { $0[axis] }.max())
        }
    }

    private func bytes(_ accessor: [String: Any], _ views: [[String: Any]], _ size: Int, _ numbers: Data)
        -> [Data]
    {
        let view = views[accessor["bufferView"] as? Int ?? 0]
        let start = (view["byteOffset"] as? Int ?? 0) + (accessor["byteOffset"] as? Int ?? 0)
        return (0..<(accessor["count"] as? Int ?? 0)).map { index in
            Data(numbers.dropFirst(start + index * size).prefix(size))
        }
    }

    private func floats(_ accessor: [String: Any], _ views: [[String: Any]], _ numbers: Data) -> [SIMD3<
        Float
    >] {
        bytes(accessor, views, 12, numbers).map { place in
            place.withUnsafeBytes { bytes in
                let values = (0..<3).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
                return SIMD3(values[0], values[1], values[2])
            }
        }
    }

    private func shorts(_ accessor: [String: Any], _ views: [[String: Any]], _ numbers: Data) -> [Int] {
        bytes(accessor, views, 2, numbers).map { Int($0[$0.startIndex]) + 256 * Int($0[$0.startIndex + 1]) }
    }

    // MARK: - The body

    /// Nodes and mesh show the joints that the command lists, where the camera sees them.
    @Test func theJointsAreThoseOfTheList() throws {
        let (json, numbers) = try scene("--body-height=1.6")
        let listed = try Subprocess.run(
            Tool.path, ["bodies", Checkout.astronaut.path, "--pose-3d", "--body-height=1.6"])
        let body = try #require((objects(listed).first?["bodies"] as? [[String: Any]])?.first)
        let joints = try #require(body["joints-3d"] as? [String: [Double]])
        let camera = try #require(vector(body["camera-position"]))
        let nodes = list(json, "nodes")
        let names = nodes.map { $0["name"] as? String ?? "" }
        #expect(names.filter { joints[$0] != nil }.count == 17 && names.contains("camera"))
        var places = [Int: SIMD3<Double>]()
        for root in try #require(list(json, "scenes").first?["nodes"] as? [Int]) {
            place(root, SIMD3(), nodes, &places)
        }
        let own = try #require(names.firstIndex { $0.hasPrefix("body-") })
        let origin = try #require(places[own])
        #expect(isNear(origin, -camera))
        let extras = nodes[own]["extras"] as? [String: Any]
        #expect(extras?["body-height"] as? Double == 1.6)
        #expect(extras?["height-estimation"] as? String == "reference")
        for (name, place) in joints {
            let node = try #require(names.firstIndex(of: name))
            #expect(
                isNear(try #require(places[node]) - origin, SIMD3(place[0], place[1], place[2])), "\(name)")
        }
        #expect(places[try #require(names.firstIndex(of: "camera"))] == SIMD3())
        // The lines' ends are the same places.
        let drawn = floats(list(json, "accessors")[0], list(json, "bufferViews"), numbers)
        #expect(drawn.count == 17)
        for place in drawn {
            #expect(joints.values.contains { isNear(SIMD3($0[0], $0[1], $0[2]), SIMD3<Double>(place)) })
        }
    }

    /// Adds the places of a node and those below it.
    private func place(
        _ node: Int, _ parent: SIMD3<Double>, _ nodes: [[String: Any]], _ places: inout [Int: SIMD3<Double>]
    ) {
        let own = parent + (vector(nodes[node]["translation"]) ?? SIMD3())
        places[node] = own
        for child in nodes[node]["children"] as? [Int] ?? [] { place(child, own, nodes, &places) }
    }

    /// Whether places differ by no more than the digits of the list.
    private func isNear(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Bool {
        let difference = one - other
        return (difference * difference).sum() < 1e-6
    }

    // MARK: - Files

    @Test func theBinaryFileHasTheSameScene() throws {
        let text = try scene()
        let file = try write("scene.glb")
        let number = { (place: Int) in
            file.withUnsafeBytes {
                Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
            }
        }
        #expect(file.prefix(4) == Data("glTF".utf8) && number(4) == 2 && number(8) == file.count)
        let length = number(12)
        #expect(length % 4 == 0 && file.dropFirst(16).prefix(4) == Data("JSON".utf8))
        let json = try #require(
            JSONSerialization.jsonObject(with: file.dropFirst(20).prefix(length)) as? [String: Any])
        let second = 20 + length
        #expect(
            file.dropFirst(second + 4).prefix(4) == Data("BIN\0".utf8)
                && second + 8 + number(second) == file.count)
        #expect(number(second) == text.numbers.count && file.dropFirst(second + 8) == text.numbers)
        for name in ["nodes", "meshes", "accessors", "bufferViews", "cameras", "scenes"] {
            #expect(json[name] as? NSArray == text.json[name] as? NSArray, "\(name)")
        }
        #expect(list(json, "buffers").first as? [String: Int] == ["byteLength": text.numbers.count])
    }

    @Test(arguments: [("scene.obj", Int32(2)), ("exists.gltf", 4)])
    func refusesOtherFiles(_ name: String, _ status: Int32) throws {
        _ = try scratch.file("exists.gltf", Data("mine".utf8))
        let result = try Subprocess.run(
            Tool.path, ["bodies", Checkout.astronaut.path, "--gltf", scratch.path(name)])
        #expect(result.status == status, "\(result.output)")
        #expect(scratch.names == ["exists.gltf"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path("exists.gltf"))) == Data("mine".utf8))
    }

    @Test func aPictureWithoutPeopleIsNoScene() throws {
        let path = try scratch.clip(
            "grey.png",
            "videotestsrc num-buffers=1 pattern=solid-color foreground-color=0xff808080 ! \(caps("RGB", 96, 64)) ! pngenc"
        )
        let result = try Subprocess.run(Tool.path, ["bodies", path, "--gltf", scratch.path("scene.gltf")])
        #expect(result.status == 3, "\(result.output)")
        #expect(scratch.names == ["grey.png"])
    }
}
