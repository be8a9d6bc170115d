/* Results of gst-people's elements, read from the metadata of buffers.
 *
 *   cc program.c -o program $(pkg-config --cflags --libs gst-people)
 *
 * The header is all there is: its functions are inline and call GStreamer only, and programs run without gst-people too, which
 * then attaches nothing. Each field is described on the page metadata.md of gst-people's documents.
 *
 *   GstPeopleMask mask;
 *   GstPeopleInstance person;
 *   if (gst_people_mask_read (buffer, &mask))
 *     for (guint i = 0; gst_people_mask_instance (&mask, i, &person); i++)
 *       g_print ("%d at %f, %f\n", person.id, person.box.x, person.box.y);
 *
 * Functions return FALSE, and leave what they would fill in undefined, where a buffer does not carry such a result, where there is
 * no entry of that index, or where a field is missing or of another type. Nothing is copied: texts, buffers and structures that are
 * filled in belong to the buffer's metadata, and are valid as long as that is. Boxes and points are fractions of the frame as
 * stored, with the origin at the top left.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef GST_PEOPLE_H
#define GST_PEOPLE_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Names of the metadata. */
#define GST_PEOPLE_MASK "GstPeopleMask"
#define GST_PEOPLE_FACES "GstPeopleFaces"
#define GST_PEOPLE_BODIES "GstPeopleBodies"
#define GST_PEOPLE_HANDS "GstPeopleHands"
#define GST_PEOPLE_DEPTH "GstPeopleDepth"

/* The id of a person who is not known, and of a body that is not found. */
#define GST_PEOPLE_UNKNOWN (-1)

typedef struct {
  gdouble x, y, width, height;
} GstPeopleBox;

/* A joint or landmark. */
typedef struct {
  gdouble x, y;
  gdouble confidence; /* 0 to 1 */
} GstPeoplePoint;

/* A place in space, in metres: x to the right, y up, z towards the camera. */
typedef struct {
  gdouble x, y, z;
} GstPeoplePosition;

/* The frame that was analysed. */
typedef struct {
  gint width, height; /* pixels */
  gint par_n, par_d;  /* pixel aspect ratio */
  gint orientation;   /* EXIF, 1 to 8 */
  gint revision;      /* of the analysis */
} GstPeopleFrame;

/* GstPeopleMask: the mask of personsegment or subjectsegment. */
typedef struct {
  GstPeopleFrame frame;
  GstBuffer *mask;       /* rows of samples; all of them are in the buffer */
  gint width, height;    /* samples */
  gint stride;           /* bytes from one row to the next */
  const gchar *format;   /* "gray8": 0 to 255; "f16", "f32": 0 to 1 */
  const gchar *quality;  /* level of the mask */
  guint64 timestamp;     /* nanoseconds; GST_CLOCK_TIME_NONE if the frame has none */
  guint64 age;           /* nanoseconds */
  guint64 motion_age;    /* nanoseconds */
  guint64 interval;      /* nanoseconds */
  GstBuffer *labels;     /* rows of bytes, as many as of the mask; NULL without instances */
  gint labels_stride;    /* bytes from one row to the next */
  gint crowd_label;      /* 0 if there is none */
  gint count;            /* people or subjects, with or without a label; 0 without instances */
  const GValue *entries; /* for gst_people_mask_instance */
} GstPeopleMask;

/* An entry of a mask: one person, or one subject. */
typedef struct {
  gint id;
  gint label; /* in the label map */
  GstPeopleBox box;
  gdouble confidence;
  GstBuffer *mask;            /* size, stride and format are those of the whole mask */
  gint person, body;          /* ids, or GST_PEOPLE_UNKNOWN */
  const GstStructure *fields; /* all fields, for gst_people_ids */
} GstPeopleInstance;

/* GstPeopleFaces, GstPeopleBodies or GstPeopleHands. */
typedef struct {
  GstPeopleFrame frame;
  guint count;           /* entries */
  const GValue *entries; /* for gst_people_face, gst_people_body and gst_people_hand */
} GstPeopleList;

