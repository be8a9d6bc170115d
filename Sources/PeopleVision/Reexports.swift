// Requests and observations show pictures, masks, points and errors of these modules: a program that imports PeopleVision
// sees them too.
@_exported public import Imaging
@_exported public import Inference
