/**
 * @file warden.h
 * @brief Tensorwarden for C: records the tensors, steps and timeline of a training run.
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
 *     wd_hook_save(hook, "fc.weight", &value);   // Saved if a collection includes it at this step.
 *   }
 *   wd_hook_close(hook);
 *   wd_hook_free(hook);
 *
 * Errors: no call throws or aborts, and no call blocks on anything except the disk. You can ignore
 * every result: training continues, whatever happens to the recording. Functions that return
 * wd_status return WD_OK or an error code; wd_last_error() has the message. If a hook cannot be
 * created, it is NULL. Every function accepts a NULL hook: it does nothing and returns WD_INVALID.
 *
 * Strings: all strings are UTF-8 and end with a zero byte.
 *
 * Ownership: arguments are copied; they only have to stay valid during the call. Free options with
 * wd_options_free() and hooks with wd_hook_free().
 *
 * Threads: use an options object from one thread at a time. Call wd_hook_set_mode(),
 * wd_hook_begin_step(), wd_hook_begin_step_at(), wd_hook_end_step(), wd_hook_step(),
 * wd_hook_mode_step(), wd_hook_close() and wd_hook_free() from the training thread only. All other
 * functions can be called from any thread until wd_hook_close() begins. In a forked child process,
 * the parent's hook does nothing.
 *
 * Compatibility: new versions add functions, constants, and members at the end of wd_value and
 * wd_counters. Existing ones keep their meaning while the number in the library's file name stays
 * the same.
 */
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

/** Result of a call. The type has a fixed size, so unknown values can be passed and rejected. */
typedef int32_t wd_status;
enum {
  WD_OK = 0,            /**< The call succeeded. */
  WD_INVALID = 1,       /**< An argument or setting is invalid; wd_last_error() names it. */
  WD_NOT_FOUND = 2,     /**< A file or collection does not exist. */
  WD_EXISTS = 3,        /**< The folder has a finished run, or another process writes to it. */
  WD_IO = 4,            /**< The operating system reported an error. */
  WD_CLOSED = 5,        /**< The hook is closed. */
  WD_OUT_OF_MEMORY = 6, /**< Memory allocation failed. */
  WD_INTERNAL = 7       /**< Internal error of the library. */
};

/** Purpose of the steps; see wd_hook_set_mode(). */
typedef int32_t wd_mode;
enum { WD_TRAIN = 1, WD_EVAL = 2, WD_PREDICT = 3, WD_GLOBAL = 4 };

/** Element type of a tensor. WD_BOOL has one byte per element; complex numbers are pairs of a real
 * and an imaginary part. */
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
  WD_MOST_DIMENSIONS = 32,  /**< Maximum number of dimensions of a tensor. */
  WD_MOST_NAME_BYTES = 4096 /**< Maximum length of a name, in bytes. */
};
/** Largest step number: file names have twelve digits for it. */
#define WD_LARGEST_STEP INT64_C(999999999999)

/** A dense tensor in host memory, in C order: elements of the last dimension are adjacent. The
 * caller owns data, shape and strides. */
typedef struct wd_value {
  size_t struct_size;   /**< sizeof(wd_value). */
  const void* data;     /**< First element; need not be aligned. Can be NULL for an empty tensor. */
  wd_dtype dtype;       /**< Element type. */
  int32_t dimensions;   /**< Number of dimensions, 0 to WD_MOST_DIMENSIONS; 0 for a scalar. */
  const int64_t* shape; /**< Size of each dimension. Can be NULL if dimensions is 0. */
  /** Strides in elements, or NULL for C order. Strides other than C order are rejected. */
  const int64_t* strides;
} wd_value;

/** Settings of a hook. Create with wd_options_new(), free with wd_options_free(). */
typedef struct wd_options wd_options;
/** Records one run. Create with wd_hook_create() or wd_hook_create_from_environment(), free with
 * wd_hook_free(). */
typedef struct wd_hook wd_hook;
/** Handle of a registered tensor; see wd_hook_register(). The hook owns it. */
typedef struct wd_tensor wd_tensor;

/* ---- General. */

