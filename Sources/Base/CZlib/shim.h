// zlib: colour profiles of PNG are compressed.
#pragma once
#include <zlib.h>
