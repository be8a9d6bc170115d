import CGStreamer

/// The virtual methods that GStreamer calls; each finds the Swift object and calls its function.

extension VideoElement.Base {
    var gtype: GType {
        switch self {
        case .analyzer: gst_base_transform_get_type()
        case .filter: gst_video_filter_get_type()
        }
    }
}

private typealias TransformClass = UnsafeMutablePointer<GstBaseTransformClass>
private typealias Transform = UnsafeMutablePointer<GstBaseTransform>

func installVideoMethods(on klass: UnsafeMutableRawPointer, of type: VideoElement.Type) {
    let base = type.base
    klass.assumingMemoryBound(to: GstElementClass.self).pointee.change_state = { changeState($0, $1) }
    let transform = klass.assumingMemoryBound(to: GstBaseTransformClass.self)
    transform.pointee.passthrough_on_same_caps = 0
    transform.pointee.start = { peer(of: $0)?.startStream() ?? 0 }
    transform.pointee.stop = { stopStream($0) }
    transform.pointee.sink_event = { handleEvent($0, $1) }
    transform.pointee.src_event = { handleUpstreamEvent($0, $1) }
    transform.pointee.query = { answer($0, $1, $2) }
    transform.pointee.submit_input_buffer = { submit($0, $1, $2) }
    transform.pointee.transform_ip = { transform, buffer in
        guard let buffer, let peer = peer(of: transform) else { return GST_FLOW_ERROR }
        return peer.transformTimed(buffer)
    }
    if base == .analyzer {
        transform.pointee.generate_output = { transform, output in
            guard let output, let peer = peer(of: transform), let generate = generateFrame else {
                return GST_FLOW_ERROR
            }
            return peer.generate(generate, output)
        }
    }
    transform.pointee.transform_meta = { keepsMeta($0, $1, $2, $3) }
    switch base {
    case .analyzer:
        transform.pointee.set_caps = { setCaps($0, $1, $2, parent: nil) }
        transform.pointee.propose_allocation = {
            proposeAllocation($0, $1, $2, parent: parentClass(of: gst_base_transform_get_type()))
        }
    case .filter:
        transform.pointee.set_caps = {
            setCaps($0, $1, $2, parent: parentClass(of: gst_video_filter_get_type()))
        }
        transform.pointee.propose_allocation = {
            proposeAllocation($0, $1, $2, parent: parentClass(of: gst_video_filter_get_type()))
        }
    }
    transform.pointee.before_transform = { transform, buffer in
        if let buffer { peer(of: transform)?.prepare(for: buffer) }
    }
    if type.changesSize { return installSizeMethods(on: transform) }
    guard type.changesFormat else { return }
    transform.pointee.transform_caps = { transform, direction, caps, filter in
        peer(of: transform)?.negotiation.transform(caps, from: direction, filter: filter)?.retained()
    }
    transform.pointee.accept_caps = { transform, direction, caps in
        guard let other = peer(of: transform)?.negotiation.transform(caps, from: direction, filter: nil)
        else { return 0 }
        return other.isEmpty ? 0 : 1
    }
    transform.pointee.fixate_caps = { transform, direction, caps, other in
        guard let peer = peer(of: transform) else { return other }
        // The method takes `other` over.
        let possible = other.map { GStreamer.Caps(taking: $0) }
        return peer.negotiation.fixate(caps, other: possible, from: direction)?.retained()
    }
    transform.pointee.transform = { drawFrame($0, $1, $2) }
}

private func installSizeMethods(on transform: TransformClass) {
    transform.pointee.transform_caps = { transform, direction, caps, filter in
        peer(of: transform)?.sizeNegotiation.transform(caps, from: direction, filter: filter)?.retained()
    }
    transform.pointee.fixate_caps = { transform, direction, caps, other in
        guard let peer = peer(of: transform) else { return other }
        // The method takes `other` over.
        let possible = other.map { GStreamer.Caps(taking: $0) }
        return peer.sizeNegotiation.fixate(caps, other: possible, from: direction)?.retained()
    }
    transform.pointee.transform_meta = { _, _, meta, _ in isIndependentOfSize(meta) }
    transform.pointee.transform = { drawFrame($0, $1, $2) }
}

private func drawFrame(
    _ transform: Transform?, _ input: UnsafeMutablePointer<GstBuffer>?,
    _ output: UnsafeMutablePointer<GstBuffer>?
) -> GstFlowReturn {
    guard let input, let output, let peer = peer(of: transform) else { return GST_FLOW_ERROR }
    return peer.transform(input, into: output)
}

/// GstBaseTransform's implementation of `generate_output`.
private var generateFrame: VideoElement.Generate? {
    parentClass(of: gst_base_transform_get_type())?.pointee.generate_output
}