/** Returns the version of the library, such as "0.2.0". The string is static. Any thread. */
WD_EXPORT const char* wd_version(void);
/** Returns the message of the last call on this thread that failed, or "" if none has failed.
 *
 * Never NULL. The library owns the string. It is valid until the next failing call on this thread;
 * calls that succeed do not clear it.
 */
WD_EXPORT const char* wd_last_error(void);
/** Returns the name of a status code, such as "WD_OK".
 *
 * @param status A status code.
 * @return A static string; "unknown" for other values. Never NULL.
 */
WD_EXPORT const char* wd_status_name(wd_status status);
/** Returns the current time of the timeline's clock, in microseconds since 1970. Any thread. */
WD_EXPORT int64_t wd_now_us(void);

/* ---- Options: what is recorded.
 *
 * Settings are the keys of docs/reference/configuration.md, with the same validation. All functions
 * return WD_OK, or WD_INVALID if options or another argument is NULL, empty, not UTF-8 or not
 * accepted. A call that fails changes nothing. */

/** Creates options with default settings.
 *
 * @return The options, to be freed with wd_options_free(), or NULL if memory is exhausted.
 */
WD_EXPORT wd_options* wd_options_new(void);
/** Frees options. Hooks created from them are not affected.
 *
 * @param options The options, or NULL to do nothing.
 */
WD_EXPORT void wd_options_free(wd_options* options);
/** Sets the folder of the run.
 *
 * @param options The options.
 * @param folder The folder. It is created if necessary, and must not contain a finished run.
 * @return WD_OK or WD_INVALID. The folder is checked when the hook is created and first saves.
 */
WD_EXPORT wd_status wd_options_set_out_dir(wd_options* options, const char* folder);
/** Replaces all configuration settings by a complete configuration.
 *
 * @param options The options.
 * @param json The configuration as JSON text.
 * @return WD_OK or WD_INVALID.
 */
WD_EXPORT wd_status wd_options_set_config(wd_options* options, const char* json);
/** Replaces all configuration settings by the configuration in a file.
 *
 * @param options The options.
 * @param path Path of a JSON file.
 * @return WD_OK; WD_NOT_FOUND if the file does not exist; WD_IO if it cannot be read; WD_INVALID
 *     if its content is not accepted.
 */
WD_EXPORT wd_status wd_options_load_config(wd_options* options, const char* path);
/** Sets one of the HookParameters.
 *
 * @param options The options.
 * @param key The key, such as "save_interval" or "train.save_steps".
 * @param value The value as text, such as "10" or "1,5".
 * @return WD_OK, or WD_INVALID if the key is unknown or the value is not accepted.
 */
WD_EXPORT wd_status wd_options_set(wd_options* options, const char* key, const char* value);
/** Includes a collection: its tensors are saved.
 *
 * @param options The options.
 * @param collection A built-in collection, a collection named after a role (see
 *     wd_hook_add_role()), or a custom collection, which also needs a pattern.
 * @return WD_OK or WD_INVALID. A custom collection without a pattern makes wd_hook_create() fail.
 */
WD_EXPORT wd_status wd_options_include(wd_options* options, const char* collection);
/** Includes a collection and sets one of its CollectionParameters.
 *
 * @param options The options.
 * @param collection The collection, as in wd_options_include().
 * @param key The key, such as "save_interval".
 * @param value The value as text.
 * @return WD_OK, or WD_INVALID if the key is unknown or the value is not accepted.
 */
WD_EXPORT wd_status wd_options_set_for(wd_options* options, const char* collection, const char* key,
                                       const char* value);
/** Includes a collection and adds tensors to it by name.
 *
 * @param options The options.
 * @param collection The collection, as in wd_options_include().
 * @param pattern A regular expression. Tensors whose name contains a match belong to the
 *     collection, in addition to its other tensors.
 * @return WD_OK, or WD_INVALID if the pattern is invalid.
 */
WD_EXPORT wd_status wd_options_add_pattern(wd_options* options, const char* collection,
                                           const char* pattern);
/** Sets the framework, which defines the built-in collections.
 *
 * @param options The options.
 * @param framework "plain" (the default; names as in PyTorch), "pytorch", "tensorflow", "mxnet" or
 *     "xgboost".
 * @return WD_OK or WD_INVALID.
 */
