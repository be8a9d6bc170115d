/* The people of a video with their faces and hands, read in C with the header gst-people.h.
 *
 *   cc people.c -o people $(pkg-config --cflags --libs gst-people gstreamer-app-1.0)
 *   ./people CLIP [FRAMES]
 *
 * Prints a line for each person of each frame: time in seconds, id, the middle of the box, the yaw of the head in degrees, the place
 * of the nose, and the hands that are seen. */
#include <gst-people.h>
#include <gst/app/gstappsink.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints the yaw of the person's head. */
static void print_head(GstBuffer *frame, int person) {
  GstPeopleList faces;
  GstPeopleFace face;
  if (!gst_people_list_read(frame, GST_PEOPLE_FACES, &faces)) return;
  for (guint i = 0; gst_people_face(&faces, i, &face); i++)
    if (face.person == person) printf(", yaw %.0f", face.yaw * 180 / G_PI);
}

/* Prints the place of the person's nose. */
static void print_nose(GstBuffer *frame, int person) {
  GstPeopleList bodies;
  GstPeopleBody body;
  GstPeoplePoint nose;
  if (!gst_people_list_read(frame, GST_PEOPLE_BODIES, &bodies)) return;
  for (guint i = 0; gst_people_body(&bodies, i, &body); i++)
    if (body.person == person && gst_people_joint(body.fields, "nose", &nose)) printf(", nose %.2f %.2f", nose.x, nose.y);
}

/* Prints the person's hands that are seen. */
static void print_hands(GstBuffer *frame, int person) {
  GstPeopleList hands;
  GstPeopleHand hand;
  if (!gst_people_list_read(frame, GST_PEOPLE_HANDS, &hands)) return;
  for (guint i = 0; gst_people_hand(&hands, i, &hand); i++)
    if (hand.person == person) printf(", %s hand", hand.chirality);
}

static void print_people(GstBuffer *frame) {
  GstPeopleMask mask;
  GstPeopleInstance person;
  if (!gst_people_mask_read(frame, &mask)) return;
  for (guint i = 0; gst_people_mask_instance(&mask, i, &person); i++) {
    printf("%.3f: %d at %.2f %.2f", GST_BUFFER_PTS(frame) / 1e9, person.person, person.box.x + person.box.width / 2,
           person.box.y + person.box.height / 2);
    print_head(frame, person.person);
    print_nose(frame, person.person);
    print_hands(frame, person.person);
    printf("\n");
  }
}

/* Says why the pipeline stopped; returns TRUE when it did because of an error. */
static gboolean report_error(GstElement *pipeline) {
  GstBus *bus = gst_element_get_bus(pipeline);
  GstMessage *message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR);
  gst_object_unref(bus);
  if (message == NULL) return FALSE;
  GError *error = NULL;
  gst_message_parse_error(message, &error, NULL);
  fprintf(stderr, "people: %s: %s\n", GST_MESSAGE_SRC_NAME(message), error->message);
  g_clear_error(&error);
  gst_message_unref(message);
  return TRUE;
}

int main(int argc, char **argv) {
  gst_init(&argc, &argv);
  if (argc < 2) {
    fprintf(stderr, "usage: people CLIP [FRAMES]\n");
    return 2;
  }
  int left = argc > 2 ? atoi(argv[2]) : 60;
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch(
      "filesrc name=file ! decodebin ! videoconvert ! personsegment quality=fast instance-masks=true ! bodypose ! facepose "
      "! handpose max-hands=6 ! appsink name=sink sync=false max-buffers=1", &error);
  if (error != NULL) {
    fprintf(stderr, "people: %s\n", error->message);
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
