// GIO: D-Bus; and malloc_trim, which Swift's Glibc leaves out.
#pragma once
#include <gio/gio.h>
#include <malloc.h>
