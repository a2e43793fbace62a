/* Tensorwarden for C: records the tensors of a training run and what it does when.
 *
 *   wd_options* options = wd_options_new();
 *   wd_options_set_out_dir(options, "runs/1");
 *   wd_options_set(options, "save_interval", "10");
 *   wd_options_include(options, "weights");
 *   wd_hook* hook = NULL;
 *   if (wd_hook_create(options, &hook) != WD_OK) fprintf(stderr, "%s\n", wd_last_error());
 *   wd_options_free(options);
 *   wd_hook_set_mode(hook, WD_TRAIN);
 *   for (...) {
 *     wd_hook_begin_step(hook);
 *     wd_hook_save(hook, "fc.weight", &value);   // Kept if a collection asks for it at this step.
 *   }
 *   wd_hook_close(hook);
 *   wd_hook_free(hook);
 *
 * Nothing here throws, aborts or waits for anything but the disk. A program may ignore every result
 * and goes on training whatever happens to the recording; a hook that could not be made is NULL,
 * and everything takes a hook of NULL: it does nothing and says WD_INVALID.
 *
 * Texts are UTF-8 and end with a zero byte. What is given is copied: nothing needs to live longer
 * than the call. Options belong to one thread at a time. Of a hook, set_mode, begin_step, end_step,
 * step, close and free are for the thread that trains; all else may be called from any thread until
 * close begins. In a forked child a hook of the parent does nothing.
 *
 * The interface grows by functions, by constants and by members at the end of wd_value; what is
 * there keeps its meaning as long as the number in the library's name does. */
#ifndef WARDEN_H_
#define WARDEN_H_

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define WD_EXPORT __attribute__((visibility("default")))
#else
#define WD_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a call. The type has a fixed size, so that every number may be given and refused.
 */
typedef int32_t wd_status;
enum {
  WD_OK = 0,
  WD_INVALID = 1,   /* Something given is not accepted: wd_last_error names it. */
  WD_NOT_FOUND = 2, /* A file or a collection that is not there. */
  WD_EXISTS = 3,    /* The folder holds a finished run, or another process writes into it. */
  WD_IO = 4,        /* The operating system refused. */
  WD_CLOSED = 5,    /* The hook has been closed. */
  WD_OUT_OF_MEMORY = 6,
  WD_INTERNAL = 7 /* A mistake of ours. */
};

/* What steps are taken for. */
typedef int32_t wd_mode;
enum { WD_TRAIN = 1, WD_EVAL = 2, WD_PREDICT = 3, WD_GLOBAL = 4 };

/* Types of elements. WD_BOOL has one byte; complex numbers are pairs. */
typedef int32_t wd_dtype;
enum {
  WD_FLOAT16 = 1,
  WD_BFLOAT16 = 2,
  WD_FLOAT32 = 3,
  WD_FLOAT64 = 4,
  WD_INT8 = 5,
  WD_INT16 = 6,
  WD_INT32 = 7,
  WD_INT64 = 8,
  WD_UINT8 = 9,
  WD_UINT16 = 10,
  WD_UINT32 = 11,
  WD_UINT64 = 12,
  WD_BOOL = 13,
  WD_COMPLEX64 = 14,
  WD_COMPLEX128 = 15
};

enum {
  WD_MOST_DIMENSIONS = 32,  /* As many as every reader takes. */
  WD_MOST_NAME_BYTES = 4096 /* Of a name. */
};
#define WD_LARGEST_STEP INT64_C(999999999999) /* File names have so many digits. */

/* A dense tensor in host memory, in C order: the last dimension's elements lie side by side. */
typedef struct wd_value {
  size_t struct_size; /* sizeof(wd_value). */
  const void* data;   /* May be NULL if there is no element. Need not be aligned. */
  wd_dtype dtype;
  int32_t dimensions;     /* 0: a single number. */
  const int64_t* shape;   /* As many as dimensions. */
  const int64_t* strides; /* NULL, or in elements, to be checked: other than C order is refused. */
} wd_value;

typedef struct wd_options wd_options;
typedef struct wd_hook wd_hook;
typedef struct wd_tensor wd_tensor; /* A tensor's place in a hook, which owns it. */

/* ---- For all. */

