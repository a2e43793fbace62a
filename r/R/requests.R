# The parts of a CreateTrainingJob request: rules, what is saved, what is profiled.

built_in_image <- "DEFAULT_RULE_EVALUATOR_IMAGE"

#' A rule of a training job
#'
#' `debugger_rule()` is a rule for tensors, `profiler_rule()` one for the profiler's data.
#'
#' @param base_config For `debugger_rule()`, the result of a function such as
#'   [vanishing_gradient()]; for `profiler_rule()`, an object such as `BatchSize$new()`.
#' @param name Name of the rule in the job (default: the name of the built-in rule).
#' @param rule_parameters Parameters of the rule, such as `c(threshold = 1e-6)`. They override those
#'   in `base_config`.
#' @param collections_to_save Collections to save, made with [collection_config()]. They replace
#'   those in `base_config`.
#' @param actions What to do when the rule finds a problem: an [Action] or an [ActionList].
#' @param other_trials_s3_input_paths Locations of other runs, for [similar_across_runs()].
#' @param s3_output_path Where the rule writes its results (default: below the job's output).
#' @return An object for the argument `rules` of a session's method `train()`.
#' @seealso [rule_config], [warden_session()]
#' @examples
#' debugger_rule(
#'   vanishing_gradient(),
#'   rule_parameters = c(threshold = 1e-6),
#'   actions = StopTraining$new()
#' )
#' profiler_rule(LowGPUUtilization$new(threshold_p95 = 50))
#' @export
debugger_rule <- function(base_config, name = NULL, rule_parameters = NULL,
                          collections_to_save = NULL, actions = NULL,
                          other_trials_s3_input_paths = NULL, s3_output_path = NULL) {
  config <- if (is.list(base_config)) base_config$DebugRuleConfiguration
  if (is.null(config)) {
    stop_bad_value("base_config", base_config, "the result of a function such as all_zero()")
  }
  check_text("name", name, optional = TRUE)
  check_text("s3_output_path", s3_output_path, optional = TRUE)
  if (!is.null(actions) && !inherits(actions, c("Action", "ActionList"))) {
    stop_bad_value("actions", actions, "an Action or an ActionList")
  }
  given <- texts_of("rule_parameters", rule_parameters)
  if (!is.null(given$rule_to_invoke)) {
    stop_bad_value("rule_to_invoke in rule_parameters", given$rule_to_invoke,
                   "no such parameter: base_config names the rule")
  }
  others <- as.list(other_trials_s3_input_paths)
  if (length(others)) names(others) <- paste0("other_trial_", seq_along(others) - 1)
  parameters <- utils::modifyList(others, config$RuleParameters)
  parameters <- utils::modifyList(parameters, given %||% list())
  structure(
    list(
      name = name %||% config$RuleConfigurationName,
      parameters = parameters,
      collections = collections_to_save %||% base_config$CollectionConfigurations,
      actions = actions,
      s3_output_path = s3_output_path
    ),
    class = "debugger_rule"
  )
}

#' @rdname debugger_rule
#' @export
profiler_rule <- function(base_config, name = NULL, s3_output_path = NULL) {
  if (!inherits(base_config, "ProfilerRuleBase")) {
    stop_bad_value("base_config", base_config, "an object such as BatchSize$new()")
  }
  check_text("name", name, optional = TRUE)
  check_text("s3_output_path", s3_output_path, optional = TRUE)
  structure(
    list(
      name = name %||% base_config$rule_name,
      parameters = texts_of("rule_parameters", base_config$rule_parameters),
      s3_output_path = s3_output_path
    ),
    class = "profiler_rule"
  )
}

#' What a training job saves and profiles
#'
#' @param name Name of the collection. Built-in collections are `weights`, `biases`, `gradients`,
#'   `losses` and others; a custom one needs `include_regex`.
#' @param ... Parameters: of the collection, such as `save_interval = 10`; of the hook for all
#'   collections; of the profiler.
#' @param collections Collections made with `collection_config()`, as a list.
#' @param interval_ms Milliseconds between two samples of the machine: 100, 200, 500, 1000, 5000 or
#'   60000.
#' @param enabled Whether the job is profiled.
#' @return Lists for the arguments `rules`, `hook` and `profiler` of a session's method `train()`.
#' @examples
#' hook_config(
#'   save_interval = 10,
#'   collections = list(
#'     collection_config("losses", save_interval = 1),
#'     collection_config("relu", include_regex = "relu_output")
#'   )
#' )
#' profiler_config(interval_ms = 500)
#' @export
collection_config <- function(name, ...) {
  check_text("name", name)
  parameters <- texts_of("the parameters of a collection", list(...))
  request <- list(CollectionName = name)
  if (!is.null(parameters)) request$CollectionParameters <- parameters
  request
}

