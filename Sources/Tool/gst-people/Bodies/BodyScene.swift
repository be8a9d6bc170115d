import CGStreamer
import GStreamerKit
import Glibc
import Imaging
import JSON

/// The bodies of a picture in space, as a scene in glTF 2.0 (ISO/IEC 12113).
///
/// The scene's axes are the camera's: x to the right, y up, z towards the camera, in metres; the camera is at the
/// origin and looks along -z, as cameras of glTF do. Each body is a node at its root. Its joints are nodes below
/// it, each in the space of its parent, and its skeleton is a mesh of lines. Its extras are the fields `body-height`
/// and `height-estimation` of the metadata, and those of a joint that the picture may show, its confidence.
struct BodyScene {
    /// A body with all joints.
    struct Body {
        let id: Int
        /// The place of the root seen from the camera, in metres.
        let root: SIMD3<Double>
        /// The places of the joints from the root, in the order of `Skeleton.joints`, in metres.
        let joints: [SIMD3<Double>]
        /// The confidence that each joint is in the picture and visible, 0 to 1; nil for joints that lie between others.
        let confidences: [Double?]
        /// Height of the standing person in metres, and its source, as in metadata.
        let (height, heightEstimation): (Double, String)
    }

    /// The camera that saw the picture.
    struct Camera {
        /// Angle of view from the upper to the lower edge, in radians.
        let verticalFieldOfView: Double
        /// Width of the upright picture divided by its height.
        let aspectRatio: Double
    }

    private let bodies: [Body]
    private let camera: Camera

    init(_ bodies: [Body], _ camera: Camera) { (self.bodies, self.camera) = (bodies, camera) }

    // MARK: - Files

    /// The scene as `.gltf`: one JSON object that contains the numbers as base64.
    var text: String {
        let numbers = buffer
        let address = "data:application/octet-stream;base64," + numbers.base64
        return json([("uri", .string(address)), ("byteLength", .integer(numbers.count))]).text + "\n"
    }

    /// The scene as `.glb`: a header and two chunks, in little-endian order, each a multiple of four bytes long.
    var binary: [UInt8] {
        let numbers = buffer
        let text = Array(json([("byteLength", .integer(numbers.count))]).text.utf8)
        let chunks =
            Self.chunk(text, padding: UInt8(ascii: " "), type: "JSON")
            + Self.chunk(numbers, padding: 0, type: "BIN\0")
        return Array("glTF".utf8) + Self.bytes(UInt32(2)) + Self.bytes(UInt32(clamping: 12 + chunks.count))
            + chunks
    }

