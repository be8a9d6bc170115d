import ImageFiles
import PeopleVision

/// The mask of the person at a point, and the person cut out and cropped.
func liftPerson(at point: NormalizedPoint, of photo: String) async throws -> (mask: Mask, image: CutOut)? {
    let handler = ImageRequestHandler(photo)
    let observation = try await handler.perform(GeneratePersonInstanceMaskRequest())
    let instances = observation.instanceAtPoint(point)
    guard !instances.isEmpty else { return nil }
    let mask = try observation.generateScaledMask(for: instances, scaledToImageFrom: handler)
    let image = try observation.generateMaskedImage(
        for: instances, imageFrom: handler, croppedToInstancesExtent: true)
    return (mask, image)
}

/// Subject lifting: all subjects, or the one at a point.
func liftSubjects(of photo: String, at point: NormalizedPoint? = nil) async throws -> CutOut? {
    let handler = ImageRequestHandler(photo)
    let observation = try await handler.perform(GenerateForegroundInstanceMaskRequest())
    var instances = observation.allInstances
    if let point {
        let chosen = observation.instanceAtPoint(point)
        // The background stands for all subjects.
        instances = chosen.isEmpty ? observation.allInstances : chosen
    }
    guard !instances.isEmpty else { return nil }
    return try observation.generateMaskedImage(
        for: instances, imageFrom: handler, croppedToInstancesExtent: true)
}