private func parentClass(of gtype: GType) -> TransformClass? {
    g_type_class_peek(gtype)?.assumingMemoryBound(to: GstBaseTransformClass.self)
}

// MARK: - Life cycle

extension VideoElement {
    fileprivate func startStream() -> gboolean {
        settingsStore.access.setStreaming(true)
        renewSettings()
        if reporting({ () throws(ElementError) in try start() }) { return 1 }
        settingsStore.access.setStreaming(false)
        return 0
    }
}

private func changeState(
    _ element: UnsafeMutablePointer<GstElement>?, _ change: GstStateChange
) -> GstStateChangeReturn {
    // The base class waits for the streaming thread.
    if change == GST_STATE_CHANGE_PAUSED_TO_READY { peer(of: element)?.interrupt() }
    let parent = g_type_class_peek(gst_base_transform_get_type())?
        .assumingMemoryBound(to: GstElementClass.self)
    return parent?.pointee.change_state(element, change) ?? GST_STATE_CHANGE_FAILURE
}

private func stopStream(_ transform: Transform?) -> gboolean {
    peer(of: transform)?.stopStream()
    return 1
}

private func setCaps(
    _ transform: Transform?, _ input: UnsafeMutablePointer<GstCaps>?,
    _ output: UnsafeMutablePointer<GstCaps>?, parent: TransformClass?
) -> gboolean {
    if let parentSetCaps = parent?.pointee.set_caps, parentSetCaps(transform, input, output) == 0 { return 0 }
    guard let peer = peer(of: transform), let source = VideoInfo(caps: input),
        let destination = VideoInfo(caps: output)
    else { return 0 }
    return peer.setCaps(input: source, output: destination) ? 1 : 0
}

/// Takes a buffer from upstream: drops late frames; the base class negotiates caps again if needed.
private func submit(
    _ transform: Transform?, _ isDiscontinuity: gboolean, _ buffer: UnsafeMutablePointer<GstBuffer>?
) -> GstFlowReturn {
    if let buffer, let peer = peer(of: transform), peer.drops(buffer) {
        _ = MemoryBuffer(takingOwnership: buffer)
        return people_flow_dropped
    }
    guard let parent = parentClass(of: gst_base_transform_get_type())?.pointee.submit_input_buffer else {
        return GST_FLOW_ERROR
    }
    let flow = parent(transform, isDiscontinuity, buffer)
    guard flow == GST_FLOW_NOT_NEGOTIATED, let peer = peer(of: transform) else { return flow }
    guard !peer.refusesAll else { return GST_FLOW_FLUSHING }
    if let error = peer.disagreement { peer.post(error: error) }
    return flow
}

// MARK: - Events

private func handleEvent(
    _ transform: Transform?, _ event: UnsafeMutablePointer<GstEvent>?
) -> gboolean {
    let peer = peer(of: transform)
    let isCaps = event.map { people_event_type($0) } == GST_EVENT_CAPS
    if let event, let peer {
        if people_event_type(event) == GST_EVENT_FLUSH_STOP {
            peer.queuedFrames.removeAll()
        } else if people_event_is_serialized(event) != 0, let generate = generateFrame {
            // An event behind frames must stay behind them.
            peer.drain(generate)
        }
        switch people_event_type(event) {
        case GST_EVENT_STREAM_START: peer.startNextStream()
        case GST_EVENT_FLUSH_STOP, GST_EVENT_SEGMENT: peer.breakStream()
        case GST_EVENT_TAG:
            if let orientation = GStreamer.Event(retaining: event).tags?.orientation {
                peer.orientationChanged(to: orientation)
            }
        default: break
        }
    }
    guard let parent = parentClass(of: gst_base_transform_get_type())?.pointee.sink_event else {
        discard(event)
        return 0
    }
    let isTaken = parent(transform, event)
    guard isCaps, isTaken == 0, let peer else { return isTaken }
    // The source would report refused caps as an error. It is stopped next, or its next frame is refused.
    guard !peer.refusesAll else { return 1 }
    if !peer.isFlushing, let error = peer.negotiationError { peer.post(error: error) }
    return isTaken
}

private func handleUpstreamEvent(
    _ transform: Transform?, _ event: UnsafeMutablePointer<GstEvent>?
) -> gboolean {
    if let event, let peer = peer(of: transform) {
        peer.noteTiming(event)
        if peer.takesNavigation(event) {
            discard(event)
            return 1
        }
        if type(of: peer).changesSize, people_event_type(event) == GST_EVENT_NAVIGATION {
            return pass(navigation: event, from: transform, peer)
        }
    }
    guard let parent = parentClass(of: gst_base_transform_get_type())?.pointee.src_event else {
        discard(event)
        return 0
    }
    return parent(transform, event)
}

