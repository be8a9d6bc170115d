// Events of v4l2loopback for any file, to be preloaded: the file FAKE_USAGE has the number of readers, FAKE_EVENT the number of
// the event that is answered.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

static int subscribed = -1;
static unsigned last = ~0u;

static int dequeue(struct v4l2_event *event) {
    unsigned count = 0;
    FILE *file = fopen(getenv("FAKE_USAGE"), "r");
    if (file) {
        if (fscanf(file, "%u", &count) != 1) count = last;
        fclose(file);
    }
    if (count == last) {
        errno = ENOENT;
        return -1;
    }
    last = count;
    memset(event, 0, sizeof *event);
    event->type = strtoul(getenv("FAKE_EVENT"), NULL, 0);
    memcpy(event->u.data, &count, sizeof count);
    return 0;
}

int ioctl(int descriptor, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (request == VIDIOC_SUBSCRIBE_EVENT) {
        const struct v4l2_event_subscription *subscription = argument;
        if (subscription->type != strtoul(getenv("FAKE_EVENT"), NULL, 0) ||
            !(subscription->flags & V4L2_EVENT_SUB_FL_SEND_INITIAL)) {
            errno = EINVAL;
            return -1;
        }
        subscribed = descriptor;
        return 0;
    }
    if (request == VIDIOC_DQEVENT && descriptor == subscribed) return dequeue(argument);
    int (*real)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    return real(descriptor, request, argument);
}
