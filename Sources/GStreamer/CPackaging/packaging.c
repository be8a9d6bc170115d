#include "packaging.h"

#ifndef PEOPLE_PACKAGE_NAME
#define PEOPLE_PACKAGE_NAME "gst-people"
#endif
/* GStreamer's own words for it. */
#ifndef PEOPLE_PACKAGE_ORIGIN
#define PEOPLE_PACKAGE_ORIGIN "Unknown package origin"
#endif
#ifndef PEOPLE_AUTHORS
#define PEOPLE_AUTHORS "The gst-people authors"
#endif
/* Where the package for Debian installs the page. */
#ifndef PEOPLE_DOCUMENTATION
#define PEOPLE_DOCUMENTATION "file:///usr/share/doc/gst-people/docs/elements.md"
#endif

const char *people_package_name(void) { return PEOPLE_PACKAGE_NAME; }
const char *people_package_origin(void) { return PEOPLE_PACKAGE_ORIGIN; }
const char *people_authors(void) { return PEOPLE_AUTHORS; }
const char *people_documentation(void) { return PEOPLE_DOCUMENTATION; }