WD_EXPORT wd_status wd_options_set_framework(wd_options* options, const char* framework);
/** Sets the rank of this process in a distributed training.
 *
 * Rank 0 saves. With ("include_workers", "all"), every rank saves.
 *
 * @param options The options.
 * @param rank Rank of this process, 0 <= rank < world_size.
 * @param world_size Number of processes.
 * @return WD_OK, or WD_INVALID if rank is out of range.
 */
WD_EXPORT wd_status wd_options_set_worker(wd_options* options, int32_t rank, int32_t world_size);
/** Sets the memory for tensors that wait to be written.
 *
 * @param options The options.
 * @param bytes Maximum memory (default: 64 MiB).
 * @param drop If the memory is full: nonzero drops tensors and counts them in
 *     wd_counters::dropped; 0 makes saving wait for the disk.
 * @return WD_OK, or WD_INVALID if options is NULL.
 */
WD_EXPORT wd_status wd_options_set_staging(wd_options* options, size_t bytes, int32_t drop);
/** Restricts saved element types to those that smdebug can read.
 *
 * @param options The options.
 * @param only Nonzero: other types are widened; tensors that cannot be widened are not saved. 0:
 *     all types are written as they are.
 * @return WD_OK, or WD_INVALID if options is NULL.
 */
WD_EXPORT wd_status wd_options_set_original_types_only(wd_options* options, int32_t only);
/** Resumes a run after a step: the next step has the number step + 1, in all modes.
 *
 * @param options The options.
 * @param step Last step of the earlier training, 0 to WD_LARGEST_STEP.
 * @return WD_OK, or WD_INVALID if step is out of range.
 */
WD_EXPORT wd_status wd_options_set_last_step(wd_options* options, int64_t step);

/* ---- Hooks. */

/** Creates a hook.
 *
 * @param options The settings. They can be freed after the call.
 * @param hook Receives the hook, to be freed with wd_hook_free(); NULL if the call fails.
 * @return WD_OK; WD_INVALID if an argument is NULL or a setting is not accepted; WD_EXISTS if the
 *     folder contains a finished run; WD_IO if the folder cannot be accessed; WD_OUT_OF_MEMORY.
 */
WD_EXPORT wd_status wd_hook_create(const wd_options* options, wd_hook** hook);
/** Creates a hook with the configuration of `warden run` or of a SageMaker job.
 *
 * The configuration file is the one that $SMDEBUG_CONFIG_FILE_PATH names, or that of a SageMaker
 * job. Without a configuration, or if USE_SMDEBUG is false, the call succeeds and the hook saves
 * nothing.
 *
 * @param options Framework, worker, staging, types and last step of this program, or NULL for
 *     defaults. Settings of the configuration in options are ignored.
 * @param hook Receives the hook, to be freed with wd_hook_free(); NULL if the call fails.
 * @return As for wd_hook_create(); WD_NOT_FOUND if the named file does not exist.
 */
WD_EXPORT wd_status wd_hook_create_from_environment(const wd_options* options, wd_hook** hook);
/** Returns 1 if the hook saves the tensors that its configuration includes, 0 if it saves nothing,
 * is closed or is NULL. Any thread.
 *
 * @param hook The hook, or NULL.
 */
WD_EXPORT int32_t wd_hook_is_active(const wd_hook* hook);
/** Waits until all steps that have ended are on disk.
 *
 * @param hook The hook.
 * @return WD_OK, or the first error of the recording; WD_CLOSED after wd_hook_close().
 */
WD_EXPORT wd_status wd_hook_flush(wd_hook* hook);
/** Saves all remaining data and marks the run as finished.
 *
 * A program that exits without closing loses its current step, and programs that watch the run
 * wait for more data until they see that the process no longer exists.
 *
 * @param hook The hook.
 * @return WD_OK, or the first error of the recording. A second call returns the same result.
 */
WD_EXPORT wd_status wd_hook_close(wd_hook* hook);
/** Closes the hook and frees it together with its tensor handles.
 *
 * @param hook The hook, or NULL to do nothing.
 */
WD_EXPORT void wd_hook_free(wd_hook* hook);
/** Returns whether the hook still saves. Any thread.
 *
 * @param hook The hook.
 * @return WD_OK, or the error that disabled capture. That error was also written to stderr.
 */
