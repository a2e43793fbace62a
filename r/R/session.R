default_output <- "s3://warden-jobs"

# Required by the API, but not used by the service.
unused_role <- "arn:aws:iam::000000000000:role/warden"

#' Connect to the service
#'
#' Finds a service (`warden serve`) and how to prove who you are:
#'
#' 1. the address: `endpoint`, else `$WARDEN_ENDPOINT`, else `$AWS_ENDPOINT_URL`, else the service
#'    that you run on this machine;
#' 2. `token`, else the file that `$WARDEN_TOKEN_FILE` names, else the token of your service on this
#'    machine, else keys of AWS: `$AWS_ACCESS_KEY_ID` and `$AWS_SECRET_ACCESS_KEY`, or a profile in
#'    `$AWS_SHARED_CREDENTIALS_FILE` (default: `~/.aws/credentials`). Requests are then signed.
#'
#' Errors of the service have the class `warden_error`, with the members `code` and `status`.
#' @param endpoint Address of the service, such as `http://127.0.0.1:8080`.
#' @param token The service's token.
#' @param profile Profile of the credentials file; requests are signed with its keys.
#' @param region Region for signatures (default: `$AWS_REGION`, `$AWS_DEFAULT_REGION` or
#'   `us-east-1`).
#' @return A [WardenSession].
#' @examples
#' \dontrun{
#' session <- warden_session()
#' job <- session$train("train.R", rules = list(loss_not_decreasing()))
#' job$wait()
#' job$findings()
#' }
#' @export
warden_session <- function(endpoint = NULL, token = NULL, profile = NULL, region = NULL) {
  WardenSession$new(Access$new(endpoint, token, profile, region))
}

