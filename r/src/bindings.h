#ifndef SAGEMAKER_DEBUGGER_BINDINGS_H_
#define SAGEMAKER_DEBUGGER_BINDINGS_H_

/* What R calls: the hook of libtensorwarden (hook.c), and the reader of event files (record.c).
 *
 * Functions of hooks take the external pointer that wr_hook_create() returns. They return NULL if
 * the call succeeds, else the text of the error: the caller decides whether that is a warning. */

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

SEXP wr_version(void);
SEXP wr_now_us(void);

/* Creates a hook. out_dir: a text, or NULL to use the configuration of the environment. config:
 * JSON or NULL. settings: named texts. collections: a named list of named texts, possibly empty.
 * from_last: a number or NULL. Returns list(pointer, name of the status, message); the pointer's
 * address is NULL if the call fails. */
SEXP wr_hook_create(SEXP out_dir, SEXP framework, SEXP config, SEXP settings, SEXP collections,
                    SEXP from_last);
SEXP wr_hook_active(SEXP hook);
SEXP wr_hook_mode(SEXP hook, SEXP mode);
SEXP wr_hook_begin(SEXP hook, SEXP step);
SEXP wr_hook_end(SEXP hook);
SEXP wr_hook_step(SEXP hook, SEXP mode);
SEXP wr_hook_wants(SEXP hook, SEXP name);
/* values are in C order; shape is numeric; is_single converts doubles to 32 bits. */
SEXP wr_hook_save(SEXP hook, SEXP name, SEXP values, SEXP shape, SEXP is_single, SEXP collections);
SEXP wr_hook_texts(SEXP hook, SEXP name, SEXP values, SEXP collections);
SEXP wr_hook_scalar(SEXP hook, SEXP name, SEXP value);
SEXP wr_hook_role(SEXP hook, SEXP role, SEXP tensor);
SEXP wr_hook_span(SEXP hook, SEXP phase, SEXP name, SEXP start_us, SEXP duration_us);
SEXP wr_hook_flush(SEXP hook);
SEXP wr_hook_counters(SEXP hook);
SEXP wr_hook_close(SEXP hook);

/* Reads one record of an event file: a raw vector. Returns list(name, type, shape, values in C
 * order). Stops with an error for bytes that are not a record of a tensor. */
SEXP wr_parse_record(SEXP bytes);

#endif
