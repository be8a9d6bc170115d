/// The program's version, the same as in the plugin and in meson-shim.
let version = "0.2.0"
