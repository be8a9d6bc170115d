/* Each person of a video by themselves: the label map and the people of every frame, read in C.
 *
 *   cc instances.c -o instances $(pkg-config --cflags --libs gstreamer-app-1.0)
 *   ./instances CLIP [FRAMES]
 *
 * Prints one line per frame: time in seconds, and for each person the id, which stays with the person, and the share of
 * the picture that the person's label covers. Nothing of gst-people is needed to compile it: metadata is read by name. */
#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>

/* Counts the pixels of every label; FALSE when the frame has no label map. */
static gboolean count_labels(const GstStructure *fields, int counts[256], int *pixels) {
  const GValue *value = gst_structure_get_value(fields, "labels");
  int width, height, stride;
  if (value == NULL || !gst_structure_get_int(fields, "width", &width) ||
      !gst_structure_get_int(fields, "height", &height) || !gst_structure_get_int(fields, "labels-stride", &stride))
    return FALSE;
  GstBuffer *labels = g_value_get_boxed(value);
  GstMapInfo map;
  if (!gst_buffer_map(labels, &map, GST_MAP_READ)) return FALSE;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) counts[map.data[y * stride + x]]++;
  gst_buffer_unmap(labels, &map);
  *pixels = width * height;
  return TRUE;
}

static void print_people(GstBuffer *frame) {
  GstCustomMeta *meta = gst_buffer_get_custom_meta(frame, "GstPeopleMask");
  int counts[256] = {0}, pixels;
  if (meta == NULL || !count_labels(gst_custom_meta_get_structure(meta), counts, &pixels)) return;
  printf("%.3f", GST_BUFFER_PTS(frame) / 1e9);
  const GValue *people = gst_structure_get_value(gst_custom_meta_get_structure(meta), "instances");
  for (guint i = 0; people != NULL && i < gst_value_list_get_size(people); i++) {
    const GstStructure *person = gst_value_get_structure(gst_value_list_get_value(people, i));
    int id, label;
    /* The soft mask of this person alone is the field "mask"; x, y, width and height are the box. */
    if (gst_structure_get_int(person, "id", &id) && gst_structure_get_int(person, "label", &label))
      printf("  %d: %.3f", id, (double)counts[label & 255] / pixels);
  }
  printf("\n");
}

/* Says why the pipeline stopped; returns TRUE when it did because of an error. */
static gboolean report_error(GstElement *pipeline) {
  GstBus *bus = gst_element_get_bus(pipeline);
  GstMessage *message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR);
  gst_object_unref(bus);
  if (message == NULL) return FALSE;
  GError *error = NULL;
  gst_message_parse_error(message, &error, NULL);
  fprintf(stderr, "instances: %s: %s\n", GST_MESSAGE_SRC_NAME(message), error->message);
  g_clear_error(&error);
  gst_message_unref(message);
  return TRUE;
}

int main(int argc, char **argv) {
  gst_init(&argc, &argv);
  if (argc < 2) {
    fprintf(stderr, "usage: instances CLIP [FRAMES]\n");
    return 2;
  }
  int left = argc > 2 ? atoi(argv[2]) : 60;
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch(
      "filesrc name=file ! decodebin ! videoconvert ! personsegment quality=fast instance-masks=true "
      "! appsink name=sink sync=false max-buffers=1", &error);
  if (error != NULL) {
    fprintf(stderr, "instances: %s\n", error->message);
    return 1;
  }
  GstElement *file = gst_bin_get_by_name(GST_BIN(pipeline), "file");
  GstElement *sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
  g_object_set(file, "location", argv[1], NULL);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  gboolean failed = FALSE;
  while (left > 0 && !failed && !gst_app_sink_is_eos(GST_APP_SINK(sink))) {
    GstSample *sample = gst_app_sink_try_pull_sample(GST_APP_SINK(sink), 50 * GST_MSECOND);
    if (sample == NULL) {
      failed = report_error(pipeline);
      continue;
    }
    print_people(gst_sample_get_buffer(sample));
    gst_sample_unref(sample);
    left--;
  }
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(file);
  gst_object_unref(sink);
  gst_object_unref(pipeline);
  return failed;
}
