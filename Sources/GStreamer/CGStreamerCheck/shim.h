#pragma once
#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>
#include <gst/controller/controller.h>
