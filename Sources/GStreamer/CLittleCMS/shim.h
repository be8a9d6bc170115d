// LittleCMS 2: colour profiles.
#pragma once
#include <lcms2.h>

/* TYPE_RGBA_8, TYPE_ARGB_16: macros of shifts. */
static const cmsUInt32Number people_cms_rgba_8 = TYPE_RGBA_8;
static const cmsUInt32Number people_cms_argb_16 = TYPE_ARGB_16;
static const cmsUInt32Number people_cms_gray_alpha_16 = TYPE_GRAYA_16;

/* cmsFLAGS_COPY_ALPHA: a macro. */
static const cmsUInt32Number people_cms_copy_alpha = cmsFLAGS_COPY_ALPHA;