/// Passes an event with positions in the output upstream, with positions in the input.
private func pass(
    navigation event: UnsafeMutablePointer<GstEvent>, from transform: Transform?, _ peer: VideoElement
) -> gboolean {
    let moved = peer.movedUpstream(event)
    guard let parent = parentClass(of: gst_base_transform_get_type())?.pointee.src_event else {
        discard(moved)
        return 0
    }
    return parent(transform, moved)
}

/// Releases an event that goes no further.
private func discard(_ event: UnsafeMutablePointer<GstEvent>?) {
    if let event { _ = MiniObjectReference(taking: event) }
}

private func answer(
    _ transform: Transform?, _ direction: GstPadDirection, _ query: UnsafeMutablePointer<GstQuery>?
) -> gboolean {
    if let query, direction == GST_PAD_SRC, peer(of: transform)?.attachesMeta(of: query) == true { return 1 }
    if let query, direction == GST_PAD_SINK, people_query_type(query) == GST_QUERY_DRAIN,
        let generate = generateFrame
    {
        peer(of: transform)?.drain(generate)
    }
    guard let parent = parentClass(of: gst_base_transform_get_type())?.pointee.query,
        parent(transform, direction, query) != 0
    else { return 0 }
    if let query, direction == GST_PAD_SRC, people_query_type(query) == GST_QUERY_LATENCY {
        peer(of: transform)?.addLatency(to: query)
    }
    return 1
}

extension VideoElement {
    /// Whether nothing is taken any more, because the element is being stopped.
    fileprivate var refusesAll: Bool {
        isFlushing && gstTransform.pointee.element.next_state == GST_STATE_READY
    }

    /// Whether downstream refuses data because of a seek or a change of state.
    fileprivate var isFlushing: Bool {
        guard let pad = gstTransform.pointee.srcpad else { return true }
        return pad.pointee.object.flags & GST_PAD_FLAG_FLUSHING.rawValue != 0
    }
}

// MARK: - Buffers

/// Whether a meta stays valid: a change of pixel format does not move the image, so metas about its content
/// do.
private func keepsMeta(
    _ transform: Transform?, _ output: UnsafeMutablePointer<GstBuffer>?,
    _ meta: UnsafeMutablePointer<GstMeta>?, _ input: UnsafeMutablePointer<GstBuffer>?
) -> gboolean {
    guard let info = meta?.pointee.info else { return 1 }
    // The conversion has cropped the image already.
    guard info.pointee.api != gst_video_crop_meta_api_get_type() else { return 0 }
    guard var tag = gst_meta_api_type_get_tags(info.pointee.api) else { return 1 }
    while let name = tag.pointee {
        guard strcmp(name, "video") == 0 || strcmp(name, "size") == 0 || strcmp(name, "orientation") == 0
        else { return 0 }
        tag += 1
    }
    return 1
}

/// Whether a meta stays valid when a part of the image is shown at another size: one that is not about places in it.
private func isIndependentOfSize(_ meta: UnsafeMutablePointer<GstMeta>?) -> gboolean {
    guard let info = meta?.pointee.info, var tag = gst_meta_api_type_get_tags(info.pointee.api) else {
        return 1
    }
    while let name = tag.pointee {
        guard strcmp(name, "video") == 0 || strcmp(name, "colorspace") == 0 else { return 0 }
        tag += 1
    }
    // A region of interest is tagged as being about the video as a whole.
    return info.pointee.api == gst_video_region_of_interest_meta_api_get_type() ? 0 : 1
}

/// Tells upstream that rows may have any padding, since all code here uses strides.
private func proposeAllocation(
    _ transform: Transform?, _ decided: UnsafeMutablePointer<GstQuery>?,
    _ query: UnsafeMutablePointer<GstQuery>?, parent: TransformClass?
) -> gboolean {
    guard let proposeParent = parent?.pointee.propose_allocation,
        proposeParent(transform, decided, query) != 0
    else { return 0 }
    // A crop by metadata may begin between pixels that share chroma; pixels that must be hidden would then be
    // visible.
    var index = guint(0)
    if gst_query_find_allocation_meta(query, gst_video_crop_meta_api_get_type(), &index) != 0 {
        gst_query_remove_nth_allocation_meta(query, index)
    }
    if let query { peer(of: transform)?.reserveBuffers(in: query) }
    // Buffers that pass through go downstream, which has answered the query itself.
    guard gst_base_transform_is_passthrough(transform) == 0 else { return 1 }
    let videoMeta = gst_video_meta_api_get_type()
    if gst_query_find_allocation_meta(query, videoMeta, nil) == 0 {
        gst_query_add_allocation_meta(query, videoMeta, nil)
    }
    return 1
}