#' A connection to a service
#'
#' Created by [warden_session()].
#' @seealso [WardenJob]
#' @export
WardenSession <- R6::R6Class("WardenSession",
  cloneable = FALSE,
  public = list(
    #' @description Used by [warden_session()].
    #' @param access The address and the keys.
    initialize = function(access) {
      private$access <- access
    },

    #' @description Returns the address of the service.
    endpoint = function() private$access$endpoint,

    #' @description Calls an operation of the SageMaker API.
    #' @param operation Name of the operation, such as `"ListTrainingJobs"`.
    #' @param ... Members of the request.
    #' @return The answer as a list.
    call = function(operation, ...) {
      check_text("operation", operation)
      private$access$call(paste0("SageMaker.", operation), list(...))
    },

    #' @description Runs a script as a training job. A script that ends in `.R` is run with
    #'   `Rscript`, one that ends in `.py` with the service's Python.
    #' @param script Path of the script.
    #' @param source_dir Folder to upload, which contains the script (default: only the script).
    #' @param name Name of the job (default: derived from the script and the time).
    #' @param hyperparameters Named values, passed to the script as `--name value`.
    #' @param rules Rules, as a list: results of functions such as [vanishing_gradient()], objects
    #'   such as `BatchSize$new()`, [debugger_rule()] or [profiler_rule()]. The tensors that they
    #'   need are saved.
    #' @param hook What else to save, see [hook_config()]; `FALSE` saves nothing.
    #' @param profiler How the job is profiled, see [profiler_config()].
    #' @param inputs Locations of data with the names of channels, such as
    #'   `c(train = "s3://bucket/train")`.
    #' @param environment Environment variables of the job, with their names. For scripts in R,
    #'   `R_LIBS` is set to the libraries of this session if the service is on this machine.
    #' @param output Where outputs are written.
    #' @param image Name of the image, if the service has several environments.
    #' @param instance_count Number of hosts.
    #' @param max_runtime Time limit in seconds.
    #' @return A [WardenJob].
    train = function(script, source_dir = NULL, name = NULL, hyperparameters = NULL,
                     rules = list(), hook = NULL, profiler = NULL, inputs = NULL,
                     environment = NULL, output = default_output, image = "warden-r",
                     instance_count = 1, max_runtime = 86400) {
      check_text("script", script)
      check_text("name", name, optional = TRUE)
      check_text("output", output)
      check_text("image", image)
      check_positive(instance_count = instance_count, max_runtime = max_runtime)
      if (is.list(rules) && !is.null(rules$DebugRuleConfiguration) ||
            inherits(rules, c("debugger_rule", "profiler_rule", "R6"))) {
        rules <- list(rules)
      }
      packed <- pack_source(script, source_dir)
      name <- name %||% job_name(packed$entry)
      output <- sub("/+$", "", output)
      # Bad rules are reported before anything is uploaded.
      debugging <- debugging_request(name, output, rules, hook, profiler)
      where <- put_object(private$access, paste0(output, "/", name, "/source/sourcedir.tar.gz"),
                          packed$bytes)
      own <- list(sagemaker_program = packed$entry, sagemaker_submit_directory = where)
      values <- c(as.list(hyperparameters), own)
      if (any(!nzchar(names(values)))) {
        stop_bad_value("hyperparameters", hyperparameters, "values with names")
      }
      encode <- function(value) {
        as.character(jsonlite::toJSON(value, auto_unbox = TRUE, digits = NA))
      }
      request <- list(
        TrainingJobName = name,
        RoleArn = unused_role,
        AlgorithmSpecification = list(TrainingImage = image, TrainingInputMode = "File"),
        HyperParameters = lapply(values, encode),
        OutputDataConfig = list(S3OutputPath = output),
        ResourceConfig = list(
          InstanceType = "ml.m5.large", InstanceCount = instance_count, VolumeSizeInGB = 30
        ),
        StoppingCondition = list(MaxRuntimeInSeconds = max_runtime)
      )
      if (length(inputs)) {
        request$InputDataConfig <- unname(Map(channel_request, names(inputs), inputs))
      }
      variables <- texts_of("environment", environment)
      is_r <- grepl("\\.[Rr]$", packed$entry)
      if (is_r && !is.null(private$access$objects()) && is.null(variables$R_LIBS)) {
        variables$R_LIBS <- paste(.libPaths(), collapse = ":")
      }
      if (length(variables)) request$Environment <- variables
      private$access$call("SageMaker.CreateTrainingJob", c(request, debugging))
      WardenJob$new(name, private$access)
    },

    #' @description Returns an existing job.
    #' @param name Name of the job.
    #' @return A [WardenJob].
    job = function(name) {
      check_text("name", name)
      job <- WardenJob$new(name, private$access)
      job$describe()
      job
    },

    #' @description Lists the jobs of the service, newest first.
    #' @param ... Members of the request ListTrainingJobs, such as `StatusEquals = "InProgress"`.
    #' @return A data frame with the columns `name`, `status`, `created` and `ended`.
    jobs = function(...) {
      found <- list()
      token <- NULL
      repeat {
        request <- list(MaxResults = 100, ...)
        request$NextToken <- token
        page <- private$access$call("SageMaker.ListTrainingJobs", request)
        found <- c(found, page$TrainingJobSummaries)
        token <- page$NextToken
        if (is.null(token)) break
      }
      bind_rows(lapply(found, function(job) {
        list(name = job$TrainingJobName, status = job$TrainingJobStatus,
             created = job$CreationTime, ended = job$TrainingEndTime %||% NA_real_)
      }), list(name = character(), status = character(), created = as_time(numeric()),
               ended = as_time(numeric())))
    },

    #' @description Uploads a file to the service's S3.
    #' @param path Path of the file.
    #' @param uri Where it is written, such as `s3://bucket/data.csv`.
    #' @return The location, invisibly.
    upload = function(path, uri) {
      if (!is_text(path) || !file.exists(path)) stop_bad_value("path", path, "a file")
      put_object(private$access, uri, readBin(path, "raw", file.size(path)))
    },

    #' @description Downloads an object of the service's S3.
    #' @param uri Location of the object.
    #' @param path Path of the file to write.
    #' @return The path, invisibly.
    download = function(uri, path) {
      check_text("path", path)
      writeBin(get_object(private$access, uri), path)
      invisible(path)
    },

    #' @description Reads the tensors below a location in the service's S3; see [read_trial()].
    #' @param uri Location of the run.
    #' @return A [WardenTrial].
    trial = function(uri) {
      split_uri(uri)
      if (!is.null(private$access$objects())) {
        folder <- file.path(private$access$objects(), sub("^s3://", "", uri))
        return(WardenTrial$new(folder_source(folder), uri))
      }
      WardenTrial$new(object_source(private$access, uri), uri)
    },

    #' @description Returns a short text that describes the session.
    format = function() paste0("<WardenSession: ", private$access$endpoint, ">")
  ),
  private = list(access = NULL)
)

