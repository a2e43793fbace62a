#include <R_ext/Rdynload.h>

#include "bindings.h"

#define ENTRY(name, count) {#name, (DL_FUNC) & name, count}

static const R_CallMethodDef entries[] = {ENTRY(wr_version, 0),     ENTRY(wr_now_us, 0),
                                          ENTRY(wr_hook_create, 6), ENTRY(wr_hook_active, 1),
                                          ENTRY(wr_hook_mode, 2),   ENTRY(wr_hook_begin, 2),
                                          ENTRY(wr_hook_end, 1),    ENTRY(wr_hook_step, 2),
                                          ENTRY(wr_hook_wants, 2),  ENTRY(wr_hook_save, 6),
                                          ENTRY(wr_hook_texts, 4),  ENTRY(wr_hook_scalar, 3),
                                          ENTRY(wr_hook_role, 3),   ENTRY(wr_hook_span, 5),
                                          ENTRY(wr_hook_flush, 1),  ENTRY(wr_hook_counters, 1),
                                          ENTRY(wr_hook_close, 1),  ENTRY(wr_parse_record, 1),
                                          {NULL, NULL, 0}};

void R_init_sagemaker_debugger(DllInfo* info) {
  R_registerRoutines(info, NULL, entries, NULL, NULL);
  R_useDynamicSymbols(info, FALSE);
  R_forceSymbols(info, TRUE);
}
