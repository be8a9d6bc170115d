/* Prints all that gst-people.h reads of a buffer, a value in each line, for Tests/Scripts/check_header.py:
 *
 *   cc -shared -fPIC people_header.c -o people_header.so $(pkg-config --cflags --libs gst-people) */
#include <gst-people.h>

static void line(GString *text, const char *name, double value) { g_string_append_printf(text, "%s %.17g\n", name, value); }

static void box(GString *text, int id, GstPeopleBox box, double confidence, int person) {
  line(text, "id", id);
  line(text, "x", box.x);
  line(text, "y", box.y);
  line(text, "width", box.width);
  line(text, "height", box.height);
  line(text, "confidence", confidence);
  line(text, "person", person);
}

static void point(GString *text, const char *name, double x, double y, double z) {
  g_string_append_printf(text, "%s %.17g %.17g %.17g\n", name, x, y, z);
}

static void ids(GString *text, const GstStructure *fields, const char *name) {
  int id;
  for (guint i = 0; gst_people_ids(fields, name, i, &id); i++) line(text, name, id);
}

static void joints(GString *text, const GstStructure *fields, const char *const *names) {
  for (; *names != NULL; names++) {
    GstPeoplePoint joint;
    GstPeoplePosition place;
    if (gst_people_joint(fields, *names, &joint)) point(text, *names, joint.x, joint.y, joint.confidence);
    if (gst_people_joint_3d(fields, *names, &place)) point(text, *names, place.x, place.y, place.z);
  }
}

static void read_mask(GstBuffer *buffer, GString *text) {
  GstPeopleMask mask;
  GstPeopleInstance each;
  if (!gst_people_mask_read(buffer, &mask)) return;
  g_string_append_printf(text, "mask %s %s\n", mask.format, mask.quality);
  point(text, "size", mask.width, mask.height, mask.stride);
  point(text, "times", mask.age, mask.motion_age, mask.interval);
  line(text, "timestamp", mask.timestamp);
  point(text, "frame", mask.frame.width, mask.frame.height, mask.frame.orientation);
  line(text, "bytes", gst_buffer_get_size(mask.mask));
  point(text, "labels", mask.labels != NULL ? gst_buffer_get_size(mask.labels) : 0, mask.crowd_label, mask.count);
  for (guint i = 0; gst_people_mask_instance(&mask, i, &each); i++) {
    box(text, each.id, each.box, each.confidence, each.person);
    point(text, "instance", each.label, each.body, gst_buffer_get_size(each.mask));
    ids(text, each.fields, "faces");
    ids(text, each.fields, "hands");
  }
}

static void read_faces(GstBuffer *buffer, const char *const *regions, GString *text) {
  GstPeopleList list;
  GstPeopleFace face;
  GstPeoplePoint landmark;
  double x, y, depth;
  if (!gst_people_list_read(buffer, GST_PEOPLE_FACES, &list)) return;
  line(text, "faces", list.count);
  for (guint i = 0; gst_people_face(&list, i, &face); i++) {
    box(text, face.id, face.box, face.confidence, face.person);
    point(text, "angles", face.roll, face.yaw, face.pitch);
    line(text, "reliable", face.angles_reliable);
    line(text, "quality", face.quality);
    for (const char *const *region = regions; *region != NULL; region++)
      for (guint j = 0; gst_people_landmark(&face, *region, j, &landmark); j++)
        point(text, *region, landmark.x, landmark.y, landmark.confidence);
    for (guint j = 0; gst_people_mesh_point(&face, j, &x, &y, &depth); j++) point(text, "mesh", x, y, depth);
  }
}

static void read_bodies(GstBuffer *buffer, const char *const *names, GString *text) {
  GstPeopleList list;
  GstPeopleBody body;
  GstPeoplePosition camera;
  if (!gst_people_list_read(buffer, GST_PEOPLE_BODIES, &list)) return;
  line(text, "bodies", list.count);
  for (guint i = 0; gst_people_body(&list, i, &body); i++) {
    box(text, body.id, body.box, body.confidence, body.person);
    line(text, "upper", body.upper_body_only);
    if (body.height_estimation != NULL) g_string_append_printf(text, "%s %.17g\n", body.height_estimation, body.body_height);
    if (gst_people_camera(&body, &camera)) point(text, "camera", camera.x, camera.y, camera.z);
    joints(text, body.fields, names);
    ids(text, body.fields, "faces");
    ids(text, body.fields, "hands");
  }
}

static void read_hands(GstBuffer *buffer, const char *const *names, GString *text) {
  GstPeopleList list;
  GstPeopleHand hand;
  if (!gst_people_list_read(buffer, GST_PEOPLE_HANDS, &list)) return;
  line(text, "hands", list.count);
  for (guint i = 0; gst_people_hand(&list, i, &hand); i++) {
    box(text, hand.id, hand.box, hand.confidence, hand.person);
    g_string_append_printf(text, "%s %.17g\n", hand.chirality, hand.chirality_confidence);
    joints(text, hand.fields, names);
  }
}

/* All values of a buffer; `names` are those of joints and regions. */
char *people_header_text(GstBuffer *buffer, const char *const *names);
char *people_header_text(GstBuffer *buffer, const char *const *names) {
  GString *text = g_string_new(NULL);
  read_mask(buffer, text);
  read_faces(buffer, names, text);
  read_bodies(buffer, names, text);
  read_hands(buffer, names, text);
  return g_string_free(text, FALSE);
}

/* Attaches distances; returns whether that was possible. */
int people_header_attach(GstBuffer *buffer, GstBuffer *depth);
int people_header_attach(GstBuffer *buffer, GstBuffer *depth) {
  return gst_people_depth_attach(buffer, depth, 4, 3, 8, "GRAY16_LE");
}