/* An entry of GstPeopleFaces. */
typedef struct {
  gint id;
  GstPeopleBox box;
  gdouble confidence;
  gdouble roll, yaw, pitch; /* radians */
  gboolean angles_reliable;
  gdouble quality;            /* 0 to 1; -1 without capture-quality */
  gint person;                /* id, or GST_PEOPLE_UNKNOWN */
  const GstStructure *fields; /* for gst_people_landmark and gst_people_mesh_point */
} GstPeopleFace;

/* An entry of GstPeopleBodies. */
typedef struct {
  gint id;
  GstPeopleBox box;
  gdouble confidence;
  gboolean upper_body_only;
  gdouble body_height;            /* metres; 0 without a pose in space */
  const gchar *height_estimation; /* "reference" or "measured"; NULL without a pose in space */
  gint person;                    /* id, or GST_PEOPLE_UNKNOWN */
  const GstStructure *fields;     /* for gst_people_joint, gst_people_joint_3d, gst_people_camera and gst_people_ids */
} GstPeopleBody;

/* An entry of GstPeopleHands. */
typedef struct {
  gint id;
  GstPeopleBox box;
  gdouble confidence;
  const gchar *chirality; /* "left" or "right" */
  gdouble chirality_confidence;
  gint person;                /* id, or GST_PEOPLE_UNKNOWN */
  const GstStructure *fields; /* for gst_people_joint and gst_people_joint_3d */
} GstPeopleHand;

/* Helpers of the functions below. */

static inline gboolean
gst_people_priv_numbers (const GstStructure *fields, const gchar *name, guint index, gdouble numbers[3])
{
  const GValue *array = fields != NULL ? gst_structure_get_value (fields, name) : NULL;
  guint i;

  if (array == NULL || !GST_VALUE_HOLDS_ARRAY (array) || index >= gst_value_array_get_size (array) / 3)
    return FALSE;
  for (i = 0; i < 3; i++) {
    const GValue *number = gst_value_array_get_value (array, 3 * index + i);
    if (!G_VALUE_HOLDS_DOUBLE (number))
      return FALSE;
    numbers[i] = g_value_get_double (number);
  }
  return TRUE;
}

static inline const GstStructure *
gst_people_priv_structure (const GstStructure *fields, const gchar *name)
{
  const GValue *value = gst_structure_get_value (fields, name);

  return value != NULL && GST_VALUE_HOLDS_STRUCTURE (value) ? gst_value_get_structure (value) : NULL;
}

static inline GstBuffer *
gst_people_priv_buffer (const GstStructure *fields, const gchar *name, gint stride, gint row, gint height)
{
  const GValue *value = gst_structure_get_value (fields, name);
  GstBuffer *buffer;

  if (value == NULL || !GST_VALUE_HOLDS_BUFFER (value) || row <= 0 || height <= 0 || stride < row)
    return NULL;
  buffer = gst_value_get_buffer (value);
  /* Programs may read all rows of a mask that another program has attached. */
  if (buffer == NULL || gst_buffer_get_size (buffer) < (gsize) stride * (gsize) (height - 1) + (gsize) row)
    return NULL;
  return buffer;
}

static inline const GValue *
gst_people_priv_entries (const GstStructure *fields, const gchar *name)
{
  const GValue *list = gst_structure_get_value (fields, name);

  return list != NULL && GST_VALUE_HOLDS_LIST (list) ? list : NULL;
}

static inline const GstStructure *
gst_people_priv_entry (const GValue *entries, guint index)
{
  const GValue *entry;

  if (entries == NULL || index >= gst_value_list_get_size (entries))
    return NULL;
  entry = gst_value_list_get_value (entries, index);
  return GST_VALUE_HOLDS_STRUCTURE (entry) ? gst_value_get_structure (entry) : NULL;
}

static inline gint
gst_people_priv_id (const GstStructure *fields, const gchar *name)
{
  gint id;

  return gst_structure_get_int (fields, name, &id) ? id : GST_PEOPLE_UNKNOWN;
}