#' @rdname collection_config
#' @export
hook_config <- function(..., collections = list()) {
  for (each in collections) {
    if (!is.list(each) || is.null(each$CollectionName)) {
      stop_bad_value("collections", each, "a list of results of collection_config()")
    }
  }
  request <- list()
  parameters <- texts_of("the parameters of a hook", list(...))
  if (!is.null(parameters)) request$HookParameters <- parameters
  request$CollectionConfigurations <- unname(collections)
  request
}

#' @rdname collection_config
#' @export
profiler_config <- function(..., interval_ms = 500, enabled = TRUE) {
  check_flag("enabled", enabled)
  accepted <- c(100, 200, 500, 1000, 5000, 60000)
  if (!is_number(interval_ms) || !interval_ms %in% accepted) {
    stop_bad_value("interval_ms", interval_ms,
                   paste("one of:", paste(accepted, collapse = ", ")))
  }
  request <- list(DisableProfiler = !enabled)
  if (enabled) request$ProfilingIntervalInMilliseconds <- interval_ms
  parameters <- texts_of("the parameters of the profiler", list(...))
  if (!is.null(parameters)) request$ProfilingParameters <- parameters
  request
}

# A rule as the functions above return it: users may pass what these accept.
as_rule <- function(rule) {
  if (inherits(rule, c("debugger_rule", "profiler_rule"))) return(rule)
  if (inherits(rule, "ProfilerRuleBase")) return(profiler_rule(rule))
  if (is.list(rule) && !is.null(rule$DebugRuleConfiguration)) return(debugger_rule(rule))
  stop_bad_value("a rule", rule, "vanishing_gradient(), BatchSize$new(), debugger_rule(...), ...")
}

rule_to_request <- function(rule, job) {
  parameters <- rule$parameters
  if (!is.null(rule$actions)) {
    if (inherits(rule$actions, c("ActionList", "StopTraining"))) {
      # The next job gets its own name.
      actions <- rule$actions$clone(deep = TRUE)
      if (inherits(actions, "ActionList")) {
        actions$actions <- lapply(actions$actions, function(each) each$clone())
      }
      actions$update_training_job_prefix_if_not_specified(job)
    } else {
      actions <- rule$actions
    }
    parameters$action_json <- actions$serialize()
  }
  request <- list(RuleConfigurationName = rule$name, RuleEvaluatorImage = built_in_image)
  if (!is.null(rule$s3_output_path)) request$S3OutputPath <- rule$s3_output_path
  request$RuleParameters <- parameters
  request
}

# The members of a request about debugging and profiling.
debugging_request <- function(job, output, rules, hook, profiler) {
  rules <- lapply(rules, as_rule)
  debug <- Filter(function(rule) inherits(rule, "debugger_rule"), rules)
  profile <- Filter(function(rule) inherits(rule, "profiler_rule"), rules)
  request <- list()
  if (!identical(hook, FALSE)) {
    config <- c(list(S3OutputPath = output), hook)
    needed <- unlist(lapply(debug, function(rule) rule$collections), recursive = FALSE)
    collections <- c(config$CollectionConfigurations, needed)
    names_of <- vapply(collections, function(each) each$CollectionName, "")
    # What the caller says of a collection overrides what a rule asks for.
    config$CollectionConfigurations <- collections[!duplicated(names_of)]
    request$DebugHookConfig <- config
  }
  if (length(debug)) {
    request$DebugRuleConfigurations <- lapply(debug, rule_to_request, job = job)
  }
  if (!is.null(profiler) || length(profile)) {
    config <- profiler %||% profiler_config()
    if (!isTRUE(config$DisableProfiler)) config$S3OutputPath <- output
    request$ProfilerConfig <- config
  }
  if (length(profile)) {
    request$ProfilerRuleConfigurations <- lapply(profile, rule_to_request, job = job)
  }
  request
}
