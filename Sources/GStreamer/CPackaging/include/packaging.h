#ifndef PEOPLE_PACKAGING_H
#define PEOPLE_PACKAGING_H

/* What gst-inspect-1.0 tells of a build; packagers set it when they build (GST_PEOPLE_PACKAGE_NAME,
   GST_PEOPLE_PACKAGE_ORIGIN, GST_PEOPLE_AUTHORS and GST_PEOPLE_DOCUMENTATION, see Package.swift). */

/* Name of the binary package. */
const char *people_package_name(void);
/* Address where the package comes from. */
const char *people_package_origin(void);
/* Authors, each `Name <address>`. */
const char *people_authors(void);
/* Address of the page that describes the elements. */
const char *people_documentation(void);

#endif
