import COBS

// The entry points that OBS looks up in the file.

// OBS sets it once, before all else.
private nonisolated(unsafe) var module: OpaquePointer?

/// Stores OBS's handle of the module.
@_cdecl("obs_module_set_pointer")
public func setModule(_ pointer: OpaquePointer?) { module = pointer }

/// Returns the version of libobs whose headers the module was built with.
@_cdecl("obs_module_ver")
public func moduleVersion() -> UInt32 { people_obs_api_version() }

/// Registers the filter.
@_cdecl("obs_module_load")
public func loadModule() -> Bool {
    RetiredFrames.shared.begin()
    registerBackgroundFilter()
    return true
}

/// Releases what filters have left behind.
@_cdecl("obs_module_unload")
public func unloadModule() { RetiredFrames.shared.end() }

/// Returns the module's name.
@_cdecl("obs_module_name")
public func moduleName() -> UnsafePointer<CChar>? { Constant.moduleName }

/// Returns what the module is for.
@_cdecl("obs_module_description")
public func moduleDescription() -> UnsafePointer<CChar>? { Constant.moduleDescription }

/// Texts that OBS keeps pointers to.
enum Constant {
    static var moduleName: UnsafePointer<CChar>? { text("gst-people") }
    static var moduleDescription: UnsafePointer<CChar>? {
        text("Background replacement for cameras, by masks of the people")
    }
    static var filterID: UnsafePointer<CChar>? { text("gst_people_background") }
    static var filterName: UnsafePointer<CChar>? { text("People: background") }

    private static func text(_ text: StaticString) -> UnsafePointer<CChar>? {
        UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}

/// Writes lines to OBS's log.
enum Log {
    static func warn(_ text: String, of source: OpaquePointer?) { write(Int32(LOG_WARNING), text, source) }
    static func info(_ text: String, of source: OpaquePointer?) { write(Int32(LOG_INFO), text, source) }

    private static func write(_ level: Int32, _ text: String, _ source: OpaquePointer?) {
        let name = source.flatMap { obs_source_get_name($0) }.map { String(cString: $0) + ": " } ?? ""
        people_obs_log(level, "[gst-people-obs] \(name)\(text)")
    }
}

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
