// libobs 29 and newer. Swift cannot import macros with arguments and variadic functions.
#pragma once
#include <obs/obs-module.h>
#include <obs/media-io/video-scaler.h>
#include <obs/util/config-file.h>
#include <obs/util/platform.h>
#include <obs/util/threading.h>

static inline uint32_t people_obs_api_version(void) { return LIBOBS_API_VER; }

static inline void people_obs_log(int level, const char *text) { blog(level, "%s", text); }
