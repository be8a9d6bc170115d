// Requests and observations show pictures, masks, points and errors of these modules: whoever imports PeopleVision sees
// them too.
@_exported public import Imaging
@_exported public import Inference
