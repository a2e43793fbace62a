/* The hook: passes steps and tensors to libtensorwarden. */

#include <stdint.h>
#include <string.h>
#include <warden.h>

#include "bindings.h"

static wd_hook* HookOf(SEXP pointer) {
  return TYPEOF(pointer) == EXTPTRSXP ? (wd_hook*)R_ExternalPtrAddr(pointer) : NULL;
}

static void Finalize(SEXP pointer) {
  wd_hook_free(HookOf(pointer));
  R_ClearExternalPtr(pointer);
}

/* Strings of R may have any encoding; the library wants UTF-8. */
static const char* TextAt(SEXP texts, R_xlen_t index) {
  return Rf_translateCharUTF8(STRING_ELT(texts, index));
}

static const char* Text(SEXP text) { return TextAt(text, 0); }

static SEXP ErrorOf(wd_status status) {
  return status == WD_OK ? R_NilValue : Rf_mkString(wd_last_error());
}

static const char** TextsOf(SEXP texts) {
  const R_xlen_t count = Rf_xlength(texts);
  const char** all = (const char**)R_alloc(count + 1, sizeof(char*));
  for (R_xlen_t i = 0; i < count; ++i) all[i] = TextAt(texts, i);
  return all;
}

SEXP wr_version(void) { return Rf_mkString(wd_version()); }

SEXP wr_now_us(void) { return Rf_ScalarReal((double)wd_now_us()); }

static wd_status AddCollection(wd_options* options, SEXP collections, R_xlen_t index) {
  const char* name = TextAt(Rf_getAttrib(collections, R_NamesSymbol), index);
  SEXP values = VECTOR_ELT(collections, index);
  SEXP keys = Rf_getAttrib(values, R_NamesSymbol);
  wd_status status = wd_options_include(options, name);
  for (R_xlen_t i = 0; i < Rf_xlength(values) && status == WD_OK; ++i) {
    status = wd_options_set_for(options, name, TextAt(keys, i), TextAt(values, i));
  }
  return status;
}

static wd_status SetOptions(wd_options* options, SEXP out_dir, SEXP framework, SEXP config,
                            SEXP settings, SEXP collections, SEXP from_last) {
  wd_status status = wd_options_set_framework(options, Text(framework));
  if (status == WD_OK && out_dir != R_NilValue) {
    status = wd_options_set_out_dir(options, Text(out_dir));
  }
  if (status == WD_OK && config != R_NilValue) {
    status = wd_options_set_config(options, Text(config));
    /* The configuration may name another folder. */
    if (status == WD_OK && out_dir != R_NilValue) {
      status = wd_options_set_out_dir(options, Text(out_dir));
    }
  }
  SEXP keys = Rf_getAttrib(settings, R_NamesSymbol);
  for (R_xlen_t i = 0; i < Rf_xlength(settings) && status == WD_OK; ++i) {
    status = wd_options_set(options, TextAt(keys, i), TextAt(settings, i));
  }
  for (R_xlen_t i = 0; i < Rf_xlength(collections) && status == WD_OK; ++i) {
    status = AddCollection(options, collections, i);
  }
  if (status == WD_OK && from_last != R_NilValue) {
    status = wd_options_set_last_step(options, (int64_t)Rf_asReal(from_last));
  }
  return status;
}

SEXP wr_hook_create(SEXP out_dir, SEXP framework, SEXP config, SEXP settings, SEXP collections,
                    SEXP from_last) {
  SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, Finalize, TRUE);
  wd_options* options = wd_options_new();
  wd_status status = WD_OUT_OF_MEMORY;
  wd_hook* hook = NULL;
  if (options != NULL) {
    status = SetOptions(options, out_dir, framework, config, settings, collections, from_last);
    if (status == WD_OK) {
      status = out_dir == R_NilValue ? wd_hook_create_from_environment(options, &hook)
                                     : wd_hook_create(options, &hook);
    }
    wd_options_free(options);
  }
  R_SetExternalPtrAddr(pointer, hook);
  SEXP result = PROTECT(Rf_allocVector(VECSXP, 3));
  SET_VECTOR_ELT(result, 0, pointer);
  SET_VECTOR_ELT(result, 1, Rf_mkString(wd_status_name(status)));
  SET_VECTOR_ELT(result, 2, Rf_mkString(status == WD_OK ? "" : wd_last_error()));
  UNPROTECT(2);
  return result;
}

SEXP wr_hook_active(SEXP hook) { return Rf_ScalarLogical(wd_hook_is_active(HookOf(hook))); }

SEXP wr_hook_mode(SEXP hook, SEXP mode) {
  return ErrorOf(wd_hook_set_mode(HookOf(hook), Rf_asInteger(mode)));
}

SEXP wr_hook_begin(SEXP hook, SEXP step) {
  if (step == R_NilValue) return ErrorOf(wd_hook_begin_step(HookOf(hook)));
  return ErrorOf(wd_hook_begin_step_at(HookOf(hook), (int64_t)Rf_asReal(step)));
}

