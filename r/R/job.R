training_logs <- "/aws/sagemaker/TrainingJobs"

#' A training job
#'
#' Created by the methods `train()` and `job()` of a [WardenSession].
#' @export
WardenJob <- R6::R6Class("WardenJob",
  cloneable = FALSE,
  public = list(
    #' @field name Name of the job.
    name = NULL,

    #' @description Used by [WardenSession].
    #' @param name Name of the job.
    #' @param access The address and the keys of the service.
    initialize = function(name, access) {
      self$name <- name
      private$access <- access
    },

    #' @description Returns the answer of DescribeTrainingJob as a list.
    describe = function() private$call("DescribeTrainingJob"),

    #' @description Returns the status: `InProgress`, `Completed`, `Failed`, `Stopping` or
    #'   `Stopped`.
    status = function() self$describe()$TrainingJobStatus,

    #' @description Returns the statuses of the rules.
    #' @return A data frame with the columns `rule`, `kind`, `status` and `details`. The status is
    #'   `InProgress`, `NoIssuesFound`, `IssuesFound`, `Error`, `Stopping` or `Stopped`.
    rules = function() {
      described <- self$describe()
      rows <- c(
        lapply(described$DebugRuleEvaluationStatuses, c, kind = "debug"),
        lapply(described$ProfilerRuleEvaluationStatuses, c, kind = "profiler")
      )
      bind_rows(lapply(rows, function(rule) {
        list(rule = rule$RuleConfigurationName, kind = rule$kind,
             status = rule$RuleEvaluationStatus, details = rule$StatusDetails %||% "")
      }), list(rule = character(), kind = character(), status = character(),
               details = character()))
    },

    #' @description Returns what the rules have found so far.
    #' @return A data frame with a row for each finding: `rule`, `step` (the first; `NA` if a
    #'   finding is not tied to a step), `last_step`, `count`, `mode`, `worker`, `tensor`, `value`,
    #'   `threshold`, `message` and `advice`.
    findings = function() {
      seen <- private$detail()$rules_seen
      rows <- unlist(lapply(seen, function(rule) {
        lapply(rule$findings, function(finding) finding_row(rule$name, finding))
      }), recursive = FALSE)
      bind_rows(rows, list(
        rule = character(), step = numeric(), last_step = numeric(), count = numeric(),
        mode = character(), worker = character(), tensor = character(), value = numeric(),
        threshold = numeric(), message = character(), advice = character()
      ))
    },

    #' @description Returns what the job has printed.
    #' @param host Name of a host, such as `"algo-1"` (default: all).
    #' @return A data frame with the columns `time`, `host` and `text`.
    logs = function(host = NULL) {
      check_text("host", host, optional = TRUE)
      prefix <- paste0(self$name, "/", if (!is.null(host)) paste0(host, "-"))
      streams <- tryCatch(
        private$access$call("Logs_20140328.DescribeLogStreams", list(
          logGroupName = training_logs, logStreamNamePrefix = prefix, limit = 50
        ))$logStreams,
        warden_error = function(problem) {
          if (problem$code != "ResourceNotFoundException") stop(problem)
          list()
        }
      )
      rows <- lapply(streams, function(stream) private$lines(stream$logStreamName))
      bind_rows(unlist(rows, recursive = FALSE),
                list(time = as_time(numeric()), host = character(), text = character()))
    },

    #' @description Waits until the job has ended. A failed job is not an error.
    #' @param rules Whether to wait for the rules, too.
    #' @param timeout Seconds after which to give up with an error.
    #' @param pause Seconds between two requests.
    #' @param progress Whether to show a progress bar (default: in interactive sessions).
    #' @return The job, invisibly.
    wait = function(rules = TRUE, timeout = Inf, pause = 0.5, progress = interactive()) {
      check_flag("rules", rules)
      check_flag("progress", progress)
      check_positive(timeout = timeout, pause = pause)
      began <- Sys.time()
      if (progress) on.exit(cat("\n", file = stderr()))
      repeat {
        described <- self$describe()
        if (progress) show_progress(described, private$progress_of())
        if (has_ended(described, rules)) return(invisible(self))
        if (as.numeric(difftime(Sys.time(), began, units = "secs")) > timeout) {
          stop(sprintf("job %s did not end within %s s; its status is %s", self$name,
                       number_text(timeout), described$SecondaryStatus), call. = FALSE)
        }
        Sys.sleep(pause)
      }
    },

    #' @description Asks the job to stop.
    #' @return The job, invisibly.
    stop = function() {
      private$call("StopTrainingJob")
      invisible(self)
    },

    #' @description Removes the job from the service. Its outputs stay.
    delete = function() invisible(private$call("DeleteTrainingJob")),

    #' @description Reads the tensors that the job has saved so far.
    #' @return A [WardenTrial].
    trial = function() {
      config <- self$describe()$DebugHookConfig
      if (is.null(config)) {
        stop(sprintf("job %s saves no tensors; start it with hook or rules", self$name),
             call. = FALSE)
      }
      uri <- paste0(sub("/+$", "", config$S3OutputPath), "/", self$name, "/debug-output")
      WardenSession$new(private$access)$trial(uri)
    },

    #' @description Downloads a report of the job.
    #' @param kind `"profiler"` or `"xgboost"`.
    #' @param path File to write (default: a temporary file).
    #' @return The path of the HTML page.
    report = function(kind = "profiler", path = tempfile(fileext = ".html")) {
      check_choice("kind", kind, c("profiler", "xgboost"))
      check_text("path", path)
      reports <- Filter(function(each) each$kind == kind, private$access$dashboard(
        "runs", self$name, "reports"
      ))
      files <- lapply(reports, function(report) {
        pages <- vapply(report$files, function(file) file$path, "")
        pages <- pages[grepl("\\.html$", pages)]
        if (length(pages)) list(name = report$name, page = pages[1])
      })
      files <- Filter(Negate(is.null), files)
      if (length(files) == 0) {
        hint <- if (kind == "profiler") "ProfilerReport$new()" else "create_xgboost_report()"
        stop(sprintf("job %s has no %s report yet; add the rule %s", self$name, kind, hint),
             call. = FALSE)
      }
      newest <- files[[length(files)]]
      path_of <- function(...) paste(c("/-/api", percent_encode(c(...), keep = "/")), collapse = "/")
      at <- path_of("runs", self$name, "reports", newest$name, newest$page)
      private$access$send("GET", at, file = path)
      path
    },

    #' @description Returns a short text that describes the job.
    format = function() paste0("<WardenJob: ", self$name, ">")
  ),
  private = list(
    access = NULL,

    call = function(operation) {
      private$access$call(paste0("SageMaker.", operation), list(TrainingJobName = self$name))
    },

    # What the dashboard shows of the job: findings, progress.
    detail = function() private$access$dashboard("runs", self$name),

    progress_of = function() {
      tryCatch(private$detail()$progress, warden_error = function(problem) NULL)
    },

    lines = function(stream) {
      host <- sub("-[^-]*$", "", sub(".*/", "", stream))
      rows <- list()
      token <- NULL
      repeat {
        request <- list(logGroupName = training_logs, logStreamName = stream,
                        startFromHead = TRUE, limit = 10000)
        request$nextToken <- token
        page <- private$access$call("Logs_20140328.GetLogEvents", request)
        rows <- c(rows, lapply(page$events, function(event) {
          list(time = event$timestamp / 1000, host = host, text = event$message)
        }))
        if (length(page$events) == 0 || identical(page$nextForwardToken, token)) return(rows)
        token <- page$nextForwardToken
      }
    }
  )
)

