statistic_names <- c("mean", "std", "min", "max", "l1", "l2", "abs_mean", "abs_max", "nans",
                     "zeros")

# Where the files of a run are read from: functions list(), read(path) and
# range(path, from, length).
folder_source <- function(folder) {
  list(
    list = function() {
      list.files(folder, recursive = TRUE, pattern = "(\\.json|\\.ts)$")
    },
    read = function(path) {
      file <- file.path(folder, path)
      readBin(file, "raw", file.size(file))
    },
    range = function(path, from, length) {
      file <- file(file.path(folder, path), "rb")
      on.exit(close(file))
      seek(file, from)
      readBin(file, "raw", length)
    }
  )
}

object_source <- function(access, uri) {
  uri <- sub("/+$", "", uri)
  list(
    list = function() list_objects(access, uri),
    read = function(path) get_object(access, paste0(uri, "/", path)),
    range = function(path, from, length) {
      get_object(access, paste0(uri, "/", path), from, length)
    }
  )
}

#' Read a run
#'
#' Opens what a training saved: a folder that `warden run`, a hook or the original library wrote, or
#' a location in a service's S3. The run may still be written; the method `refresh()` reads what is
#' new.
#' @param path Folder of the run, or `s3://BUCKET/PREFIX`.
#' @param session The service that has the location, for `s3://` (default: [warden_session()]).
#' @return A [WardenTrial].
#' @seealso [plot.WardenTrial()]
#' @inherit warden_hook examples
#' @export
read_trial <- function(path, session = NULL) {
  check_text("path", path)
  if (startsWith(path, "s3://")) {
    session <- session %||% warden_session()
    if (!inherits(session, "WardenSession")) {
      stop_bad_value("session", session, "the result of warden_session()")
    }
    return(session$trial(path))
  }
  if (!dir.exists(path)) stop(sprintf("cannot open %s: no such folder", path), call. = FALSE)
  WardenTrial$new(folder_source(path), path)
}

