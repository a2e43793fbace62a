#' Debug training jobs with Tensorwarden
#'
#' - Configure: [debugger_rule()] with the rules in [rule_config], [profiler_rule()] with classes
#'   such as [BatchSize], actions such as [StopTraining].
#' - Run: [warden_session()] connects to a service and starts training jobs.
#' - Look: [WardenJob] has findings, logs and reports; [read_trial()] reads tensors.
#' - Record: [warden_hook()] saves what a training in R computes.
#' @importFrom R6 R6Class
#' @importFrom curl new_handle
#' @importFrom data.table rbindlist
#' @useDynLib sagemaker.debugger, .registration = TRUE
#' @keywords internal
"_PACKAGE"
