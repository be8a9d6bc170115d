/* gst-people inside a C program: frames go in through appsrc and come out of appsink with the
 * people on another background. Reads each frame's mask and changes properties while it plays.
 *
 *   cc embed.c -o embed $(pkg-config --cflags --libs gstreamer-app-1.0)
 *   ./embed CLIP [FRAMES]
 *
 * Prints one line per frame: time in seconds, and the share of the picture that people cover.
 * Nothing of gst-people is needed to compile it: metadata is read by name. */
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>

static GstElement *parse(const char *description) {
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch(description, &error);
  if (error != NULL) {
    /* A missing element is not always fatal for the parser; it is for us. */
    fprintf(stderr, "embed: %s\n", error->message);
    g_clear_error(&error);
    exit(1);
  }
  return pipeline;
}

static GstElement *child(GstElement *pipeline, const char *name) {
  return gst_bin_get_by_name(GST_BIN(pipeline), name);
}

/* Says why a pipeline stopped. Returns FALSE when it did not stop because of an error. */
static gboolean report_error(GstElement *pipeline) {
  GstBus *bus = gst_element_get_bus(pipeline);
  GstMessage *message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR);
  gst_object_unref(bus);
  if (message == NULL) return FALSE;
  GError *error = NULL;
  gst_message_parse_error(message, &error, NULL);
  fprintf(stderr, "embed: %s: %s (%s, code %d)\n", GST_MESSAGE_SRC_NAME(message), error->message,
          g_quark_to_string(error->domain), error->code);
  g_clear_error(&error);
  gst_message_unref(message);
  return TRUE;
}

/* The next frame, or NULL at the end or after an error, which is reported. A plain pull would wait
 * for ever after an error. */
static GstSample *pull(GstElement *sink, GstElement *pipeline) {
  while (!gst_app_sink_is_eos(GST_APP_SINK(sink))) {
    GstSample *sample = gst_app_sink_try_pull_sample(GST_APP_SINK(sink), 50 * GST_MSECOND);
    if (sample != NULL) return sample;
    if (report_error(pipeline)) exit(1);
  }
  return NULL;
}

/* The mean of the frame's mask, 0 to 1; negative when there is no 8-bit mask. */
static double coverage(GstBuffer *frame) {
  GstCustomMeta *meta = gst_buffer_get_custom_meta(frame, "GstPeopleMask");
  if (meta == NULL) return -1;
  const GstStructure *fields = gst_custom_meta_get_structure(meta);
  const GValue *value = gst_structure_get_value(fields, "mask");
  int width, height, stride;
  if (value == NULL || !gst_structure_get_int(fields, "width", &width) ||
      !gst_structure_get_int(fields, "height", &height) ||
      !gst_structure_get_int(fields, "stride", &stride) ||
      g_strcmp0(gst_structure_get_string(fields, "format"), "gray8") != 0)
    return -1;
  GstBuffer *mask = g_value_get_boxed(value);
  GstMapInfo map;
  if (!gst_buffer_map(mask, &map, GST_MAP_READ)) return -1;
  double sum = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) sum += map.data[y * stride + x];
  gst_buffer_unmap(mask, &map);
  return sum / 255 / width / height;
}

int main(int argc, char **argv) {
  gst_init(&argc, &argv);
  if (argc < 2) {
    fprintf(stderr, "usage: embed CLIP [FRAMES]\n");
    return 2;
  }
  int frames = argc > 2 ? atoi(argv[2]) : 60;

  /* Stands for whatever gives the program its frames. */
  GstElement *input = parse("filesrc name=file ! decodebin ! videoconvert ! appsink name=sink max-buffers=1");
  GstElement *people = parse(
      "appsrc name=in format=time is-live=false ! personsegment quality=fast "
      "! blendmask name=blend keep-mask=true ! appsink name=out sync=false");
  GstElement *file = child(input, "file"), *sink = child(input, "sink");
  GstElement *in = child(people, "in"), *out = child(people, "out"), *blend = child(people, "blend");
  g_object_set(file, "location", argv[1], NULL);

  gst_element_set_state(input, GST_STATE_PLAYING);
  gst_element_set_state(people, GST_STATE_PLAYING);
  int done = 0;
  while (done < frames) {
    GstSample *sample = pull(sink, input);
    if (sample == NULL) break;
    /* Any property that says so in gst-inspect-1.0 may change while frames flow. */
    if (done == frames / 2) g_object_set(blend, "background-color", 0xff00b140u, NULL);
    gst_app_src_push_sample(GST_APP_SRC(in), sample);
    gst_sample_unref(sample);

    GstSample *result = pull(out, people);
    if (result == NULL) break;
    GstBuffer *frame = gst_sample_get_buffer(result);
    printf("%.3f %.4f\n", GST_BUFFER_PTS(frame) / 1e9, coverage(frame));
    gst_sample_unref(result);
    done++;
  }

  gst_element_set_state(people, GST_STATE_NULL);
  gst_element_set_state(input, GST_STATE_NULL);
  GstElement *all[] = {file, sink, in, out, blend, people, input};
  for (gsize i = 0; i < G_N_ELEMENTS(all); i++) gst_object_unref(all[i]);
  return done == 0;
}