channel_request <- function(name, uri) {
  list(ChannelName = name, DataSource = list(S3DataSource = list(
    S3DataType = "S3Prefix", S3Uri = uri, S3DataDistributionType = "FullyReplicated"
  )))
}

# A unique name that begins with the name of the script.
job_name <- function(entry, now = Sys.time()) {
  base <- gsub("[^A-Za-z0-9]+", "-", sub("\\.[^.]*$", "", basename(entry)))
  base <- gsub("^-+|-+$", "", substr(gsub("^-+|-+$", "", base), 1, 30))
  if (!nzchar(base)) base <- "job"
  fraction <- floor((as.numeric(now) %% 1) * 1000)
  sprintf("%s-%s-%03d", base, format(now, "%Y-%m-%d-%H-%M-%S", tz = "UTC"), as.integer(fraction))
}

# Folders of tools, which a job does not need.
not_packed <- c(".git", "__pycache__", ".Rproj.user", "renv", ".venv", "node_modules")

# The name of the script in the archive, and the archive's bytes.
pack_source <- function(script, folder = NULL) {
  if (is.null(folder)) {
    if (!file.exists(script)) {
      stop(sprintf("cannot open %s: no such file", script), call. = FALSE)
    }
    folder <- dirname(script)
    entry <- files <- basename(script)
  } else {
    if (!is_text(folder) || !dir.exists(folder)) stop_bad_value("source_dir", folder, "a folder")
    files <- list.files(folder, recursive = TRUE, all.files = TRUE, no.. = TRUE)
    unwanted <- vapply(strsplit(files, "/"), function(parts) any(parts %in% not_packed), NA)
    files <- files[!unwanted]
    inside <- paste0(normalizePath(folder), "/")
    absolute <- suppressWarnings(normalizePath(script))
    entry <- if (startsWith(absolute, inside)) substring(absolute, nchar(inside) + 1) else script
    if (!entry %in% files) {
      stop_bad_value("script", script, sprintf("a file in %s", folder))
    }
  }
  archive <- tempfile(fileext = ".tar.gz")
  on.exit(unlink(archive))
  before <- setwd(folder)
  on.exit(setwd(before), add = TRUE)
  utils::tar(archive, files, compression = "gzip", tar = "internal")
  list(entry = entry, bytes = readBin(archive, "raw", file.size(archive)))
}

as_time <- function(seconds) as.POSIXct(as.numeric(seconds), origin = "1970-01-01", tz = "UTC")

# Lists with the same members as one data frame; `empty` gives the columns and their types.
bind_rows <- function(rows, empty) {
  if (length(rows) == 0) {
    return(data.frame(empty, stringsAsFactors = FALSE, check.names = FALSE))
  }
  columns <- lapply(names(empty), function(name) {
    values <- lapply(rows, function(row) row[[name]] %||% NA)
    if (inherits(empty[[name]], "POSIXct")) return(as_time(unlist(values)))
    methods::as(unlist(values), class(empty[[name]])[1])
  })
  names(columns) <- names(empty)
  data.frame(columns, stringsAsFactors = FALSE, check.names = FALSE)
}

# Numbers of the dashboard's API: those that are not finite arrive as text.
number_of <- function(value) {
  if (is.null(value)) return(NA_real_)
  if (is.character(value)) {
    return(switch(value, "NaN" = NaN, "Infinity" = Inf, "-Infinity" = -Inf, NA_real_))
  }
  as.numeric(value)
}