#' The tensors of a run
#'
#' Created by [read_trial()], and by the method `trial()` of a [WardenJob].
#'
#' Steps count all modes of a run together, from 0. Each mode also counts its own steps. Arguments
#' `mode` and `step` belong together: with a mode, the step is that of the mode.
#'
#' Data frames have plain columns only, so that `tibble::as_tibble()` and `dplyr` take them as they
#' are.
#' @export
WardenTrial <- R6::R6Class("WardenTrial",
  cloneable = FALSE,
  public = list(
    #' @field path Folder or location of the run.
    path = NULL,

    #' @description Used by [read_trial()].
    #' @param source Functions that read files.
    #' @param path Folder or location of the run.
    initialize = function(source, path) {
      private$source <- source
      self$path <- path
      self$refresh()
      if (length(private$seen) == 0 && length(private$files) == 0) {
        stop(sprintf("%s is not a run: it has no index and no collections", path), call. = FALSE)
      }
    },

    #' @description Reads what was saved since the run was opened.
    #' @return The trial, invisibly.
    refresh = function() {
      files <- private$source$list()
      private$ended <- any(grepl("(^|/)training_job_end\\.ts$", files))
      private$files <- files[grepl("^collections/.*_collections\\.json$", files)]
      wanted <- files[grepl("^index/.*\\.json$", files)]
      added <- lapply(setdiff(wanted, private$seen), private$read_index)
      private$seen <- wanted
      index <- as.data.frame(data.table::rbindlist(c(list(private$index), added)))
      private$index <- index[order(index$step, method = "radix"), , drop = FALSE]
      invisible(self)
    },

    #' @description Returns whether the training has ended.
    is_over = function() private$ended,

    #' @description Returns the names of the tensors.
    #' @param regex Regular expression that names must match.
    #' @param collection Name of a collection that tensors must belong to.
    #' @param mode Mode in which they must have been saved.
    tensor_names = function(regex = NULL, collection = NULL, mode = NULL) {
      rows <- private$rows(regex, collection, mode)
      sort(unique(rows$tensor))
    },

    #' @description Returns the saved steps.
    #' @param mode Mode whose own steps to return (default: the steps of the run).
    steps = function(mode = NULL) {
      rows <- private$rows(mode = mode)
      sort(unique(if (is.null(mode)) rows$step else rows$mode_step))
    },

    #' @description Returns the collections.
    #' @return A data frame with the columns `collection` and `tensor`.
    collections = function() {
      members <- private$members()
      names_all <- self$tensor_names()
      bound <- lapply(names(members), function(name) {
        tensors <- private$in_collection(names_all, members[[name]])
        if (length(tensors)) data.frame(collection = name, tensor = tensors)
      })
      bound <- as.data.frame(data.table::rbindlist(bound))
      if (ncol(bound)) bound else data.frame(collection = character(), tensor = character())
    },

    #' @description Returns the value of a tensor: a number, a vector, a matrix or an array.
    #' @param name Name of the tensor.
    #' @param step Step (default: the last one at which it was saved).
    #' @param mode Mode of the step.
    #' @param worker Worker that saved it (default: the first).
    tensor = function(name, step = NULL, mode = NULL, worker = NULL) {
      check_text("name", name)
      check_text("worker", worker, optional = TRUE)
      rows <- private$rows(mode = mode, values = TRUE)
      rows <- rows[rows$tensor == name, , drop = FALSE]
      if (nrow(rows) == 0 && name %in% private$index$tensor) {
        stop_no_values(name, mode)
      }
      if (nrow(rows) == 0) {
        near <- utils::head(agrep(name, self$tensor_names(), value = TRUE), 3)
        stop(sprintf("unknown tensor '%s'%s", name, if (length(near)) {
          paste0("; similar: ", paste(near, collapse = ", "))
        } else "; tensor_names() lists all"), call. = FALSE)
      }
      number <- if (is.null(mode)) rows$step else rows$mode_step
      if (is.null(step)) step <- max(number)
      if (!is_number(step) || !step %in% number) {
        stop_bad_value("step", step, paste("a step at which", name, "was saved:",
                                           shown_numbers(number)))
      }
      rows <- rows[number == step, , drop = FALSE]
      if (!is.null(worker)) {
        if (!worker %in% rows$worker) {
          stop_bad_value("worker", worker, paste("one of:", paste(rows$worker, collapse = ", ")))
        }
        rows <- rows[rows$worker == worker, , drop = FALSE]
      }
      private$value(rows[order(rows$worker)[1], ])
    },

    #' @description Returns tensors with one element over the steps.
    #' @param regex Regular expression that names must match (default: `scalar/...`, losses and
    #'   metrics).
    #' @param collection Name of a collection.
    #' @param mode Mode of the steps (default: all).
    #' @return A data frame with the columns `name`, `step`, `mode`, `mode_step`, `worker` and
    #'   `value`.
    scalars = function(regex = NULL, collection = NULL, mode = NULL) {
      if (is.null(regex) && is.null(collection)) {
        members <- self$collections()
        chosen <- unique(c(
          self$tensor_names("^scalar/"),
          members$tensor[members$collection %in% c("losses", "metrics", "sm_metrics")]
        ))
        rows <- private$rows(mode = mode, values = TRUE)
        rows <- rows[rows$tensor %in% chosen, , drop = FALSE]
      } else {
        rows <- private$rows(regex, collection, mode, values = TRUE)
      }
      private$as_series(rows, function(value) if (length(value) == 1) as.numeric(value) else NA)
    },

    #' @description Returns the losses over the steps. A loss with several elements is their mean.
    #' @param mode Mode of the steps (default: all).
    #' @return A data frame as of `scalars()`.
    losses = function(mode = NULL) {
      members <- self$collections()
      chosen <- members$tensor[members$collection == "losses"]
      if (length(chosen) == 0) chosen <- self$tensor_names("[Ll]oss")
      rows <- private$rows(mode = mode, values = TRUE)
      result <- private$as_series(rows[rows$tensor %in% chosen, , drop = FALSE],
                                  function(value) mean(as.numeric(value)))
      # From zero, a loss that does not fall looks like one.
      structure(result, from_zero = TRUE)
    },

    #' @description Returns a statistic of tensors over the steps. It is computed from the values,
    #'   or read if the training saved only statistics.
    #' @param regex Regular expression that names must match.
    #' @param collection Name of a collection.
    #' @param statistic `"mean"`, `"std"`, `"min"`, `"max"`, `"l1"`, `"l2"`, `"abs_mean"`,
    #'   `"abs_max"`, or the share of `"nans"` or `"zeros"`.
    #' @param mode Mode of the steps (default: all).
    #' @return A data frame as of `scalars()`.
    statistics = function(regex = NULL, collection = NULL, statistic = "mean", mode = NULL) {
      check_choice("statistic", statistic, statistic_names)
      rows <- private$rows(regex, collection, mode, statistic = statistic)
      private$as_series(rows, function(value) statistic_of(value, statistic))
    },

    #' @description Returns the distribution of a tensor's values over the steps, for [plot()].
    #' @param name Name of the tensor.
    #' @param mode Mode of the steps (default: all).
    #' @return A data frame with the columns `step`, `quantile` (0 to 1) and `value`.
    distribution = function(name, mode = NULL) {
      check_text("name", name)
      rows <- private$rows(mode = mode, values = TRUE)
      rows <- rows[rows$tensor == name, , drop = FALSE]
      if (nrow(rows) == 0) stop_no_values(name, mode)
      rows <- rows[!duplicated(rows$step), , drop = FALSE]
      shares <- c(0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)
      parts <- lapply(seq_len(nrow(rows)), function(i) {
        value <- as.numeric(private$value(rows[i, ]))
        data.frame(step = rows$step[i], quantile = shares,
                   value = stats::quantile(value, shares, na.rm = TRUE, names = FALSE))
      })
      result <- as.data.frame(data.table::rbindlist(parts))
      structure(result, class = c("warden_distribution", "data.frame"), tensor = name)
    },

    #' @description Returns a statistic of all tensors of a collection, layer by layer, for
    #'   [plot()].
    #' @param collection Name of the collection.
    #' @param statistic As in `statistics()`.
    #' @param mode Mode of the steps (default: all).
    #' @return A data frame as of `scalars()`.
    heatmap = function(collection = "gradients", statistic = "abs_mean", mode = NULL) {
      result <- self$statistics(NULL, collection, statistic, mode)
      structure(result, class = c("warden_heatmap", "data.frame"),
                title = paste(statistic, "of", collection))
    },

    #' @description Returns a short text that describes the run.
    format = function() {
      sprintf("<WardenTrial: %s, %d steps, %d tensors>", self$path, length(self$steps()),
              length(self$tensor_names()))
    }
  ),
  private = list(
    source = NULL,
    seen = character(),
    files = character(),
    ended = FALSE,
    index = data.frame(
      step = numeric(), mode = character(), mode_step = numeric(), worker = character(),
      tensor = character(), operation = character(), file = character(), from = numeric(),
      length = numeric()
    ),

    read_index = function(path) {
      index <- tryCatch(
        json_of(private$source$read(path), simplify = TRUE),
        error = function(problem) {
          warning(sprintf("skipped %s: %s", path, conditionMessage(problem)), call. = FALSE)
          NULL
        }
      )
      payload <- index$tensor_payload
      if (is.null(payload) || NROW(payload) == 0) return(NULL)
      # A run of someone else must not make us read other files.
      if (!is_text(index$meta$event_file_name) ||
            grepl("(^/)|(^|/)\\.\\.(/|$)", index$meta$event_file_name)) {
        warning(sprintf("skipped %s: event_file_name is %s; expected a path inside the run", path,
                        shown(index$meta$event_file_name)), call. = FALSE)
        return(NULL)
      }
      name <- sub("\\.json$", "", basename(path))
      # If two entries have the same name, the later one counts.
      payload <- payload[!duplicated(payload$tensorname, fromLast = TRUE), , drop = FALSE]
      reduced <- regmatches(payload$tensorname,
                            regexec("^smdebug/reductions/([^/]+)/(.*)$", payload$tensorname))
      is_reduced <- lengths(reduced) == 3
      data.frame(
        step = as.numeric(sub("_.*", "", name)),
        mode = index$meta$mode, mode_step = as.numeric(index$meta$mode_step),
        worker = worker_of(sub("^[0-9]+_", "", name)),
        tensor = ifelse(is_reduced, vapply(reduced, function(x) x[3], ""), payload$tensorname),
        operation = ifelse(is_reduced, vapply(reduced, function(x) x[2], ""), ""),
        file = index$meta$event_file_name,
        from = as.numeric(payload$start_idx), length = as.numeric(payload$length)
      )
    },

    # Rows of the index: one for each tensor, step and worker, and for each saved statistic. With
    # `values`, only values. With a statistic, those and the statistic of tensors without values.
    rows = function(regex = NULL, collection = NULL, mode = NULL, values = FALSE,
                    statistic = NULL) {
      rows <- private$index
      if (!is.null(mode)) {
        rows <- rows[rows$mode == check_choice("mode", mode, names(modes)), , drop = FALSE]
      }
      whole <- rows$operation == ""
      if (!is.null(statistic)) {
        key <- paste(rows$tensor, rows$step, rows$worker)
        whole <- whole | (rows$operation == statistic & !key %in% key[whole])
      }
      if (values || !is.null(statistic)) rows <- rows[whole, , drop = FALSE]
      if (!is.null(regex)) {
        check_text("regex", regex)
        rows <- rows[grepl(regex, rows$tensor, perl = TRUE), , drop = FALSE]
      }
      if (!is.null(collection)) {
        check_text("collection", collection)
        members <- private$members()
        check_choice("collection", collection, names(members))
        inside <- private$in_collection(unique(rows$tensor), members[[collection]])
        rows <- rows[rows$tensor %in% inside, , drop = FALSE]
      }
      rows
    },

    # Names and patterns of each collection.
    members = function() {
      all <- lapply(private$files, function(path) {
        json_of(private$source$read(path))$collections
      })
      names_found <- unique(unlist(lapply(all, names)))
      stats::setNames(lapply(names_found, function(name) {
        own <- lapply(all, function(collections) collections[[name]])
        list(
          tensors = unique(unlist(lapply(own, function(each) each$tensor_names))),
          patterns = unique(unlist(lapply(own, function(each) each$include_regex)))
        )
      }), names_found)
    },

    in_collection = function(names, member) {
      matched <- names %in% member$tensors
      for (pattern in member$patterns) matched <- matched | grepl(pattern, names, perl = TRUE)
      names[matched]
    },

    value = function(row) {
      bytes <- private$source$range(row$file, row$from, row$length)
      record <- .Call(wr_parse_record, bytes)
      values <- record$values
      if (length(record$shape) > 1) {
        # The files store the last dimension closest together, R the first.
        values <- aperm(array(values, rev(record$shape)))
      }
      values
    },

    as_series = function(rows, reduce) {
      values <- vapply(seq_len(nrow(rows)), function(i) {
        value <- private$value(rows[i, ])
        if (is.character(value)) return(NA_real_)
        if (nzchar(rows$operation[i])) as.numeric(value)[1] else as.numeric(reduce(value))
      }, 0)
      result <- data.frame(
        name = rows$tensor, step = rows$step, mode = rows$mode, mode_step = rows$mode_step,
        worker = rows$worker, value = values
      )
      # Not a number: tensors with several elements or texts, which have no value here.
      result <- result[!(is.na(values) & !is.nan(values)), , drop = FALSE]
      row.names(result) <- NULL
      structure(result, class = c("warden_scalars", "data.frame"))
    }
  )
)