WD_EXPORT const char* wd_version(void); /* "0.1.0" */
/* Why the last call of this thread that did not return WD_OK (or NULL) failed; "" if none did. Good
 * until the next call. */
WD_EXPORT const char* wd_last_error(void);
WD_EXPORT const char* wd_status_name(wd_status status); /* "WD_OK", ...; "unknown". */
WD_EXPORT int64_t wd_now_us(void); /* The timeline's clock: microseconds since 1970. */

/* ---- What is recorded: the keys of docs/reference/configuration.md, with their checks. A setting
 * that is refused changes nothing. */

WD_EXPORT wd_options* wd_options_new(void); /* NULL if there is no memory. */
WD_EXPORT void wd_options_free(wd_options* options);
/* The folder of the run; it may not hold a finished one. */
WD_EXPORT wd_status wd_options_set_out_dir(wd_options* options, const char* folder);
/* A whole configuration, as JSON or in a file, in place of what was set before. */
WD_EXPORT wd_status wd_options_set_config(wd_options* options, const char* json);
WD_EXPORT wd_status wd_options_load_config(wd_options* options, const char* path);
/* One of HookParameters: ("save_interval", "10"), ("train.save_steps", "1,5"), ... */
WD_EXPORT wd_status wd_options_set(wd_options* options, const char* key, const char* value);
/* Saves a collection: a built-in one, one that holds a role (wd_hook_add_role), or one of your own,
 * which needs a pattern. */
WD_EXPORT wd_status wd_options_include(wd_options* options, const char* collection);
/* One of its CollectionParameters; includes it. */
WD_EXPORT wd_status wd_options_set_for(wd_options* options, const char* collection, const char* key,
                                       const char* value);
/* Tensors in whose name the pattern is found, beside those it has already; includes it. */
WD_EXPORT wd_status wd_options_add_pattern(wd_options* options, const char* collection,
                                           const char* pattern);
/* Whose built-in collections there are: "plain" (names as PyTorch has them), "pytorch",
 * "tensorflow", "mxnet", "xgboost". */
WD_EXPORT wd_status wd_options_set_framework(wd_options* options, const char* framework);
/* Who we are among those that train together: 0 <= rank < world_size. Rank 0 saves, with
 * ("include_workers", "all") everybody does. */
WD_EXPORT wd_status wd_options_set_worker(wd_options* options, int32_t rank, int32_t world_size);
/* How much memory what waits for the disk may take (64 MiB), and whether tensors that find no room
 * are left out and counted (not 0) or wait (0). */
WD_EXPORT wd_status wd_options_set_staging(wd_options* options, size_t bytes, int32_t drop);
/* Not 0: only types that the original library reads are written, others are widened. */
WD_EXPORT wd_status wd_options_set_original_types_only(wd_options* options, int32_t only);
/* A run is taken up again: the next step is the one after this, in all modes. */
WD_EXPORT wd_status wd_options_set_last_step(wd_options* options, int64_t step);

/* ---- The life of a hook. Of a call that fails, *hook is NULL. */

WD_EXPORT wd_status wd_hook_create(const wd_options* options, wd_hook** hook);
/* With the configuration that $SMDEBUG_CONFIG_FILE_PATH names, as `warden run` sets it, or that of
 * a SageMaker job. Where there is none, or USE_SMDEBUG is false, WD_OK and a hook that saves
 * nothing. options, which may be NULL, say what the program is: framework, worker, staging, types,
 * last step; what they say of the configuration does not count. */
WD_EXPORT wd_status wd_hook_create_from_environment(const wd_options* options, wd_hook** hook);
/* 1 if tensors are saved, as far as the configuration asks for them. */
WD_EXPORT int32_t wd_hook_is_active(const wd_hook* hook);
/* Returns when all steps that have ended are on the disk. Says what went wrong first, if anything
 * did. */
WD_EXPORT wd_status wd_hook_flush(wd_hook* hook);
/* Saves what is left and marks the end of the run. Says what went wrong first, if anything did; a
 * second call says the same. A program that ends without it loses the step that it was in, and who
 * watches waits for more until it is seen that the process is gone. */
