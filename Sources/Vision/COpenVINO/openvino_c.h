// The part of OpenVINO's C interface (2026.4) that this project calls, declared by us so that
// building needs no OpenVINO. The functions are found with dlsym at run time, hence typedefs and no
// prototypes. OpenVINOHeaderTests compares every line here with the official headers.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct ov_core ov_core_t;
typedef struct ov_model ov_model_t;
typedef struct ov_compiled_model ov_compiled_model_t;
typedef struct ov_infer_request ov_infer_request_t;
typedef struct ov_tensor ov_tensor_t;
typedef struct ov_output_const_port ov_output_const_port_t;

#define OPENVINO_STATUS_OK 0
#define OPENVINO_ELEMENT_F32 4u

// OpenVINOHeaderTests defines this to check the function types against the official structures.
#ifndef OPENVINO_OFFICIAL_STRUCTURES

// Official: enums. Swift would import their constants as global names.
typedef int32_t ov_status_e;
typedef uint32_t ov_element_type_e;

typedef struct {
  int64_t rank;
  int64_t *dims;
} ov_shape_t;

typedef struct ov_dimension {
  int64_t min;
  int64_t max;
} ov_dimension_t;

typedef ov_dimension_t ov_rank_t;

typedef struct ov_partial_shape {
  ov_rank_t rank;
  ov_dimension_t *dims;
} ov_partial_shape_t;

typedef struct {
  const char *key;
  const void *value;
} ov_property_t;

typedef struct {
  char **devices;
  size_t size;
} ov_available_devices_t;

#endif

// Errors and strings

typedef const char *(*ov_get_error_info_fn)(ov_status_e status);
typedef const char *(*ov_get_last_err_msg_fn)(void);
typedef void (*ov_free_fn)(const char *content);

// Core

typedef ov_status_e (*ov_core_create_fn)(ov_core_t **core);
typedef void (*ov_core_free_fn)(ov_core_t *core);
typedef ov_status_e (*ov_core_read_model_fn)(
    const ov_core_t *core, const char *path, const char *weights, ov_model_t **model);
typedef ov_status_e (*ov_core_compile_model_props_fn)(
    const ov_core_t *core, const ov_model_t *model, const char *device, size_t count,
    const ov_property_t *properties, ov_compiled_model_t **compiled);
typedef ov_status_e (*ov_core_compile_model_from_file_props_fn)(
    const ov_core_t *core, const char *path, const char *device, size_t count,
    const ov_property_t *properties, ov_compiled_model_t **compiled);
typedef ov_status_e (*ov_core_set_properties_fn)(
    const ov_core_t *core, const char *device, size_t count, const ov_property_t *properties);
typedef ov_status_e (*ov_core_get_property_fn)(
    const ov_core_t *core, const char *device, const char *key, char **value);
typedef ov_status_e (*ov_core_import_model_fn)(
    const ov_core_t *core, const char *content, const size_t size, const char *device,
    ov_compiled_model_t **compiled);
typedef ov_status_e (*ov_core_get_available_devices_fn)(
    const ov_core_t *core, ov_available_devices_t *devices);
typedef void (*ov_available_devices_free_fn)(ov_available_devices_t *devices);

// Model

typedef void (*ov_model_free_fn)(ov_model_t *model);
typedef ov_status_e (*ov_model_inputs_size_fn)(const ov_model_t *model, size_t *size);
typedef ov_status_e (*ov_model_const_input_fn)(
    const ov_model_t *model, ov_output_const_port_t **port);
typedef ov_status_e (*ov_model_const_input_by_name_fn)(
    const ov_model_t *model, const char *name, ov_output_const_port_t **port);
typedef ov_status_e (*ov_model_const_output_by_name_fn)(
    const ov_model_t *model, const char *name, ov_output_const_port_t **port);
typedef ov_status_e (*ov_model_reshape_fn)(
    const ov_model_t *model, const char **names, const ov_partial_shape_t *shapes, size_t count);
typedef ov_status_e (*ov_model_reshape_single_input_fn)(
    const ov_model_t *model, const ov_partial_shape_t shape);

// Compiled model

typedef void (*ov_compiled_model_free_fn)(ov_compiled_model_t *model);
typedef ov_status_e (*ov_compiled_model_export_model_fn)(
    const ov_compiled_model_t *model, const char *path);
typedef ov_status_e (*ov_compiled_model_input_fn)(
    const ov_compiled_model_t *model, ov_output_const_port_t **port);
typedef ov_status_e (*ov_compiled_model_input_by_name_fn)(
    const ov_compiled_model_t *model, const char *name, ov_output_const_port_t **port);
typedef ov_status_e (*ov_compiled_model_outputs_size_fn)(
    const ov_compiled_model_t *model, size_t *size);
typedef ov_status_e (*ov_compiled_model_output_by_index_fn)(
    const ov_compiled_model_t *model, size_t index, ov_output_const_port_t **port);
typedef ov_status_e (*ov_compiled_model_output_by_name_fn)(
    const ov_compiled_model_t *model, const char *name, ov_output_const_port_t **port);
typedef ov_status_e (*ov_compiled_model_create_infer_request_fn)(
    const ov_compiled_model_t *model, ov_infer_request_t **request);

// Port

typedef ov_status_e (*ov_port_get_partial_shape_fn)(
    const ov_output_const_port_t *port, ov_partial_shape_t *shape);
typedef ov_status_e (*ov_port_get_element_type_fn)(
    const ov_output_const_port_t *port, ov_element_type_e *type);
typedef void (*ov_partial_shape_free_fn)(ov_partial_shape_t *shape);
typedef void (*ov_output_const_port_free_fn)(ov_output_const_port_t *port);

// Tensor and inference request

typedef ov_status_e (*ov_tensor_create_from_host_ptr_fn)(
    ov_element_type_e type, const ov_shape_t shape, void *memory, ov_tensor_t **tensor);
typedef void (*ov_tensor_free_fn)(ov_tensor_t *tensor);
typedef void (*ov_infer_request_free_fn)(ov_infer_request_t *request);
typedef ov_status_e (*ov_infer_request_set_tensor_by_const_port_fn)(
    ov_infer_request_t *request, const ov_output_const_port_t *port, const ov_tensor_t *tensor);
typedef ov_status_e (*ov_infer_request_infer_fn)(ov_infer_request_t *request);
