# The built-in profiler rules: one class each, which holds and checks the parameters.

# The base class: the name of the rule and its parameters.
ProfilerRuleBase <- R6::R6Class("ProfilerRuleBase",
  public = list(
    rule_name = NULL,
    rule_parameters = NULL,
    initialize = function(...) {
      self$rule_name <- class(self)[1]
      self$rule_parameters <- c(list(...), list(rule_to_invoke = self$rule_name))
    },
    format = function() {
      given <- self$rule_parameters[names(self$rule_parameters) != "rule_to_invoke"]
      values <- vapply(given, shown, "")
      inner <- paste(names(values), values, sep = " = ", collapse = ", ")
      paste0("<", self$rule_name, if (length(values)) ": ", inner, ">")
    }
  )
)

#' Find GPUs that a larger batch would use better
#'
#' Reports GPUs whose utilization and memory use, and the utilization of the CPU, are all low most
#' of the time. Then the batch can be larger, or the machine smaller.
#' @seealso [profiler_rule()], [ProfilerReport]
#' @examples
#' BatchSize$new()
#' @export
BatchSize <- R6::R6Class("BatchSize",
  inherit = ProfilerRuleBase,
  public = list(
    #' @description Creates the rule.
    #' @param cpu_threshold_p95 Threshold of the CPU utilization's 95th percentile, in percent.
    #' @param gpu_threshold_p95 Threshold of the GPU utilization's 95th percentile, in percent.
    #' @param gpu_memory_threshold_p95 Threshold of the GPU memory utilization's 95th percentile,
    #'   in percent.
    #' @param patience Number of data points before the first check.
    #' @param window Number of data points from which percentiles are computed.
    #' @param scan_interval_us Time between two scans of the profiler's files, in microseconds.
    initialize = function(cpu_threshold_p95 = 70,
                          gpu_threshold_p95 = 70,
                          gpu_memory_threshold_p95 = 70,
                          patience = 1000,
                          window = 500,
                          scan_interval_us = 60 * 1000 * 1000) {
      check_percentiles(
        cpu_threshold_p95 = cpu_threshold_p95,
        gpu_threshold_p95 = gpu_threshold_p95,
        gpu_memory_threshold_p95 = gpu_memory_threshold_p95
      )
      check_positive(patience = patience, window = window, scan_interval_us = scan_interval_us)
      super$initialize(
        cpu_threshold_p95 = cpu_threshold_p95,
        gpu_threshold_p95 = gpu_threshold_p95,
        gpu_memory_threshold_p95 = gpu_memory_threshold_p95,
        patience = patience,
        window = window,
        scan_interval_us = scan_interval_us
      )
    }
  )
)

#' Find GPUs that wait for the CPU
#'
#' Reports a training in which GPUs are idle while the CPU is busy for more than a share of the
#' time.
#' @seealso [profiler_rule()], [ProfilerReport]
#' @examples
#' CPUBottleneck$new()
#' @export
CPUBottleneck <- R6::R6Class("CPUBottleneck",
  inherit = ProfilerRuleBase,
  public = list(
    #' @description Creates the rule.
    #' @param threshold Maximum share of the time with a bottleneck, in percent.
    #' @param gpu_threshold A GPU below this utilization is idle, in percent.
    #' @param cpu_threshold A CPU above this utilization is busy, in percent.
    #' @param patience Number of data points before the first check.
    #' @param scan_interval_us Time between two scans of the profiler's files, in microseconds.
    initialize = function(threshold = 50,
                          gpu_threshold = 10,
                          cpu_threshold = 90,
                          patience = 1000,
                          scan_interval_us = 60 * 1000 * 1000) {
      check_percentiles(
        threshold = threshold,
        gpu_threshold = gpu_threshold,
        cpu_threshold = cpu_threshold
      )
      check_positive(patience = patience, scan_interval_us = scan_interval_us)
      super$initialize(
        threshold = threshold,
        gpu_threshold = gpu_threshold,
        cpu_threshold = cpu_threshold,
        patience = patience,
        scan_interval_us = scan_interval_us
      )
    }
  )
)

#' Find too few or too many data loading processes
#'
#' Compares the number of data loading processes with the number of cores.
#' @seealso [profiler_rule()], [ProfilerReport]
#' @examples
#' Dataloader$new()
#' @export
Dataloader <- R6::R6Class("Dataloader",
  inherit = ProfilerRuleBase,
  public = list(
    #' @description Creates the rule.
    #' @param min_threshold Minimum number of processes, in percent of the cores.
    #' @param max_threshold Maximum number of processes, in percent of the cores.
    #' @param scan_interval_us Time between two scans of the profiler's files, in microseconds.
    initialize = function(min_threshold = 70, max_threshold = 200, scan_interval_us = 6e+07) {
      check_positive(
        min_threshold = min_threshold,
        max_threshold = max_threshold,
        scan_interval_us = scan_interval_us
      )
      super$initialize(
        min_threshold = min_threshold,
        max_threshold = max_threshold,
        scan_interval_us = scan_interval_us
      )
    }
  )
)

