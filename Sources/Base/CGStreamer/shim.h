// Only what Swift cannot import: macros with casts or shifts. Each wrapper names its macro.
#pragma once
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/base/gstbasetransform.h>
#include <gst/base/gsttypefindhelper.h>
#include <gst/gst.h>
#include <gst/video/gstvideofilter.h>
#include <gst/video/video.h>

/* GST_TYPE_BUFFER, GST_TYPE_FRACTION: the macros expand to variables behind casts. */
static inline GType people_type_buffer(void) { return GST_TYPE_BUFFER; }
static inline GType people_type_fraction(void) { return GST_TYPE_FRACTION; }

/* G_TYPE_FROM_CLASS, G_OBJECT_GET_CLASS: macros with casts. */
static inline GType people_type_of_class(gpointer klass) { return G_TYPE_FROM_CLASS(klass); }
static inline GType people_type_of_instance(gpointer instance) { return G_TYPE_FROM_INSTANCE(instance); }

/* GST_PARAM_*: shifted enum constants. */
static const gint people_param_controllable = GST_PARAM_CONTROLLABLE;
static const gint people_param_mutable_ready = GST_PARAM_MUTABLE_READY;
static const gint people_param_mutable_playing = GST_PARAM_MUTABLE_PLAYING;

/* G_PARAM_READWRITE, G_PARAM_DEPRECATED, G_FILE_*, G_LOG_LEVEL_*: Swift sees them as constants before GLib 2.90, and since then as
   members of an option set. */
static const gint people_param_readwrite = G_PARAM_READWRITE;
static const gint people_param_deprecated = G_PARAM_DEPRECATED;
static const GFileTest people_file_test_exists = G_FILE_TEST_EXISTS;
static const GFileTest people_file_test_is_regular = G_FILE_TEST_IS_REGULAR;
static const GFileSetContentsFlags people_file_consistent = G_FILE_SET_CONTENTS_CONSISTENT;
static const GLogLevelFlags people_log_level_error = G_LOG_LEVEL_ERROR;
static const GLogLevelFlags people_log_level_critical = G_LOG_LEVEL_CRITICAL;
static const GLogLevelFlags people_log_level_warning = G_LOG_LEVEL_WARNING;

/* GST_BASE_TRANSFORM_FLOW_DROPPED: an alias of an enum constant. */
static const GstFlowReturn people_flow_dropped = GST_BASE_TRANSFORM_FLOW_DROPPED;

/* GST_STATE_TRANSITION_NEXT: a macro with a cast. */
static inline GstState people_next_state(GstStateChange change) { return GST_STATE_TRANSITION_NEXT(change); }

/* GST_EVENT_TYPE, GST_MESSAGE_TYPE, GST_QUERY_TYPE: macros with casts. */
static inline GstEventType people_event_type(GstEvent *event) { return GST_EVENT_TYPE(event); }
static inline gboolean people_event_is_serialized(GstEvent *event) { return GST_EVENT_IS_SERIALIZED(event); }
static inline GstQueryType people_query_type(GstQuery *query) { return GST_QUERY_TYPE(query); }
static inline GstMessageType people_message_type(GstMessage *message) { return GST_MESSAGE_TYPE(message); }

/* GST_META_TRANSFORM_IS_COPY, GST_VIDEO_META_TRANSFORM_IS_SCALE: macros over private variables. */
static inline gboolean people_transform_is_copy(GQuark type) { return GST_META_TRANSFORM_IS_COPY(type); }
static inline gboolean people_transform_is_scale(GQuark type) { return GST_VIDEO_META_TRANSFORM_IS_SCALE(type); }

/* Declared as a function that reads no memory (G_GNUC_CONST), although it reads the name: the optimiser gives a Swift
   string's memory back before the call. It does not look behind a volatile pointer. */
static inline GstVideoFormat people_video_format_from_string(const gchar *name) {
    GstVideoFormat (*volatile call)(const gchar *) = gst_video_format_from_string;
    return call(name);
}

/* G_TYPE_BOOLEAN, G_TYPE_INT, G_TYPE_INT64, G_TYPE_ENUM and the like: macros over a shift macro. */
static const GType people_g_type_boolean = G_TYPE_BOOLEAN;
static const GType people_g_type_int = G_TYPE_INT;
static const GType people_g_type_uint = G_TYPE_UINT;
static const GType people_g_type_int64 = G_TYPE_INT64;
static const GType people_g_type_enum = G_TYPE_ENUM;
static const GType people_g_type_uint64 = G_TYPE_UINT64;
static const GType people_g_type_double = G_TYPE_DOUBLE;
static const GType people_g_type_string = G_TYPE_STRING;

/* GstAnalyticsMtd, which GStreamer has from 1.24 on: the handle of one description inside a buffer's metadata. */
typedef struct {
    guint id;
    gpointer meta;
} people_analytics_handle;
