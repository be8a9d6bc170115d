// libpng's simplified API, which Swift can call as it is; the full one needs setjmp.
#pragma once
#include <png.h>
