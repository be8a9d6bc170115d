import COBS

/// Registers the filter with OBS, which copies the table.
///
/// OBS passes each function the pointer that `create` has returned: an owned `BackgroundFilter`.
func registerBackgroundFilter() {
    var info = obs_source_info()
    info.id = Constant.filterID
    info.type = OBS_SOURCE_TYPE_FILTER
    info.output_flags = UInt32(OBS_SOURCE_VIDEO | OBS_SOURCE_ASYNC)
    info.get_name = { _ in Constant.filterName }
    info.get_defaults = { FilterProperties.setDefaults(in: $0) }
    info.create = { settings, source in
        let filter = BackgroundFilter(source)
        filter.update(settings)
        return Unmanaged.passRetained(filter).toOpaque()
    }
    info.destroy = { data in
        if let data { Unmanaged<BackgroundFilter>.fromOpaque(data).release() }
    }
    info.update = { data, settings in BackgroundFilter.of(data)?.update(settings) }
    info.get_properties = { data in FilterProperties.make(BackgroundFilter.of(data)?.report.text) }
    info.filter_video = { data, frame in
        guard let frame, let filter = BackgroundFilter.of(data) else { return nil }
        return filter.process(frame)
    }
    info.video_tick = { data, seconds in BackgroundFilter.of(data)?.tick(seconds) }
    info.filter_remove = { data, parent in BackgroundFilter.of(data)?.leave(parent) }
    obs_register_source_s(&info, MemoryLayout<obs_source_info>.stride)
}

extension BackgroundFilter {
    fileprivate static func of(_ data: UnsafeMutableRawPointer?) -> BackgroundFilter? {
        data.map { Unmanaged<BackgroundFilter>.fromOpaque($0).takeUnretainedValue() }
    }
}