# Names of devices are stored without the characters that file names lack.
worker_of <- function(text) {
  if (startsWith(text, "_")) gsub("-", ":", gsub("_", "/", text, fixed = TRUE), fixed = TRUE)
  else text
}

stop_no_values <- function(name, mode) {
  stop(sprintf("the values of tensor '%s' were not saved%s", name,
               if (is.null(mode)) "" else paste(" in mode", mode)), call. = FALSE)
}

statistic_of <- function(value, statistic) {
  if (is.complex(value)) value <- Mod(value)
  value <- as.numeric(value)
  if (length(value) == 0) return(NaN)
  switch(
    statistic,
    mean = mean(value),
    std = sqrt(mean((value - mean(value))^2)),
    min = min(value),
    max = max(value),
    l1 = sum(abs(value)),
    l2 = sqrt(sum(value^2)),
    abs_mean = mean(abs(value)),
    abs_max = max(abs(value)),
    nans = mean(is.nan(value)),
    zeros = mean(value == 0 & !is.nan(value))
  )
}

shown_numbers <- function(numbers) {
  numbers <- sort(unique(numbers))
  if (length(numbers) > 10) {
    sprintf("%s, ... (%d steps up to %s)", paste(utils::head(numbers, 5), collapse = ", "),
            length(numbers), number_text(max(numbers)))
  } else {
    paste(numbers, collapse = ", ")
  }
}
