#pragma once
#include <gst/check/gstharness.h>
#include <gst/controller/controller.h>
