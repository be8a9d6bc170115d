// libvips 8.14. Operations take lists of options, which Swift cannot pass: each wrapper calls one of them.
#pragma once
#include <vips/vips.h>

/* VIPS_INIT checks the version of the header by this. */
static inline int people_vips_init(const char *program) { return VIPS_INIT(program); }

/* Warnings of damaged files become errors of the tool: they are not printed, and do not end the program where GLib is told to
   make them fatal. */
static inline void people_vips_ignore(const gchar *domain, GLogLevelFlags level, const gchar *text, gpointer data) {
    (void)domain, (void)level, (void)text, (void)data;
}
static inline GLogLevelFlags people_vips_begin_quiet(void) {
    g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING, people_vips_ignore, NULL);
    return g_log_set_always_fatal(G_LOG_FATAL_MASK);
}
static inline void people_vips_end_quiet(GLogLevelFlags fatal) { g_log_set_always_fatal(fatal); }

/* Rows are decoded in order, as they are asked for; a picture that ends early is an error. */
static inline VipsImage *people_vips_load(const void *bytes, size_t count) {
    return vips_image_new_from_buffer(
        bytes, count, "", "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_TRUNCATED, NULL);
}

/* From the profile in the picture to sRGB of 8 bits. */
static inline int people_vips_from_profile(VipsImage *in, VipsImage **out) {
    return vips_icc_transform(
        in, out, "srgb", "embedded", TRUE, "intent", VIPS_INTENT_PERCEPTUAL, "depth", 8, NULL);
}

/* Likewise, from a profile that is in a file, or comes with libvips. */
static inline int people_vips_from_named_profile(VipsImage *in, VipsImage **out, const char *profile) {
    return vips_icc_transform(
        in, out, "srgb", "input_profile", profile, "intent", VIPS_INTENT_PERCEPTUAL, "depth", 8, NULL);
}

static inline int people_vips_to_srgb(VipsImage *in, VipsImage **out) {
    return vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL);
}

static inline int people_vips_cast_uchar(VipsImage *in, VipsImage **out) {
    return vips_cast_uchar(in, out, NULL);
}

static inline int people_vips_first_bands(VipsImage *in, VipsImage **out, int count) {
    return vips_extract_band(in, out, 0, "n", count, NULL);
}

static inline int people_vips_upright(VipsImage *in, VipsImage **out) { return vips_autorot(in, out, NULL); }

/* A picture of one pixel. */
static inline int people_vips_pixel(VipsImage **out) { return vips_black(out, 1, 1, NULL); }

static inline int people_vips_png(VipsImage *in, void **bytes, size_t *count) {
    return vips_pngsave_buffer(in, bytes, count, "compression", 6, NULL);
}

static inline int people_vips_jpeg(VipsImage *in, void **bytes, size_t *count) {
    return vips_jpegsave_buffer(
        in, bytes, count, "Q", 98, "subsample_mode", VIPS_FOREIGN_SUBSAMPLE_OFF, NULL);
}

static inline int people_vips_webp(VipsImage *in, void **bytes, size_t *count) {
    return vips_webpsave_buffer(in, bytes, count, "Q", 95, "alpha_q", 100, "smart_subsample", TRUE, NULL);
}
