/// The program's version, as in the plugin and in meson-shim.
let version = "0.2.0"
