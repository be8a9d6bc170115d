#include "CCheckout.h"

#include <stddef.h>

const char *people_source_file(void) {
#ifdef PEOPLE_FOR_INSTALLATION
    return NULL;
#else
    return __FILE__;
#endif
}