    private static func chunk(_ content: [UInt8], padding: UInt8, type: String) -> [UInt8] {
        let padded = content + Array(repeating: padding, count: (4 - content.count % 4) % 4)
        return bytes(UInt32(clamping: padded.count)) + Array(type.utf8) + padded
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    // MARK: - Numbers

    /// The joints of each body as three floats each, and behind them the pairs of joints that bones connect.
    private var buffer: [UInt8] {
        let places = bodies.flatMap(\.joints).flatMap { [$0.x, $0.y, $0.z] }
        let bones = Skeleton.bones.flatMap { [$0.parent, $0.joint] }
        return places.flatMap { Self.bytes(Float($0).bitPattern) }
            + bones.flatMap { bone in
                withUnsafeBytes(of: UInt16(truncatingIfNeeded: bone).littleEndian) { Array($0) }
            }
    }

    private static let bytesOfJoints = Skeleton.joints.count * 3 * MemoryLayout<Float>.size
    private static let bytesOfBones = Skeleton.bones.count * 2 * MemoryLayout<UInt16>.size

    private var bufferViews: [JSON] {
        let size = bodies.count * Self.bytesOfJoints
        return [
            Self.view(offset: 0, size, target: Constant.vertices),
            Self.view(offset: size, Self.bytesOfBones, target: Constant.indices),
        ]
    }

    private static func view(offset: Int, _ size: Int, target: Int) -> JSON {
        .object([
            ("buffer", .integer(0)), ("byteOffset", .integer(offset)), ("byteLength", .integer(size)),
            ("target", .integer(target)),
        ])
    }

    /// One list of places for each body, and behind them the list of bones.
    private var accessors: [JSON] {
        bodies.enumerated().map { index, body in
            // The limits are those of the stored numbers.
            let stored = body.joints.map { SIMD3<Float>($0) }
            let low = stored.reduce(stored.first ?? SIMD3()) { pointwiseMin($0, $1) }
            let high = stored.reduce(stored.first ?? SIMD3()) { pointwiseMax($0, $1) }
            return .object([
                ("bufferView", .integer(0)), ("byteOffset", .integer(index * Self.bytesOfJoints)),
                ("componentType", .integer(Constant.float)), ("count", .integer(body.joints.count)),
                ("type", .string("VEC3")), ("min", Self.vector(SIMD3<Double>(low))),
                ("max", Self.vector(SIMD3<Double>(high))),
            ])
        } + [
            .object([
                ("bufferView", .integer(1)), ("componentType", .integer(Constant.unsignedShort)),
                ("count", .integer(2 * Skeleton.bones.count)), ("type", .string("SCALAR")),
            ])
        ]
    }

    private static func vector(_ vector: SIMD3<Double>) -> JSON {
        .array([.number(vector.x), .number(vector.y), .number(vector.z)])
    }

    // MARK: - Objects

    /// Numbers of the specification.
    private enum Constant {
        /// ARRAY_BUFFER and ELEMENT_ARRAY_BUFFER.
        static let (vertices, indices) = (34962, 34963)
        static let (unsignedShort, float) = (5123, 5126)
        static let lines = 1
    }

    /// Nearest distance that the camera shows, in metres; the specification needs one.
    private static let nearest = 0.01

    private func json(_ buffer: [(name: String, value: JSON)]) -> JSON {
        .object([
            ("asset", .object([("version", .string("2.0")), ("generator", .string("gst-people"))])),
            ("scene", .integer(0)),
            (
                "scenes",
                .array([
                    .object([
                        ("nodes", .array(([0] + bodies.indices.map(place)).map { .integer($0) }))
                    ])
                ])
            ),
            ("nodes", .array([cameraNode] + bodies.indices.flatMap(nodes))),
            ("cameras", .array([cameraObject])), ("meshes", .array(bodies.indices.map(mesh))),
            ("accessors", .array(accessors)), ("bufferViews", .array(bufferViews)),
            ("buffers", .array([.object(buffer)])),
        ])
    }

    private var cameraNode: JSON { .object([("name", .string("camera")), ("camera", .integer(0))]) }

    private var cameraObject: JSON {
        .object([
            ("type", .string("perspective")),
            (
                "perspective",
                .object([
                    ("yfov", .number(camera.verticalFieldOfView)),
                    ("aspectRatio", .number(camera.aspectRatio)),
                    ("znear", .number(Self.nearest)),
                ])
            ),
        ])
    }

    /// Returns the index of a body's node; its joints follow.
    private func place(_ body: Int) -> Int { 1 + body * (1 + Skeleton.joints.count) }

    private func nodes(_ index: Int) -> [JSON] {
        let (body, first) = (bodies[index], place(index) + 1)
        let joints = Skeleton.joints.enumerated().map { number, joint in
            let parent = joint.parent.map { body.joints[$0] } ?? SIMD3()
            var fields: [(name: String, value: JSON)] = [
                ("name", .string(joint.name)), ("translation", Self.vector(body.joints[number] - parent)),
            ]
            if let confidence = body.confidences[number] {
                fields.append(("extras", .object([("confidence", .number(confidence))])))
            }
            let children = Skeleton.bones.filter { $0.parent == number }.map { first + $0.joint }
            if !children.isEmpty { fields.append(("children", .array(children.map { .integer($0) }))) }
            return JSON.object(fields)
        }
        let node = JSON.object([
            ("name", .string("body-\(body.id)")), ("mesh", .integer(index)),
            ("translation", Self.vector(body.root)), ("children", .array([.integer(first + Skeleton.root)])),
            (
                "extras",
                .object([
                    ("body-height", .number(body.height)),
                    ("height-estimation", .string(body.heightEstimation)),
                ])
            ),
        ])
        return [node] + joints
    }

    private func mesh(_ index: Int) -> JSON {
        .object([
            ("name", .string("skeleton-\(bodies[index].id)")),
            (
                "primitives",
                .array([
                    .object([
                        ("attributes", .object([("POSITION", .integer(index))])),
                        ("indices", .integer(bodies.count)), ("mode", .integer(Constant.lines)),
                    ])
                ])
            ),
        ])
    }
}

// MARK: - Reading

extension BodyScene {
    /// Reads the bodies of an analysed frame that have a place in space.
    ///
    /// - Parameters:
    ///   - fieldOfView: vertical field of view of the upright frame in degrees, as given to `bodypose`; 0 where it is unknown.
    ///   - people: the outlines of the frame's people; bodies that these do not show are left out.
    init(of frame: GStreamer.BufferView?, fieldOfView: Double, shownBy people: Silhouettes? = nil) {
        let fields = frame?.fields(ofMeta: "GstPeopleBodies")
        var bodies: [Body] = []
        fields?.forEach("bodies") { body in
            let joints = body.structure("joints")
            guard people?.show(joints) ?? true, let body = Body(body, joints) else { return }
            bodies.append(body)
        }
        self.init(bodies, Camera(fields, fieldOfView: fieldOfView))
    }

