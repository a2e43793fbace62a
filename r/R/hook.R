modes <- c(TRAIN = 1L, EVAL = 2L, PREDICT = 3L, GLOBAL = 4L)

mode_number <- function(mode) modes[[check_choice("mode", mode, names(modes))]]

#' Record a training in R
#'
#' A hook saves tensors and numbers of a training, for rules, the dashboard and [read_trial()].
#'
#' Without `out_dir`, the hook uses the configuration of `warden run` or of a training job, and
#' saves nothing if there is none: you can leave it in the script.
#'
#' The built-in collections find tensors by name: `weights` those with `weight` in their name,
#' `biases` those with `bias`, `gradients` those that begin with `gradient`, and `losses` those such
#' as `Loss_output_0`. A hook saves `losses` unless other collections are included.
#'
#' A failure of the hook never stops the training: it becomes a warning. Only wrong arguments of
#' `warden_hook()` are errors.
#' @param out_dir Folder of the run. It must not contain a finished run.
#' @param include_collections Names of collections to save, such as
#'   `c("weights", "gradients", "losses")`; or a list made with [collection_config()].
#' @param ... Settings for all collections, such as `save_interval = 10`. The reference of the
#'   configuration lists them.
#' @param config A whole configuration as JSON text, instead of collections and settings.
#' @param framework The names of tensors: `"plain"` (as in PyTorch), `"pytorch"`, `"tensorflow"`,
#'   `"mxnet"` or `"xgboost"`.
#' @param last_step The last step of an earlier training that this one continues.
#' @return A [WardenHook].
#' @examples
#' folder <- tempfile("run")
#' hook <- warden_hook(folder, c("weights", "losses"), save_interval = 1)
#' weight <- c(0, 0)
#' for (i in 1:5) {
#'   hook$begin_step("TRAIN")
#'   loss <- sum((weight - 2)^2)
#'   hook$save("line.weight", weight)
#'   hook$save("Loss_output_0", loss)
#'   weight <- weight - 0.2 * (weight - 2)
#' }
#' hook$close()
#' read_trial(folder)$losses()
#' @export
warden_hook <- function(out_dir = NULL, include_collections = NULL, ..., config = NULL,
                        framework = "plain", last_step = NULL) {
  check_text("out_dir", out_dir, optional = TRUE)
  check_text("config", config, optional = TRUE)
  check_choice("framework", framework, c("plain", "pytorch", "tensorflow", "mxnet", "xgboost"))
  if (!is.null(last_step) && (!is_number(last_step) || last_step < 0)) {
    stop_bad_value("last_step", last_step, "a number that is not negative")
  }
  settings <- unlist(texts_of("the settings of a hook", list(...))) %||% character()
  if (is.null(out_dir) && (length(settings) || length(include_collections) || length(config))) {
    stop_bad_value("out_dir", out_dir, "a folder: without one, the environment says what to save")
  }
  made <- .Call(
    wr_hook_create, if (!is.null(out_dir)) path.expand(out_dir), framework, config, settings,
    collections_of(include_collections), last_step
  )
  if (made[[2]] == "WD_INVALID") stop(made[[3]], call. = FALSE)
  if (made[[2]] != "WD_OK") {
    warning(sprintf("Capture disabled: %s. Training continues.", made[[3]]), call. = FALSE)
  }
  WardenHook$new(made[[1]], made[[2]] == "WD_OK")
}

# Names or results of collection_config() as a named list of named texts.
collections_of <- function(included) {
  if (is.character(included)) {
    return(stats::setNames(rep(list(character()), length(included)), included))
  }
  for (each in included) {
    if (!is.list(each) || is.null(each$CollectionName)) {
      stop_bad_value("include_collections", each,
                     "names of collections or results of collection_config()")
    }
  }
  parameters <- lapply(included, function(each) unlist(each$CollectionParameters) %||% character())
  stats::setNames(as.list(parameters), vapply(included, function(each) each$CollectionName, ""))
}

