// libsoup 3: HTTP on GLib's main loop.
#pragma once
#include <libsoup/soup.h>

/* G_URI_PARAMS_WWW_FORM: a member of a flag enum, which Swift sees as an option set. */
static const GUriParamsFlags people_uri_params_form = G_URI_PARAMS_WWW_FORM;
