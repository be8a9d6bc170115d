public import PeopleVision

/// A vector of three single floats.
public typealias simd_float3 = SIMD3<Float>
/// A vector of four single floats.
public typealias simd_float4 = SIMD4<Float>

/// A matrix of four columns, as Apple's `simd` has it.
public struct simd_float4x4: Sendable, Equatable {
    /// The columns, in order.
    public var columns: (simd_float4, simd_float4, simd_float4, simd_float4)

    /// Creates a matrix of zeros.
    public init() { columns = (.zero, .zero, .zero, .zero) }

    /// Creates a matrix of columns.
    public init(columns: (simd_float4, simd_float4, simd_float4, simd_float4)) { self.columns = columns }

    /// Creates the matrix of a transform.
    public init(_ transform: Transform3D) {
        let from = transform.columns
        columns = (
            simd_float4(from.0), simd_float4(from.1), simd_float4(from.2), simd_float4(from.3)
        )
    }

    /// Whether all numbers are equal.
    public static func == (a: Self, b: Self) -> Bool {
        a.columns.0 == b.columns.0 && a.columns.1 == b.columns.1 && a.columns.2 == b.columns.2
            && a.columns.3 == b.columns.3
    }

    /// Returns the product of a matrix and a vector.
    public static func * (matrix: Self, vector: simd_float4) -> simd_float4 {
        let columns = matrix.columns
        return columns.0 * vector.x + columns.1 * vector.y + columns.2 * vector.z + columns.3 * vector.w
    }

    /// Returns the product of two matrices.
    public static func * (a: Self, b: Self) -> Self {
        simd_float4x4(columns: (a * b.columns.0, a * b.columns.1, a * b.columns.2, a * b.columns.3))
    }
}

/// Returns the dot product of two vectors.
public func simd_dot<Vector: SIMD<Float>>(_ a: Vector, _ b: Vector) -> Float { (a * b).sum() }

/// Returns the length of a vector.
public func simd_length<Vector: SIMD<Float>>(_ vector: Vector) -> Float {
    simd_dot(vector, vector).squareRoot()
}

/// Returns the distance of two points.
public func simd_distance<Vector: SIMD<Float>>(_ a: Vector, _ b: Vector) -> Float { simd_length(a - b) }

extension HumanBodyPose3DObservation {
    /// The transform from the root to the camera; the axes of both are the same.
    public var cameraOriginMatrix: simd_float4x4 {
        simd_float4x4(Transform3D(translation: -rootPosition))
    }

    /// Returns the transform from the camera to a joint.
    public func cameraRelativePosition(for joint: JointName) -> simd_float4x4 {
        simd_float4x4(Transform3D(translation: rootPosition + positions[joint.index]))
    }
}

extension Joint3D {
    /// The transform from the root to the joint, in metres.
    public var position: simd_float4x4 { simd_float4x4(transforms.fromRoot) }
    /// The transform from the parent to the joint, in metres; the identity for the root.
    public var localPosition: simd_float4x4 { simd_float4x4(transforms.fromParent) }
}