#' A hook that records a training
#'
#' Created by [warden_hook()]. Methods return the hook, invisibly, unless they say otherwise. If
#' something cannot be saved, they warn, once for each message.
#' @export
WardenHook <- R6::R6Class("WardenHook",
  cloneable = FALSE,
  public = list(
    #' @description Used by [warden_hook()].
    #' @param pointer The hook of the library.
    #' @param works Whether it could be created.
    initialize = function(pointer, works) {
      private$pointer <- pointer
      private$works <- works
    },

    #' @description Returns whether the hook saves anything.
    active = function() .Call(wr_hook_active, private$pointer),

    #' @description Ends the current step and begins the next one.
    #' @param mode Mode of this and the following steps: `"TRAIN"`, `"EVAL"`, `"PREDICT"` or
    #'   `"GLOBAL"` (default: as before). Each mode counts its steps separately.
    #' @param step Number of the step (default: the next one).
    begin_step = function(mode = NULL, step = NULL) {
      if (!is.null(mode)) {
        private$tell(.Call(wr_hook_mode, private$pointer, mode_number(mode)))
      }
      if (!is.null(step) && !is_number(step)) stop_bad_value("step", step, "a number")
      private$tell(.Call(wr_hook_begin, private$pointer, step))
    },

    #' @description Ends the current step, so that readers see it before the next one begins.
    end_step = function() private$tell(.Call(wr_hook_end, private$pointer)),

    #' @description Returns the number of the last step that began; -1 before the first.
    #' @param mode Mode whose steps are counted (default: all).
    step = function(mode = NULL) {
      .Call(wr_hook_step, private$pointer, if (!is.null(mode)) mode_number(mode))
    },

    #' @description Returns whether a tensor is saved at the current step. Ask before you compute
    #'   values only to save them.
    #' @param name Name of the tensor.
    wants = function(name) {
      check_text("name", name)
      .Call(wr_hook_wants, private$pointer, name)
    },

    #' @description Saves a tensor if a collection includes it at the current step.
    #' @param name Name of the tensor.
    #' @param value A vector, matrix or array of numbers, logical values or texts. A number is
    #'   saved as a scalar.
    #' @param collections Names of collections to add the tensor to.
    #' @param single Whether to save numbers with 32 bits instead of 64.
    save = function(name, value, collections = NULL, single = FALSE) {
      check_text("name", name)
      if (is.factor(value)) value <- as.character(value)
      if (is.data.frame(value)) value <- as.matrix(value)
      collections <- as.character(collections)
      if (is.character(value)) {
        return(private$tell(.Call(wr_hook_texts, private$pointer, name, value, collections)))
      }
      if (!is.numeric(value) && !is.logical(value) && !is.complex(value) && !is.raw(value)) {
        return(private$tell(sprintf("%s is not saved: expected numbers or texts, got %s",
                                    shown(name), class(value)[1])))
      }
      shape <- as.numeric(dim(value) %||% (if (length(value) != 1) length(value)))
      # R stores the first dimension closest together, the files the last.
      if (length(shape) > 1) value <- aperm(value)
      if (is.integer(value) || is.logical(value)) {
        if (anyNA(value)) value <- as.numeric(value)
      }
      private$tell(.Call(wr_hook_save, private$pointer, name, value, shape, single, collections))
    },

    #' @description Saves a number as the tensor `scalar/<name>`, at any step.
    #' @param name Name of the number.
    #' @param value The number.
    save_scalar = function(name, value) {
      check_text("name", name)
      if (!is.numeric(value) || length(value) != 1) stop_bad_value("value", value, "a number")
      private$tell(.Call(wr_hook_scalar, private$pointer, name, value))
    },

    #' @description Says what a tensor does in the model, so that rules find it.
    #' @param role The role, such as `"relu_output"`, `"predictions"` or `"labels"`.
    #' @param tensor Name of the tensor, or the start of names if it ends in `_`.
    add_role = function(role, tensor) {
      check_text("role", role)
      check_text("tensor", tensor)
      private$tell(.Call(wr_hook_role, private$pointer, role, tensor))
    },

    #' @description Evaluates an expression and records its time on the profiler's timeline.
    #' @param phase Group of the time span, such as `"DataLoading"`.
    #' @param name Name of the time span.
    #' @param expression What to do.
    #' @return The value of the expression.
    span = function(phase, name, expression) {
      check_text("phase", phase)
      check_text("name", name)
      start <- .Call(wr_now_us)
      on.exit({
        duration <- .Call(wr_now_us) - start
        private$tell(.Call(wr_hook_span, private$pointer, phase, name, start, duration))
      })
      force(expression)
    },

    #' @description Waits until all steps that have ended are on disk.
    flush = function() private$tell(.Call(wr_hook_flush, private$pointer)),

    #' @description Returns what was saved so far.
    #' @return Named numbers: `saved_steps`, `saved_tensors`, `saved_bytes`, `dropped`, `failed`.
    counters = function() {
      stats::setNames(
        .Call(wr_hook_counters, private$pointer),
        c("saved_steps", "saved_tensors", "saved_bytes", "dropped", "failed")
      )
    },

    #' @description Saves what is left and marks the run as finished.
    close = function() private$tell(.Call(wr_hook_close, private$pointer)),

    #' @description Returns a short text that describes the hook.
    format = function() {
      if (!self$active()) return("<WardenHook: saves nothing>")
      sprintf("<WardenHook: %.0f steps saved>", self$counters()[["saved_steps"]])
    }
  ),
  private = list(
    pointer = NULL,
    works = FALSE,
    told = character(),

    tell = function(message) {
      # A hook that could not be created has said so.
      if (!is.null(message) && !message %in% private$told && private$works) {
        private$told <- c(private$told, message)
        warning(message, call. = FALSE)
      }
      invisible(self)
    }
  )
)