static inline gboolean
gst_people_priv_finding (const GstStructure *fields, gint *id, GstPeopleBox *box, gdouble *confidence)
{
  return fields != NULL && gst_structure_get_int (fields, "id", id) && gst_structure_get_double (fields, "x", &box->x)
      && gst_structure_get_double (fields, "y", &box->y) && gst_structure_get_double (fields, "width", &box->width)
      && gst_structure_get_double (fields, "height", &box->height)
      && gst_structure_get_double (fields, "confidence", confidence);
}

static inline const GstStructure *
gst_people_priv_read (GstBuffer *buffer, const gchar *name, GstPeopleFrame *frame)
{
  GstCustomMeta *meta = gst_buffer_get_custom_meta (buffer, name);
  const GstStructure *fields = meta != NULL ? gst_custom_meta_get_structure (meta) : NULL;

  if (fields == NULL || !gst_structure_get_int (fields, "frame-width", &frame->width)
      || !gst_structure_get_int (fields, "frame-height", &frame->height))
    return NULL;
  if (!gst_structure_get_fraction (fields, "pixel-aspect-ratio", &frame->par_n, &frame->par_d))
    frame->par_n = frame->par_d = 1;
  if (!gst_structure_get_int (fields, "orientation", &frame->orientation))
    frame->orientation = 1;
  if (!gst_structure_get_int (fields, "revision", &frame->revision))
    frame->revision = 0;
  return fields;
}

/* Bytes of a sample of a mask. */
static inline gint
gst_people_priv_sample (const gchar *format)
{
  return g_str_equal (format, "f32") ? 4 : g_str_equal (format, "f16") ? 2 : 1;
}

/* Masks */

/* Reads the mask of a buffer. */
static inline gboolean
gst_people_mask_read (GstBuffer *buffer, GstPeopleMask *mask)
{
  const GstStructure *fields = gst_people_priv_read (buffer, GST_PEOPLE_MASK, &mask->frame);
  gint sample;

  if (fields == NULL || !gst_structure_get_int (fields, "width", &mask->width)
      || !gst_structure_get_int (fields, "height", &mask->height)
      || !gst_structure_get_int (fields, "stride", &mask->stride)
      || (mask->format = gst_structure_get_string (fields, "format")) == NULL)
    return FALSE;
  sample = gst_people_priv_sample (mask->format);
  if (mask->width > G_MAXINT / sample)
    return FALSE;
  mask->mask = gst_people_priv_buffer (fields, "mask", mask->stride, mask->width * sample, mask->height);
  mask->quality = gst_structure_get_string (fields, "quality");
  if (!gst_structure_get_uint64 (fields, "timestamp", &mask->timestamp))
    mask->timestamp = GST_CLOCK_TIME_NONE;
  if (!gst_structure_get_uint64 (fields, "age", &mask->age))
    mask->age = 0;
  if (!gst_structure_get_uint64 (fields, "motion-age", &mask->motion_age))
    mask->motion_age = 0;
  if (!gst_structure_get_uint64 (fields, "interval", &mask->interval))
    mask->interval = 0;
  mask->labels = NULL;
  if (gst_structure_get_int (fields, "labels-stride", &mask->labels_stride))
    mask->labels = gst_people_priv_buffer (fields, "labels", mask->labels_stride, mask->width, mask->height);
  if (!gst_structure_get_int (fields, "crowd-label", &mask->crowd_label))
    mask->crowd_label = 0;
  if (!gst_structure_get_int (fields, "people", &mask->count) && !gst_structure_get_int (fields, "subjects", &mask->count))
    mask->count = 0;
  mask->entries = gst_people_priv_entries (fields, "instances");
  return mask->mask != NULL;
}