#' Find GPU memory that keeps growing
#'
#' Compares the moving average of the GPU memory with its earlier value.
#' @seealso [profiler_rule()], [ProfilerReport]
#' @examples
#' GPUMemoryIncrease$new()
#' @export
GPUMemoryIncrease <- R6::R6Class("GPUMemoryIncrease",
  inherit = ProfilerRuleBase,
  public = list(
    #' @description Creates the rule.
    #' @param increase Maximum increase of the moving average, in percentage points.
    #' @param patience Number of data points before the first check.
    #' @param window Number of data points of the moving average.
    #' @param scan_interval_us Time between two scans of the profiler's files, in microseconds.
    initialize = function(increase = 5,
                          patience = 1000,
                          window = 10,
                          scan_interval_us = 60 * 1000 * 1000) {
      check_positive(
        increase = increase,
        patience = patience,
        window = window,
        scan_interval_us = scan_interval_us
      )
      super$initialize(
        increase = increase,
        patience = patience,
        window = window,
        scan_interval_us = scan_interval_us
      )
    }
  )
)

#' Find GPUs that wait for disk or network
#'
#' Reports a training in which GPUs are idle while the machine waits for input and output for more
#' than a share of the time.
#' @seealso [profiler_rule()], [ProfilerReport]
#' @examples
#' IOBottleneck$new()
#' @export
IOBottleneck <- R6::R6Class("IOBottleneck",
  inherit = ProfilerRuleBase,
  public = list(
    #' @description Creates the rule.
    #' @param threshold Maximum share of the time with a bottleneck, in percent.
    #' @param gpu_threshold A GPU below this utilization is idle, in percent.
    #' @param io_threshold Above this I/O wait, the machine waits, in percent.
    #' @param patience Number of data points before the first check.
    #' @param scan_interval_us Time between two scans of the profiler's files, in microseconds.
    initialize = function(threshold = 50,
                          gpu_threshold = 10,
                          io_threshold = 50,
                          patience = 1000,
                          scan_interval_us = 60 * 1000 * 1000) {
      check_percentiles(
        threshold = threshold,
        gpu_threshold = gpu_threshold,
        io_threshold = io_threshold
      )
      check_positive(patience = patience, scan_interval_us = scan_interval_us)
      super$initialize(
        threshold = threshold,
        gpu_threshold = gpu_threshold,
        io_threshold = io_threshold,
        patience = patience,
        scan_interval_us = scan_interval_us
      )
    }
  )
)

#' Find GPUs with unequal load
#'
#' Compares the distributions of the utilization of the GPUs of a machine.
#' @seealso [profiler_rule()], [ProfilerReport]
#' @examples
#' LoadBalancing$new()
#' @export
LoadBalancing <- R6::R6Class("LoadBalancing",
  inherit = ProfilerRuleBase,
  public = list(
    #' @description Creates the rule.
    #' @param threshold Maximum distance between two distributions.
    #' @param patience Number of data points before the first check.
    #' @param scan_interval_us Time between two scans of the profiler's files, in microseconds.
    initialize = function(threshold = 0.5, patience = 1000, scan_interval_us = 60 * 1000 * 1000) {
      check_percentiles(threshold = threshold)
      check_positive(patience = patience, scan_interval_us = scan_interval_us)
      super$initialize(
        threshold = threshold,
        patience = patience,
        scan_interval_us = scan_interval_us
      )
    }
  )
)

#' Find GPUs with low or fluctuating utilization
#'
#' Reports a GPU whose utilization is low most of the time, or high at times and low at others.
#' @seealso [profiler_rule()], [ProfilerReport]
#' @examples
#' LowGPUUtilization$new()
#' @export
LowGPUUtilization <- R6::R6Class("LowGPUUtilization",
  inherit = ProfilerRuleBase,
  public = list(
    #' @description Creates the rule.
    #' @param threshold_p95 A GPU with a 95th percentile below this is underused, in percent.
    #' @param threshold_p5 A GPU with a 5th percentile below this fluctuates, in percent.
    #' @param window Number of data points from which percentiles are computed.
    #' @param patience Number of data points before the first check.
    #' @param scan_interval_us Time between two scans of the profiler's files, in microseconds.
    initialize = function(threshold_p95 = 70,
                          threshold_p5 = 10,
                          window = 500,
                          patience = 1000,
                          scan_interval_us = 60 * 1000 * 1000) {
      check_percentiles(threshold_p95 = threshold_p95, threshold_p5 = threshold_p5)
      check_positive(window = window, patience = patience, scan_interval_us = scan_interval_us)
      super$initialize(
        threshold_p95 = threshold_p95,
        threshold_p5 = threshold_p5,
        window = window,
        patience = patience,
        scan_interval_us = scan_interval_us
      )
    }
  )
)

#' Find a slow start of the training
#'
#' Reports a training whose first step takes too long to begin.
#' @seealso [profiler_rule()], [ProfilerReport]
#' @examples
#' MaxInitializationTime$new()
#' @export
MaxInitializationTime <- R6::R6Class("MaxInitializationTime",
  inherit = ProfilerRuleBase,
  public = list(
    #' @description Creates the rule.
    #' @param threshold Maximum time until the first step, in minutes.
    #' @param scan_interval_us Time between two scans of the profiler's files, in microseconds.
    initialize = function(threshold = 20, scan_interval_us = 60 * 1000 * 1000) {
      check_positive(threshold = threshold, scan_interval_us = scan_interval_us)
      super$initialize(threshold = threshold, scan_interval_us = scan_interval_us)
    }
  )
)

