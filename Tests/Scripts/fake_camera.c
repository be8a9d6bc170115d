// A camera for programs that list cameras by GStreamer's device monitor: the environment variable FAKE_CAMERA has its pipeline.
#include <gst/gst.h>

#define CAPS "video/x-raw,format=YUY2,width=640,height=480,framerate=15/1"

typedef GstDevice FakeCamera;
typedef GstDeviceClass FakeCameraClass;
typedef GstDeviceProvider FakeCameras;
typedef GstDeviceProviderClass FakeCamerasClass;

G_DEFINE_TYPE(FakeCamera, fake_camera, GST_TYPE_DEVICE)
G_DEFINE_TYPE(FakeCameras, fake_cameras, GST_TYPE_DEVICE_PROVIDER)

static GstElement *create_element(GstDevice *device, const gchar *name) {
    gchar *line = g_strdup_printf("%s ! videoconvert ! videoscale ! videorate ! " CAPS " ! identity sync=true", g_getenv("FAKE_CAMERA"));
    GstElement *bin = gst_parse_bin_from_description(line, TRUE, NULL);
    g_free(line);
    if (bin && name) gst_object_set_name(GST_OBJECT(bin), name);
    return bin;
}

static void fake_camera_class_init(FakeCameraClass *class) { class->create_element = create_element; }

static void fake_camera_init(FakeCamera *camera) {}

static GList *probe(GstDeviceProvider *provider) {
    GstCaps *caps = gst_caps_from_string(CAPS);
    GstStructure *properties = gst_structure_new("camera", "device.path", G_TYPE_STRING, "/dev/fake", NULL);
    GstDevice *camera = g_object_new(
        fake_camera_get_type(), "display-name", "Fake camera", "device-class", "Video/Source", "caps", caps, "properties", properties, NULL);
    gst_caps_unref(caps);
    gst_structure_free(properties);
    return g_list_append(NULL, camera);
}

static void fake_cameras_class_init(FakeCamerasClass *class) {
    class->probe = probe;
    gst_device_provider_class_set_static_metadata(class, "Fake camera", "Source/Video", "A camera for tests", "The gst-people authors");
}

static void fake_cameras_init(FakeCameras *cameras) {}

static gboolean plugin_init(GstPlugin *plugin) {
    return gst_device_provider_register(plugin, "fakecameras", GST_RANK_PRIMARY, fake_cameras_get_type());
}

#define PACKAGE "gst-people"
GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, fakecamera, "A camera for tests", plugin_init, "1", "Apache 2.0", PACKAGE, "unknown")