/* Reads the entry of a mask at an index, from 0 on. */
static inline gboolean
gst_people_mask_instance (const GstPeopleMask *mask, guint index, GstPeopleInstance *instance)
{
  const GstStructure *fields = gst_people_priv_entry (mask->entries, index);
  gint sample = gst_people_priv_sample (mask->format);

  if (!gst_people_priv_finding (fields, &instance->id, &instance->box, &instance->confidence)
      || !gst_structure_get_int (fields, "label", &instance->label))
    return FALSE;
  instance->mask = gst_people_priv_buffer (fields, "mask", mask->stride, mask->width * sample, mask->height);
  instance->person = gst_people_priv_id (fields, "person");
  instance->body = gst_people_priv_id (fields, "body");
  instance->fields = fields;
  return instance->mask != NULL;
}

/* Faces, bodies and hands */

/* Reads the list of GST_PEOPLE_FACES, GST_PEOPLE_BODIES or GST_PEOPLE_HANDS of a buffer; it may be empty. */
static inline gboolean
gst_people_list_read (GstBuffer *buffer, const gchar *name, GstPeopleList *list)
{
  const GstStructure *fields = gst_people_priv_read (buffer, name, &list->frame);

  if (fields == NULL)
    return FALSE;
  list->entries = gst_people_priv_entries (fields,
      g_str_equal (name, GST_PEOPLE_FACES) ? "faces" : g_str_equal (name, GST_PEOPLE_BODIES) ? "bodies" : "hands");
  list->count = list->entries != NULL ? gst_value_list_get_size (list->entries) : 0;
  return list->entries != NULL;
}

/* Reads the entry of GST_PEOPLE_FACES at an index, from 0 on. */
static inline gboolean
gst_people_face (const GstPeopleList *list, guint index, GstPeopleFace *face)
{
  const GstStructure *fields = gst_people_priv_entry (list->entries, index);

  if (!gst_people_priv_finding (fields, &face->id, &face->box, &face->confidence)
      || !gst_structure_get_double (fields, "roll", &face->roll) || !gst_structure_get_double (fields, "yaw", &face->yaw)
      || !gst_structure_get_double (fields, "pitch", &face->pitch)
      || !gst_structure_get_boolean (fields, "angles-reliable", &face->angles_reliable))
    return FALSE;
  if (!gst_structure_get_double (fields, "quality", &face->quality))
    face->quality = -1;
  face->person = gst_people_priv_id (fields, "person");
  face->fields = fields;
  return TRUE;
}

/* Reads a landmark of a face with `landmarks`: the point at an index, from 0 on, of a region such as "left-eye". */
static inline gboolean
gst_people_landmark (const GstPeopleFace *face, const gchar *region, guint index, GstPeoplePoint *point)
{
  gdouble numbers[3];

  if (!gst_people_priv_numbers (gst_people_priv_structure (face->fields, "landmarks"), region, index, numbers))
    return FALSE;
  point->x = numbers[0];
  point->y = numbers[1];
  point->confidence = numbers[2];
  return TRUE;
}

/* Reads a point of the mesh of a face with `mesh`, 0 to 477; `depth` is a fraction of the frame's width. */
static inline gboolean
gst_people_mesh_point (const GstPeopleFace *face, guint index, gdouble *x, gdouble *y, gdouble *depth)
{
  gdouble numbers[3];

  if (!gst_people_priv_numbers (face->fields, "mesh", index, numbers))
    return FALSE;
  *x = numbers[0];
  *y = numbers[1];
  *depth = numbers[2];
  return TRUE;
}

/* Reads the entry of GST_PEOPLE_BODIES at an index, from 0 on. */
static inline gboolean
gst_people_body (const GstPeopleList *list, guint index, GstPeopleBody *body)
{
  const GstStructure *fields = gst_people_priv_entry (list->entries, index);

  if (!gst_people_priv_finding (fields, &body->id, &body->box, &body->confidence)
      || !gst_structure_get_boolean (fields, "upper-body-only", &body->upper_body_only))
    return FALSE;
  if (!gst_structure_get_double (fields, "body-height", &body->body_height))
    body->body_height = 0;
  body->height_estimation = gst_structure_get_string (fields, "height-estimation");
  body->person = gst_people_priv_id (fields, "person");
  body->fields = fields;
  return TRUE;
}