#' Summarize the use of the machine
#'
#' Computes percentiles of the use of each machine. This rule reports no problems.
#' @seealso [profiler_rule()], [ProfilerReport]
#' @examples
#' OverallSystemUsage$new()
#' @export
OverallSystemUsage <- R6::R6Class("OverallSystemUsage",
  inherit = ProfilerRuleBase,
  public = list(
    #' @description Creates the rule.
    #' @param scan_interval_us Time between two scans of the profiler's files, in microseconds.
    initialize = function(scan_interval_us = 60 * 1000 * 1000) {
      check_positive(scan_interval_us = scan_interval_us)
      super$initialize(scan_interval_us = scan_interval_us)
    }
  )
)

#' Find steps that take much longer than others
#'
#' Reports steps that take longer than the mean by several standard deviations.
#' @seealso [profiler_rule()], [ProfilerReport]
#' @examples
#' StepOutlier$new()
#' @export
StepOutlier <- R6::R6Class("StepOutlier",
  inherit = ProfilerRuleBase,
  public = list(
    #' @description Creates the rule.
    #' @param stddev Number of standard deviations above which a step is an outlier.
    #' @param mode Mode of the steps, such as `"TRAIN"`. `NULL`: training and evaluation.
    #' @param n_outliers Number of outliers to ignore.
    #' @param scan_interval_us Time between two scans of the profiler's files, in microseconds.
    initialize = function(stddev = 3,
                          mode = NULL,
                          n_outliers = 10,
                          scan_interval_us = 60 * 1000 * 1000) {
      check_positive(
        stddev = stddev,
        n_outliers = n_outliers,
        scan_interval_us = scan_interval_us
      )
      check_text("mode", mode, optional = TRUE)
      super$initialize(
        stddev = stddev,
        mode = mode,
        n_outliers = n_outliers,
        scan_interval_us = scan_interval_us
      )
    }
  )
)

# The rules whose parameters the report accepts, by name.
reported_rules <- function() {
  list(
    BatchSize = BatchSize, CPUBottleneck = CPUBottleneck, Dataloader = Dataloader,
    GPUMemoryIncrease = GPUMemoryIncrease, IOBottleneck = IOBottleneck,
    LoadBalancing = LoadBalancing, LowGPUUtilization = LowGPUUtilization,
    MaxInitializationTime = MaxInitializationTime, OverallSystemUsage = OverallSystemUsage,
    StepOutlier = StepOutlier
  )
}

check_report_parameter <- function(key, value) {
  if (!grepl("_", key, fixed = TRUE)) {
    stop(sprintf("unknown parameter '%s'; expected <rule>_<parameter>, such as %s",
                 key, "CPUBottleneck_threshold"), call. = FALSE)
  }
  rules <- reported_rules()
  rule <- tolower(sub("_.*", "", key))
  parameter <- tolower(sub("[^_]*_", "", key))
  found <- match(rule, tolower(names(rules)))
  if (is.na(found)) {
    stop(sprintf("unknown rule '%s' in parameter '%s'; expected one of: %s", rule, key,
                 paste(names(rules), collapse = ", ")), call. = FALSE)
  }
  accepted <- names(formals(rules[[found]]$public_methods$initialize))
  if (!parameter %in% accepted) {
    stop(sprintf("unknown parameter '%s' of %s in '%s'; expected one of: %s", parameter,
                 names(rules)[found], key, paste(accepted, collapse = ", ")), call. = FALSE)
  }
  tryCatch(
    do.call(rules[[found]]$new, stats::setNames(list(value), parameter)),
    error = function(problem) {
      stop(sprintf("%s: %s", key, conditionMessage(problem)), call. = FALSE)
    }
  )
}

#' Run all profiler rules and write a report
#'
#' Parameters of a rule are passed as `<rule>_<parameter>`, such as `CPUBottleneck_threshold = 60`.
#' The name of the rule, the name of the parameter and the value are checked; upper and lower case
#' do not matter in names.
#' @seealso [profiler_rule()], [view_report()]
#' @examples
#' ProfilerReport$new(CPUBottleneck_threshold = 60, StepOutlier_stddev = 5)
#' @export
ProfilerReport <- R6::R6Class("ProfilerReport",
  inherit = ProfilerRuleBase,
  public = list(
    #' @description Creates the rule.
    #' @param ... Parameters of rules, named `<rule>_<parameter>`.
    initialize = function(...) {
      given <- list(...)
      if (length(given) > 0 && (is.null(names(given)) || any(!nzchar(names(given))))) {
        stop("a parameter of ProfilerReport has no name; expected <rule>_<parameter>",
             call. = FALSE)
      }
      for (key in names(given)) check_report_parameter(key, given[[key]])
      super$initialize(...)
    }
  )
)
