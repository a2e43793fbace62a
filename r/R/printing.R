# R6 prints what format() returns without a line break at its end.
print_line <- function(x, ...) {
  cat(x$format(), "\n", sep = "")
  invisible(x)
}

#' @export
print.Action <- print_line

#' @export
print.ActionList <- print_line

#' @export
print.ProfilerRuleBase <- print_line

#' @export
print.WardenSession <- print_line

#' @export
print.WardenJob <- print_line

#' @export
print.WardenTrial <- print_line

#' @export
print.WardenHook <- print_line

#' @export
print.debugger_rule <- function(x, ...) {
  cat("<debugger_rule: ", x$name, ">\n", sep = "")
  invisible(x)
}

#' @export
print.profiler_rule <- function(x, ...) {
  cat("<profiler_rule: ", x$name, ">\n", sep = "")
  invisible(x)
}
