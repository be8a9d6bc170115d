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

/* Rows are decoded in order, as they are asked for. */
static inline VipsImage *people_vips_load(const void *bytes, size_t count, VipsFailOn level) {
    return vips_image_new_from_buffer(
        bytes, count, "", "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", level, NULL);
}

/* By ImageMagick, which recognises the kind by the bytes. */
static inline VipsImage *people_vips_load_by_magick(const void *bytes, size_t count) {
    VipsImage *image = NULL;
    return vips_magickload_buffer((void *)bytes, count, &image, NULL) == 0 ? image : NULL;
}

/* From the profile in the picture to sRGB of 8 bits. */
static inline int people_vips_from_profile(VipsImage *in, VipsImage **out) {
    return vips_icc_transform(
        in, out, "srgb", "embedded", TRUE, "intent", VIPS_INTENT_PERCEPTUAL, "depth", 8, NULL);
}

static inline int people_vips_to_srgb(VipsImage *in, VipsImage **out) {
    return vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL);
}

static inline int people_vips_cast_uchar(VipsImage *in, VipsImage **out) {
    return vips_cast_uchar(in, out, NULL);
}

/* The upper 8 of 16 bits. */
static inline int people_vips_high_bytes(VipsImage *in, VipsImage **out) {
    return vips_cast(in, out, VIPS_FORMAT_UCHAR, "shift", TRUE, NULL);
}

/* Numbers below 0 become 0, those above 65535 become 65535. */
static inline int people_vips_scaled_to_ushort(VipsImage *in, VipsImage **out, double factor) {
    VipsImage *scaled;
    if (vips_linear1(in, &scaled, factor, 0.5, NULL) != 0) return -1;
    int status = vips_cast_ushort(scaled, out, NULL);
    g_object_unref(scaled);
    return status;
}

static inline int people_vips_mean_and_maximum(VipsImage *in, double *mean, double *maximum) {
    return vips_avg(in, mean, NULL) != 0 || vips_max(in, maximum, NULL) != 0 ? -1 : 0;
}

/* Quarters clockwise, 0 to 3. */
static inline int people_vips_turned(VipsImage *in, VipsImage **out, int quarters) {
    return vips_rot(in, out, (VipsAngle)(quarters & 3), NULL);
}

/* Left and right exchanged, or top and bottom. */
static inline int people_vips_flipped(VipsImage *in, VipsImage **out, int is_vertical) {
    return vips_flip(in, out, is_vertical ? VIPS_DIRECTION_VERTICAL : VIPS_DIRECTION_HORIZONTAL, NULL);
}

static inline int people_vips_first_bands(VipsImage *in, VipsImage **out, int count) {
    return vips_extract_band(in, out, 0, "n", count, NULL);
}

/* Rows are shrunk as they are decoded. */
static inline int people_vips_shrink(VipsImage *in, VipsImage **out, int side) {
    return vips_thumbnail_image(in, out, side, "height", side, "size", VIPS_SIZE_DOWN, "no_rotate", TRUE, NULL);
}

static inline int people_vips_bytes_of_sample(VipsImage *in) { return (int)VIPS_IMAGE_SIZEOF_ELEMENT(in); }

/* Copies whole rows, without gaps. */
static inline int people_vips_copy_rows(VipsRegion *region, int top, int rows, void *target) {
    VipsRect area = {0, top, region->im->Xsize, rows};
    if (!target || vips_region_prepare(region, &area)) return -1;
    size_t row = VIPS_REGION_SIZEOF_LINE(region);
    for (int y = 0; y < rows; y++) memcpy((char *)target + y * row, VIPS_REGION_ADDR(region, 0, top + y), row);
    return 0;
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