/* Reads the entry of GST_PEOPLE_HANDS at an index, from 0 on. */
static inline gboolean
gst_people_hand (const GstPeopleList *list, guint index, GstPeopleHand *hand)
{
  const GstStructure *fields = gst_people_priv_entry (list->entries, index);

  if (!gst_people_priv_finding (fields, &hand->id, &hand->box, &hand->confidence)
      || !gst_structure_get_double (fields, "chirality-confidence", &hand->chirality_confidence))
    return FALSE;
  hand->chirality = gst_structure_get_string (fields, "chirality");
  hand->person = gst_people_priv_id (fields, "person");
  hand->fields = fields;
  return hand->chirality != NULL;
}

/* Reads a joint of the fields of a body or hand, such as "left-wrist" or "index-tip". */
static inline gboolean
gst_people_joint (const GstStructure *fields, const gchar *joint, GstPeoplePoint *point)
{
  gdouble numbers[3];

  if (!gst_people_priv_numbers (gst_people_priv_structure (fields, "joints"), joint, 0, numbers))
    return FALSE;
  point->x = numbers[0];
  point->y = numbers[1];
  point->confidence = numbers[2];
  return TRUE;
}

static inline gboolean
gst_people_priv_position (const GstStructure *fields, const gchar *name, GstPeoplePosition *position)
{
  gdouble numbers[3];

  if (!gst_people_priv_numbers (fields, name, 0, numbers))
    return FALSE;
  position->x = numbers[0];
  position->y = numbers[1];
  position->z = numbers[2];
  return TRUE;
}

/* Reads a joint in space of the fields of a body or hand with `pose-3d`. */
static inline gboolean
gst_people_joint_3d (const GstStructure *fields, const gchar *joint, GstPeoplePosition *position)
{
  return gst_people_priv_position (gst_people_priv_structure (fields, "joints-3d"), joint, position);
}

/* Reads the camera's place, seen from the root of a body with `pose-3d`. */
static inline gboolean
gst_people_camera (const GstPeopleBody *body, GstPeoplePosition *position)
{
  return gst_people_priv_position (body->fields, "camera-position", position);
}

/* Reads an id at an index, from 0 on, of "faces" or "hands" of the fields of an instance or body. */
static inline gboolean
gst_people_ids (const GstStructure *fields, const gchar *name, guint index, gint *id)
{
  const GValue *array = gst_structure_get_value (fields, name);
  const GValue *value;

  if (array == NULL || !GST_VALUE_HOLDS_ARRAY (array) || index >= gst_value_array_get_size (array))
    return FALSE;
  value = gst_value_array_get_value (array, index);
  if (!G_VALUE_HOLDS_INT (value))
    return FALSE;
  *id = g_value_get_int (value);
  return TRUE;
}

/* Depth */

/* Attaches a map of distances to a buffer that may be written, for bodypose.
 *
 * `depth` is a buffer of `format` "GRAY16_LE" (millimetres) or "f32" (metres), aligned with the frame, with `stride` bytes from one
 * row to the next; the buffer keeps a reference of it. FALSE where gst-people is not loaded, as before its first element. */
static inline gboolean
gst_people_depth_attach (GstBuffer *buffer, GstBuffer *depth, gint width, gint height, gint stride, const gchar *format)
{
  GstCustomMeta *meta;

  if (gst_meta_get_info (GST_PEOPLE_DEPTH) == NULL)
    return FALSE;
  meta = gst_buffer_add_custom_meta (buffer, GST_PEOPLE_DEPTH);
  if (meta == NULL)
    return FALSE;
  gst_structure_set (gst_custom_meta_get_structure (meta), "depth", GST_TYPE_BUFFER, depth, "width", G_TYPE_INT, width,
      "height", G_TYPE_INT, height, "stride", G_TYPE_INT, stride, "format", G_TYPE_STRING, format, NULL);
  return TRUE;
}

G_END_DECLS

#endif
