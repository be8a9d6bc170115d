// Compares our header with the official ones, with nothing to run: it compiles or it does not.
//
//   cc -fsyntax-only -DCHECK_STRUCTURES -I<official> -I<ours> header_check.c
//   cc -fsyntax-only -DCHECK_FUNCTIONS  -I<official> -I<ours> header_check.c

#include <openvino/c/openvino.h>

#include <stddef.h>

#define SAME_TYPE(a, b) _Static_assert(__builtin_types_compatible_p(a, b), #a " is not " #b)

#ifdef CHECK_STRUCTURES

// Ours take other names, so that both definitions can be seen side by side.
#define ov_status_e our_status_e
#define ov_element_type_e our_element_type_e
#define ov_shape_t our_shape_t
#define ov_dimension our_dimension
#define ov_dimension_t our_dimension_t
#define ov_rank_t our_rank_t
#define ov_partial_shape our_partial_shape
#define ov_partial_shape_t our_partial_shape_t
#define ov_property_t our_property_t
#define ov_available_devices_t our_available_devices_t
#include "openvino_c.h"
#undef ov_status_e
#undef ov_element_type_e
#undef ov_shape_t
#undef ov_dimension
#undef ov_dimension_t
#undef ov_rank_t
#undef ov_partial_shape
#undef ov_partial_shape_t
#undef ov_property_t
#undef ov_available_devices_t

#define SAME_SIZE(name) _Static_assert(sizeof(ov_##name) == sizeof(our_##name), "size of " #name)
#define SAME_PLACE(name, member) \
  _Static_assert( \
      offsetof(ov_##name, member) == offsetof(our_##name, member), "place of " #member " in " #name)
#define SAME_MEMBER(name, member) \
  SAME_PLACE(name, member); \
  SAME_TYPE(__typeof__(((ov_##name *)0)->member), __typeof__(((our_##name *)0)->member))

SAME_TYPE(ov_status_e, our_status_e);
SAME_TYPE(ov_element_type_e, our_element_type_e);
_Static_assert(OK == OPENVINO_STATUS_OK, "status OK");
_Static_assert(F32 == OPENVINO_ELEMENT_F32, "element type F32");

SAME_SIZE(shape_t);
SAME_MEMBER(shape_t, rank);
SAME_MEMBER(shape_t, dims);

SAME_SIZE(dimension_t);
SAME_MEMBER(dimension_t, min);
SAME_MEMBER(dimension_t, max);

SAME_SIZE(rank_t);
SAME_MEMBER(rank_t, min);
SAME_MEMBER(rank_t, max);

SAME_SIZE(partial_shape_t);
SAME_PLACE(partial_shape_t, rank);
SAME_PLACE(partial_shape_t, dims);

SAME_SIZE(property_t);
SAME_MEMBER(property_t, key);
SAME_MEMBER(property_t, value);

SAME_SIZE(available_devices_t);
SAME_MEMBER(available_devices_t, devices);
SAME_MEMBER(available_devices_t, size);

#endif

#ifdef CHECK_FUNCTIONS

#define OPENVINO_OFFICIAL_STRUCTURES
#include "openvino_c.h"

#define SAME_FUNCTION(name) SAME_TYPE(__typeof__(&name), name##_fn);

SAME_FUNCTIONS

#endif
