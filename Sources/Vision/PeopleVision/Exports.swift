// The types of other modules that requests and observations show, so that a program imports PeopleVision only.
// Tests/public-interface counts them: of more than 25, some are not for users.

@_exported public import struct Imaging.Colorimetry
@_exported public import struct Imaging.CutOut
@_exported public import enum Imaging.DepthFormat
@_exported public import struct Imaging.DepthView
@_exported public import enum Imaging.ImageOrientation
@_exported public import struct Imaging.ImageView
@_exported public import class Imaging.Mask
@_exported public import struct Imaging.MaskControls
@_exported public import enum Imaging.MaskFormat
@_exported public import struct Imaging.MaskView
@_exported public import struct Imaging.MutableImageView
@_exported public import struct Imaging.MutableMaskView
@_exported public import struct Imaging.MutablePlane
@_exported public import enum Imaging.PixelFormat
@_exported public import struct Imaging.Plane
@_exported public import struct Imaging.Point
@_exported public import struct Imaging.RGBColor
@_exported public import struct Imaging.Rectangle
@_exported public import struct Imaging.Size
@_exported public import enum Inference.InferenceError
@_exported public import enum Inference.ModelPrecision