finding_row <- function(rule, finding) {
  step_of <- function(step) if (is.null(step) || step < 0) NA_real_ else step
  list(
    rule = rule, step = step_of(finding$step), last_step = step_of(finding$last_step),
    count = finding$count, mode = finding$mode, worker = finding$worker,
    tensor = finding$tensor, value = number_of(finding$value),
    threshold = number_of(finding$threshold), message = finding$message, advice = finding$advice
  )
}

rule_statuses <- function(described) {
  rules <- c(described$DebugRuleEvaluationStatuses, described$ProfilerRuleEvaluationStatuses)
  vapply(rules, function(rule) rule$RuleEvaluationStatus, "")
}

has_ended <- function(described, rules) {
  if (!described$TrainingJobStatus %in% c("Completed", "Failed", "Stopped")) return(FALSE)
  !rules || !any(rule_statuses(described) %in% c("InProgress", "Stopping"))
}

# One line on standard error that replaces the one before.
show_progress <- function(described, progress, width = 30) {
  cat("\r\033[K", progress_line(described, progress, width), sep = "", file = stderr())
}

progress_line <- function(described, progress, width = 30) {
  step <- progress$last_step
  expected <- progress$expected
  ended <- has_ended(described, rules = FALSE)
  share <- if (ended) 1 else if (!is.null(step) && !is.null(expected)) {
    min(1, (step + 1) / max(1, expected))
  }
  bar <- if (!is.null(share)) {
    filled <- round(share * width)
    sprintf("[%s%s] ", strrep("=", filled), strrep(" ", width - filled))
  }
  statuses <- rule_statuses(described)
  found <- sum(statuses == "IssuesFound")
  paste0(
    bar, described$SecondaryStatus,
    if (!is.null(step)) sprintf(", step %.0f", step),
    if (length(statuses)) {
      sprintf(", %d of %d rules %s", found, length(statuses), "found problems")
    }
  )
}