WD_EXPORT wd_status wd_hook_close(wd_hook* hook);
/* Closes, too. The hook and its tensors are gone. */
WD_EXPORT void wd_hook_free(wd_hook* hook);
/* WD_OK, or why nothing is saved any more; it was told on stderr. */
WD_EXPORT wd_status wd_hook_status(const wd_hook* hook);

typedef struct wd_counters {
  size_t struct_size; /* sizeof(wd_counters), set by the caller. */
  uint64_t saved_steps;
  uint64_t saved_tensors; /* Values, reductions and scalars, each counted. */
  uint64_t saved_bytes;
  uint64_t dropped; /* Left out because the disk did not keep up. */
  uint64_t failed;  /* Could not be saved. */
} wd_counters;
WD_EXPORT wd_status wd_hook_counters(const wd_hook* hook, wd_counters* counters);

/* ---- Steps. */

/* The mode of the steps to come, WD_GLOBAL at first; each mode counts its steps for itself. */
WD_EXPORT wd_status wd_hook_set_mode(wd_hook* hook, wd_mode mode);
/* Ends the step before and begins the next one. */
WD_EXPORT wd_status wd_hook_begin_step(wd_hook* hook);
/* With a number of the caller's, e.g. a boosting round. */
WD_EXPORT wd_status wd_hook_begin_step_at(wd_hook* hook, int64_t step);
/* Those who watch see the step now, and not when the next one begins. */
WD_EXPORT wd_status wd_hook_end_step(wd_hook* hook);
/* The last step that began: of all modes, or of one. -1 before the first, and of a hook that saves
 * nothing. */
WD_EXPORT int64_t wd_hook_step(const wd_hook* hook);
WD_EXPORT int64_t wd_hook_mode_step(const wd_hook* hook, wd_mode mode);

/* ---- Tensors. */

/* Finds what collections a tensor is in, once and for all: for those who save many. NULL if the
 * name is refused. */
WD_EXPORT const wd_tensor* wd_hook_register(wd_hook* hook, const char* name);
/* 1 if a collection asks for the tensor now: some ten nanoseconds, to be asked before its values
 * are computed. By its name it is looked up, and registered. */
WD_EXPORT int32_t wd_hook_wants_tensor(const wd_hook* hook, const wd_tensor* tensor);
WD_EXPORT int32_t wd_hook_wants(wd_hook* hook, const char* name);
/* Reduces and copies, as the collections ask. A value that is wrong is refused also where nothing
 * asks for it. */
WD_EXPORT wd_status wd_hook_save_tensor(wd_hook* hook, const wd_tensor* tensor,
                                        const wd_value* value);
WD_EXPORT wd_status wd_hook_save(wd_hook* hook, const char* name, const wd_value* value);
/* Puts the tensor into these collections, made if they do not exist, and saves it if one of them is
 * due. */
WD_EXPORT wd_status wd_hook_save_into(wd_hook* hook, const char* name, const wd_value* value,
                                      const char* const* collections, size_t collection_count);
/* A one-dimensional tensor of strings; without collections, those that its name matches. */
WD_EXPORT wd_status wd_hook_save_strings(wd_hook* hook, const char* name, const char* const* values,
                                         size_t count, const char* const* collections,
                                         size_t collection_count);
/* A number, as tensor "scalar/<name>", at any step. Between steps it is kept for the next one. */
WD_EXPORT wd_status wd_hook_save_scalar(wd_hook* hook, const char* name, double value);
/* Says what part a tensor plays, so that rules find it whatever it is called: "relu_output",
 * "predictions", "labels", ... A name that ends in '_' is the beginning of all that play it. Saved
 * collections of that name get the tensor. */
WD_EXPORT wd_status wd_hook_add_role(wd_hook* hook, const char* role, const char* tensor);

/* ---- The timeline, while the file at $SMPROFILER_CONFIG_PATH asks for a profile. Steps are on it
 * without a word. */

/* 1 if anything is recorded now. */
WD_EXPORT int32_t wd_hook_is_profiling(wd_hook* hook);
/* Something that the program did, by wd_now_us(), as part of a phase such as "DataLoading". */
WD_EXPORT wd_status wd_hook_record_span(wd_hook* hook, const char* phase, const char* name,
                                        int64_t start_us, int64_t duration_us);

#ifdef __cplusplus
}
#endif

#endif /* WARDEN_H_ */