    /// Number of bodies that have a place in space.
    var count: Int { bodies.count }
}

extension BodyScene.Body {
    /// Returns nil for a body without a place in space.
    ///
    /// - Parameter seen: the joints in the picture.
    fileprivate init?(_ fields: StructureReader, _ seen: StructureReader?) {
        guard let id = fields.int("id"), let joints = fields.structure("joints-3d"),
            let camera = SIMD3(fields, "camera-position")
        else { return nil }
        let places = Skeleton.joints.compactMap { SIMD3(joints, $0.name) }
        guard places.count == Skeleton.joints.count else { return nil }
        // The camera's place seen from the root, on the same axes.
        self.init(
            id: id, root: -camera, joints: places,
            confidences: Skeleton.joints.map { seen?.double(named: $0.name, at: 2) },
            height: fields.double("body-height") ?? 0,
            heightEstimation: fields.string("height-estimation") ?? "")
    }
}

extension Silhouettes {
    /// Minimum confidence of a joint that the picture shows, 0...1.
    private static let seen = 0.5

    /// Whether most of a body's joints lie on people; others are things that the models take for bodies.
    ///
    /// In 91 photos of COCO, 5 of 152 bodies were things such as teddy bears: 0 to 0.4 of their joints lay on people.
    fileprivate func show(_ joints: StructureReader?) -> Bool {
        var (all, shown) = (0, 0)
        for (name, _) in Skeleton.joints {
            guard let joints, let confidence = joints.double(named: name, at: 2), confidence > Self.seen,
                let x = joints.double(named: name, at: 0), let y = joints.double(named: name, at: 1),
                0..<1 ~= x, 0..<1 ~= y
            else { continue }
            all += 1
            shown += covers(x, y) ? 1 : 0
        }
        return 2 * shown >= all
    }
}

extension BodyScene.Camera {
    /// Angle that `bodypose` assumes along the longer side for an unknown camera, in radians.
    private static let assumed = 40 * Double.pi / 180

    fileprivate init(_ fields: StructureReader?, fieldOfView: Double) {
        let pixel = fields?.fraction("pixel-aspect-ratio") ?? (1, 1)
        let width = Double(fields?.int("frame-width") ?? 1) * Double(pixel.0) / Double(max(1, pixel.1))
        let height = Double(fields?.int("frame-height") ?? 1)
        // Orientations from 5 on turn the frame by a quarter.
        let isTurned = (fields?.int("orientation") ?? 1) >= 5
        let ratio = (isTurned ? height / max(width, 1) : width / max(height, 1))
        aspectRatio = ratio
        let side = tan(Self.assumed / 2)
        verticalFieldOfView =
            fieldOfView > 0 ? fieldOfView * Double.pi / 180 : 2 * atan(ratio > 1 ? side / ratio : side)
    }
}

extension SIMD3<Double> {
    /// Reads an array of three finite numbers.
    fileprivate init?(_ fields: StructureReader, _ name: String) {
        let numbers = (0..<3).compactMap { fields.double(named: name, at: $0) }
        guard numbers.count == 3, numbers.allSatisfy(\.isFinite) else { return nil }
        self.init(numbers[0], numbers[1], numbers[2])
    }
}

// MARK: - Skeleton

/// The joints of bodies in space, by their names in metadata.
private enum Skeleton {
    /// The joints, each with the index of the one before it on the way from the root.
    static let joints: [(name: String, parent: Int?)] = {
        let names = table.map(\.name)
        return table.map { joint in (joint.name, names.firstIndex(of: joint.parent)) }
    }()

    /// The index of the joint without a parent.
    static let root = joints.firstIndex { $0.parent == nil } ?? 0

    /// Pairs of connected joints.
    static let bones: [(parent: Int, joint: Int)] = joints.enumerated().compactMap { index, joint in
        joint.parent.map { ($0, index) }
    }

    private static let table: [(name: String, parent: String)] = [
        ("root", ""), ("spine", "root"), ("center-shoulder", "spine"), ("center-head", "center-shoulder"),
        ("top-head", "center-head"), ("left-shoulder", "center-shoulder"), ("left-elbow", "left-shoulder"),
        ("left-wrist", "left-elbow"), ("right-shoulder", "center-shoulder"),
        ("right-elbow", "right-shoulder"),
        ("right-wrist", "right-elbow"), ("left-hip", "root"), ("left-knee", "left-hip"),
        ("left-ankle", "left-knee"), ("right-hip", "root"), ("right-knee", "right-hip"),
        ("right-ankle", "right-knee"),
    ]
}

extension [UInt8] {
    /// The bytes as base64, by `g_base64_encode`.
    fileprivate var base64: String {
        guard let text = g_base64_encode(self, gsize(count)) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
