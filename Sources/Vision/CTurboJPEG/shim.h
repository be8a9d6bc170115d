// TurboJPEG returns error codes; libjpeg's own API needs setjmp, which Swift cannot call.
#pragma once
#include <turbojpeg.h>