SEXP wr_hook_end(SEXP hook) { return ErrorOf(wd_hook_end_step(HookOf(hook))); }

SEXP wr_hook_step(SEXP hook, SEXP mode) {
  const wd_hook* own = HookOf(hook);
  const int64_t step =
      mode == R_NilValue ? wd_hook_step(own) : wd_hook_mode_step(own, Rf_asInteger(mode));
  return Rf_ScalarReal((double)step);
}

SEXP wr_hook_wants(SEXP hook, SEXP name) {
  return Rf_ScalarLogical(wd_hook_wants(HookOf(hook), Text(name)));
}

/* Logical values take four bytes in R, and doubles may be saved with four. */
static const void* DataOf(SEXP values, int is_single, wd_dtype* dtype) {
  const R_xlen_t count = Rf_xlength(values);
  switch (TYPEOF(values)) {
    case LGLSXP: {
      unsigned char* bytes = (unsigned char*)R_alloc(count + 1, 1);
      for (R_xlen_t i = 0; i < count; ++i) bytes[i] = LOGICAL(values)[i] != 0;
      *dtype = WD_BOOL;
      return bytes;
    }
    case INTSXP: *dtype = WD_INT32; return INTEGER(values);
    case RAWSXP: *dtype = WD_UINT8; return RAW(values);
    case CPLXSXP: *dtype = WD_COMPLEX128; return COMPLEX(values);
    case REALSXP: break;
    default: return NULL;
  }
  *dtype = is_single ? WD_FLOAT32 : WD_FLOAT64;
  if (!is_single) return REAL(values);
  float* numbers = (float*)R_alloc(count + 1, sizeof(float));
  for (R_xlen_t i = 0; i < count; ++i) numbers[i] = (float)REAL(values)[i];
  return numbers;
}

SEXP wr_hook_save(SEXP hook, SEXP name, SEXP values, SEXP shape, SEXP is_single, SEXP collections) {
  int64_t sizes[WD_MOST_DIMENSIONS];
  const R_xlen_t dimensions = Rf_xlength(shape);
  if (dimensions > WD_MOST_DIMENSIONS) {
    return Rf_mkString("the tensor has too many dimensions; expected at most 32");
  }
  for (R_xlen_t i = 0; i < dimensions; ++i) sizes[i] = (int64_t)REAL(shape)[i];
  wd_value value = {sizeof(wd_value), NULL, WD_FLOAT64, (int32_t)dimensions, sizes, NULL};
  value.data = DataOf(values, Rf_asLogical(is_single), &value.dtype);
  if (value.data == NULL) return Rf_mkString("the value is not numeric");
  const R_xlen_t count = Rf_xlength(collections);
  if (count == 0) return ErrorOf(wd_hook_save(HookOf(hook), Text(name), &value));
  return ErrorOf(
      wd_hook_save_into(HookOf(hook), Text(name), &value, TextsOf(collections), (size_t)count));
}

SEXP wr_hook_texts(SEXP hook, SEXP name, SEXP values, SEXP collections) {
  return ErrorOf(wd_hook_save_strings(HookOf(hook), Text(name), TextsOf(values),
                                      (size_t)Rf_xlength(values), TextsOf(collections),
                                      (size_t)Rf_xlength(collections)));
}

SEXP wr_hook_scalar(SEXP hook, SEXP name, SEXP value) {
  return ErrorOf(wd_hook_save_scalar(HookOf(hook), Text(name), Rf_asReal(value)));
}

SEXP wr_hook_role(SEXP hook, SEXP role, SEXP tensor) {
  return ErrorOf(wd_hook_add_role(HookOf(hook), Text(role), Text(tensor)));
}

SEXP wr_hook_span(SEXP hook, SEXP phase, SEXP name, SEXP start_us, SEXP duration_us) {
  return ErrorOf(wd_hook_record_span(HookOf(hook), Text(phase), Text(name),
                                     (int64_t)Rf_asReal(start_us),
                                     (int64_t)Rf_asReal(duration_us)));
}

SEXP wr_hook_flush(SEXP hook) { return ErrorOf(wd_hook_flush(HookOf(hook))); }

SEXP wr_hook_counters(SEXP hook) {
  wd_counters counters = {sizeof(wd_counters), 0, 0, 0, 0, 0};
  wd_hook_counters(HookOf(hook), &counters);
  SEXP numbers = PROTECT(Rf_allocVector(REALSXP, 5));
  REAL(numbers)[0] = (double)counters.saved_steps;
  REAL(numbers)[1] = (double)counters.saved_tensors;
  REAL(numbers)[2] = (double)counters.saved_bytes;
  REAL(numbers)[3] = (double)counters.dropped;
  REAL(numbers)[4] = (double)counters.failed;
  UNPROTECT(1);
  return numbers;
}

SEXP wr_hook_close(SEXP hook) { return ErrorOf(wd_hook_close(HookOf(hook))); }
