#ifndef PEOPLE_CHECKOUT_H
#define PEOPLE_CHECKOUT_H

// The path of a source file in the checkout that the library was compiled in; NULL in what is installed, which may be
// compiled elsewhere and must not depend on that place. Swift's #filePath would be in every program.
const char *people_source_file(void);

#endif
