/* Plots which way the first person of a clip looks, over time, as a PNG.
 *
 *   cc -Wall yaw.c -o yaw $(pkg-config --cflags --libs gstreamer-app-1.0) -lm && ./yaw CLIP PLOT.png
 *
 * The nose points to the right of the image above the middle line, to the left below it; the grey
 * lines are 30 degrees apart, a tick on the middle line is a second. Frames without a reliable angle
 * leave a gap. */
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 800
#define HEIGHT 400
#define EDGE_DEGREES 90.0 /* at the upper and lower edge */

typedef struct {
  double time, degrees;
} Look;

static void fail(GError *error) {
  fprintf(stderr, "yaw: %s (%s, code %d)\n", error->message, g_quark_to_string(error->domain), error->code);
  exit(1);
}

static GstElement *start(const char *line, const char *path) {
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch(line, &error);
  if (error != NULL) fail(error);
  GstElement *file = gst_bin_get_by_name(GST_BIN(pipeline), "file");
  g_object_set(file, "location", path, NULL);
  gst_object_unref(file);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  return pipeline;
}

static void stop(GstElement *pipeline) {
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(pipeline);
}

/* Ends the program with what the pipeline complains of, if it does. */
static void check(GstMessage *message) {
  if (message == NULL) return;
  GError *error = NULL;
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error(message, &error, NULL);
    fail(error);
  }
  gst_message_unref(message);
}

/* The face with the lowest id; NULL when there is none. */
static const GstStructure *first_face(GstBuffer *frame) {
  GstCustomMeta *meta = gst_buffer_get_custom_meta(frame, "GstPeopleFaces");
  const GValue *list = meta ? gst_structure_get_value(gst_custom_meta_get_structure(meta), "faces") : NULL;
  const GstStructure *first = NULL;
  int least = G_MAXINT, id;
  for (guint i = 0; list != NULL && i < gst_value_list_get_size(list); i++) {
    const GstStructure *face = gst_value_get_structure(gst_value_list_get_value(list, i));
    if (!gst_structure_get_int(face, "id", &id) || id >= least) continue;
    least = id;
    first = face;
  }
  return first;
}

static void look(GstBuffer *frame, GArray *looks) {
  const GstStructure *face = first_face(frame);
  gboolean is_reliable = FALSE;
  double yaw;
  if (face == NULL || !gst_structure_get_boolean(face, "angles-reliable", &is_reliable) || !is_reliable ||
      !gst_structure_get_double(face, "yaw", &yaw))
    return;
  Look look = {GST_BUFFER_PTS(frame) / 1e9, yaw * 180 / G_PI};
  g_array_append_val(looks, look);
}

static GArray *watch(const char *clip) {
  GArray *looks = g_array_new(FALSE, FALSE, sizeof(Look));
  GstElement *pipeline = start(
      "filesrc name=file ! decodebin ! videoconvert ! facepose ! appsink name=sink sync=false max-buffers=4", clip);
  GstElement *sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
  GstBus *bus = gst_element_get_bus(pipeline);
  while (!gst_app_sink_is_eos(GST_APP_SINK(sink))) {
    /* A plain pull would wait for ever after an error. */
    GstSample *sample = gst_app_sink_try_pull_sample(GST_APP_SINK(sink), 50 * GST_MSECOND);
    if (sample != NULL) {
      look(gst_sample_get_buffer(sample), looks);
      gst_sample_unref(sample);
    }
    check(gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR));
  }
  gst_object_unref(bus);
  gst_object_unref(sink);
  stop(pipeline);
  return looks;
}

static void point(guint8 *pixels, int x, int y, guint32 color) {
  if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT) return;
  guint8 *pixel = pixels + 3 * (y * WIDTH + x);
  for (int i = 0; i < 3; i++) pixel[i] = (guint8)(color >> (16 - 8 * i));
}

static void line(guint8 *pixels, double x0, double y0, double x1, double y1, guint32 color) {
  int steps = (int)ceil(fmax(fmax(fabs(x1 - x0), fabs(y1 - y0)), 1));
  for (int step = 0; step <= steps; step++) {
    int x = (int)lround(x0 + (x1 - x0) * step / steps), y = (int)lround(y0 + (y1 - y0) * step / steps);
    point(pixels, x, y, color);
    point(pixels, x, y + 1, color);
  }
}

static double height_of(double degrees) { return HEIGHT / 2.0 * (1 - degrees / EDGE_DEGREES); }

static void draw(guint8 *pixels, GArray *looks) {
  double end = fmax(g_array_index(looks, Look, looks->len - 1).time, 1), scale = (WIDTH - 1) / end;
  for (int degrees = -60; degrees <= 60; degrees += 30)
    line(pixels, 0, height_of(degrees), WIDTH - 1, height_of(degrees), degrees ? 0xd2d2d2 : 0x5a5a5a);
  for (int second = 0; second <= (int)end; second++)
    line(pixels, second * scale, height_of(3), second * scale, height_of(-3), 0x5a5a5a);
  for (guint i = 1; i < looks->len; i++) {
    Look one = g_array_index(looks, Look, i - 1), other = g_array_index(looks, Look, i);
    if (other.time - one.time < 0.25)
      line(pixels, one.time * scale, height_of(one.degrees), other.time * scale, height_of(other.degrees), 0xc81e1e);
  }
}

static void write_png(guint8 *pixels, const char *path) {
  GstElement *pipeline = start("appsrc name=in format=time ! pngenc snapshot=true ! filesink name=file", path);
  GstElement *in = gst_bin_get_by_name(GST_BIN(pipeline), "in");
  GstCaps *caps = gst_caps_new_simple("video/x-raw", "format", G_TYPE_STRING, "RGB", "width", G_TYPE_INT, WIDTH,
                                      "height", G_TYPE_INT, HEIGHT, "framerate", GST_TYPE_FRACTION, 0, 1, NULL);
  gst_app_src_set_caps(GST_APP_SRC(in), caps);
  gst_caps_unref(caps);
  gst_app_src_push_buffer(GST_APP_SRC(in), gst_buffer_new_wrapped(pixels, 3 * WIDTH * HEIGHT));
  gst_app_src_end_of_stream(GST_APP_SRC(in));
  GstBus *bus = gst_element_get_bus(pipeline);
  check(gst_bus_timed_pop_filtered(bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_ERROR | GST_MESSAGE_EOS));
  gst_object_unref(bus);
  gst_object_unref(in);
  stop(pipeline);
}

int main(int argc, char **argv) {
  gst_init(&argc, &argv);
  if (argc != 3) {
    fprintf(stderr, "usage: yaw CLIP PLOT.png\n");
    return 2;
  }
  GArray *looks = watch(argv[1]);
  if (looks->len == 0) {
    fprintf(stderr, "yaw: no face has reliable angles in %s\n", argv[1]);
    return 1;
  }
  guint8 *pixels = g_malloc(3 * WIDTH * HEIGHT);
  memset(pixels, 0xff, 3 * WIDTH * HEIGHT);
  draw(pixels, looks);
  write_png(pixels, argv[2]);
  printf("%s: %u frames, %.1f s\n", argv[2], looks->len, g_array_index(looks, Look, looks->len - 1).time);
  g_array_free(looks, TRUE);
  return 0;
}