WD_EXPORT wd_status wd_hook_status(const wd_hook* hook);

/** What a hook has saved so far; see wd_hook_counters(). */
typedef struct wd_counters {
  size_t struct_size;     /**< sizeof(wd_counters), set by the caller. */
  uint64_t saved_steps;   /**< Number of saved steps. */
  uint64_t saved_tensors; /**< Number of saved tensors, reductions and scalars. */
  uint64_t saved_bytes;   /**< Number of bytes written. */
  uint64_t dropped;       /**< Number of tensors dropped because the disk was too slow. */
  uint64_t failed;        /**< Number of tensors that could not be saved. */
} wd_counters;
/** Reads the counters of a hook. Any thread.
 *
 * @param hook The hook.
 * @param counters Receives the counters; the caller sets struct_size. All zero if hook is NULL.
 * @return WD_OK, or WD_INVALID if an argument is NULL or struct_size is not set.
 */
WD_EXPORT wd_status wd_hook_counters(const wd_hook* hook, wd_counters* counters);

/* ---- Steps. Call these functions from the training thread. */

/** Sets the mode of the following steps. Each mode counts its steps separately.
 *
 * @param hook The hook.
 * @param mode The mode; a new hook is in mode WD_GLOBAL.
 * @return WD_OK; WD_INVALID if mode is unknown; WD_CLOSED.
 */
WD_EXPORT wd_status wd_hook_set_mode(wd_hook* hook, wd_mode mode);
/** Ends the current step and begins the next one.
 *
 * @param hook The hook.
 * @return WD_OK; WD_INVALID if the number exceeds WD_LARGEST_STEP; WD_CLOSED.
 */
WD_EXPORT wd_status wd_hook_begin_step(wd_hook* hook);
/** Ends the current step and begins a step with a given number, such as a boosting round.
 *
 * @param hook The hook.
 * @param step Number of the step, 0 to WD_LARGEST_STEP.
 * @return WD_OK; WD_INVALID if step is out of range; WD_CLOSED.
 */
WD_EXPORT wd_status wd_hook_begin_step_at(wd_hook* hook, int64_t step);
/** Ends the current step, so that readers of the run see it before the next step begins.
 *
 * @param hook The hook.
 * @return WD_OK or WD_CLOSED.
 */
WD_EXPORT wd_status wd_hook_end_step(wd_hook* hook);
/** Returns the number of the last step that began, counted over all modes; -1 before the first step
 * and if the hook saves nothing or is NULL.
 *
 * @param hook The hook, or NULL.
 */
WD_EXPORT int64_t wd_hook_step(const wd_hook* hook);
/** Returns the number of the last step that began in a mode; -1 before the first step, if the hook
 * saves nothing or is NULL, and for an unknown mode.
 *
 * @param hook The hook, or NULL.
 * @param mode The mode.
 */
WD_EXPORT int64_t wd_hook_mode_step(const wd_hook* hook, wd_mode mode);

/* ---- Tensors.
 *
 * Names have at most WD_MOST_NAME_BYTES bytes. Functions that save return WD_OK also if no
 * collection includes the tensor; WD_INVALID if an argument is not accepted, even if the tensor
 * would not be saved; and WD_CLOSED after wd_hook_close(). Errors while writing do not appear here:
 * see wd_hook_status(). Values are copied before the call returns. */

/** Registers a tensor: looks up its collections once. Use it to save many tensors quickly.
 *
 * @param hook The hook.
 * @param name Name of the tensor.
 * @return A handle that is valid until wd_hook_free(), or NULL if an argument is not accepted or
 *     the hook is closed.
 */
WD_EXPORT const wd_tensor* wd_hook_register(wd_hook* hook, const char* name);
/** Returns 1 if a collection includes the tensor at the current step, otherwise 0.
 *
 * The call takes about 10 ns. Call it before you compute the values of a tensor.
 *
 * @param hook The hook, or NULL.
 * @param tensor Handle from wd_hook_register() of the same hook, or NULL.
 */
WD_EXPORT int32_t wd_hook_wants_tensor(const wd_hook* hook, const wd_tensor* tensor);
/** Returns 1 if a collection includes the tensor at the current step, otherwise 0. Registers the
 * tensor on the first call.
 *
 * @param hook The hook, or NULL.
 * @param name Name of the tensor.
 */
WD_EXPORT int32_t wd_hook_wants(wd_hook* hook, const char* name);
/** Saves a registered tensor, or its reductions, as its collections require.
 *
 * @param hook The hook.
 * @param tensor Handle from wd_hook_register() of the same hook.
 * @param value The tensor.
 * @return WD_OK, WD_INVALID or WD_CLOSED.
 */
WD_EXPORT wd_status wd_hook_save_tensor(wd_hook* hook, const wd_tensor* tensor,
                                        const wd_value* value);
/** Saves a tensor, or its reductions, as its collections require.
 *
 * @param hook The hook.
 * @param name Name of the tensor.
 * @param value The tensor.
 * @return WD_OK, WD_INVALID or WD_CLOSED.
 */
WD_EXPORT wd_status wd_hook_save(wd_hook* hook, const char* name, const wd_value* value);
/** Adds a tensor to collections and saves it if one of them is due. Creates collections that do not
 * exist.
 *
 * @param hook The hook.
 * @param name Name of the tensor.
 * @param value The tensor.
 * @param collections Names of the collections.
 * @param collection_count Number of names.
 * @return WD_OK, WD_INVALID or WD_CLOSED.
 */
WD_EXPORT wd_status wd_hook_save_into(wd_hook* hook, const char* name, const wd_value* value,
                                      const char* const* collections, size_t collection_count);
/** Saves a one-dimensional tensor of strings.
 *
 * @param hook The hook.
 * @param name Name of the tensor.
 * @param values The strings.
 * @param count Number of strings.
 * @param collections Names of the collections to add the tensor to. Can be NULL if collection_count
 *     is 0: the tensor then belongs to the collections that match its name.
 * @param collection_count Number of collection names.
 * @return WD_OK, WD_INVALID or WD_CLOSED.
 */
WD_EXPORT wd_status wd_hook_save_strings(wd_hook* hook, const char* name, const char* const* values,
                                         size_t count, const char* const* collections,
                                         size_t collection_count);
/** Saves a number as the tensor "scalar/<name>", at any step, independent of save_interval. Between
 * steps, the number is kept for the next step.
 *
 * @param hook The hook.
 * @param name Name of the scalar.
 * @param value The number.
 * @return WD_OK, WD_INVALID or WD_CLOSED.
 */
WD_EXPORT wd_status wd_hook_save_scalar(wd_hook* hook, const char* name, double value);
/** Assigns a role to a tensor. Rules find the tensor by its role, independent of its name. Included
 * collections named after the role get the tensor.
 *
 * @param hook The hook.
 * @param role The role, such as "relu_output", "predictions" or "labels".
 * @param tensor Name of the tensor. A name that ends in '_' is a prefix: all tensors whose names
 *     begin with it get the role.
 * @return WD_OK, WD_INVALID or WD_CLOSED.
 */
WD_EXPORT wd_status wd_hook_add_role(wd_hook* hook, const char* role, const char* tensor);

/* ---- Timeline. It is recorded while the file at $SMPROFILER_CONFIG_PATH enables profiling. Steps
 * are recorded automatically. */

/** Returns 1 if the timeline is being recorded, otherwise 0. Any thread.
 *
 * @param hook The hook, or NULL.
 */
WD_EXPORT int32_t wd_hook_is_profiling(wd_hook* hook);
/** Records a time span on the timeline. Does nothing while profiling is off.
 *
 * @param hook The hook.
 * @param phase Group of the span, such as "DataLoading".
 * @param name Name of the span.
 * @param start_us Start, as returned by wd_now_us().
 * @param duration_us Duration in microseconds.
 * @return WD_OK; WD_INVALID if a name or time is not accepted; WD_CLOSED.
 */
WD_EXPORT wd_status wd_hook_record_span(wd_hook* hook, const char* phase, const char* name,
                                        int64_t start_us, int64_t duration_us);

#ifdef __cplusplus
}
#endif

#endif /* WARDEN_H_ */
