# Checks of arguments. Messages name the argument, its value and what is accepted.

# A value as a message shows it: short, on one line.
shown <- function(value) {
  if (is.null(value)) return("NULL")
  if (is.character(value) && length(value) == 1 && !is.na(value)) {
    return(encodeString(value, quote = "'"))
  }
  if (is.atomic(value) && length(value) == 1) return(number_text(value))
  if (inherits(value, "R6")) return(paste("a", class(value)[1]))
  text <- paste(deparse(value, width.cutoff = 60L), collapse = " ")
  if (nchar(text) > 60) paste0(substr(text, 1, 57), "...") else text
}

# A number as Python's str() writes it, which is how requests carry parameters.
number_text <- function(value) {
  if (is.numeric(value) && !is.na(value)) {
    tiny <- value != 0 && abs(value) < 1e-4
    return(format(value, digits = 15, scientific = tiny || abs(value) >= 1e16, trim = TRUE))
  }
  if (is.logical(value) && !is.na(value)) return(if (value) "True" else "False")
  as.character(value)
}

stop_bad_value <- function(name, value, expected) {
  stop(sprintf("%s is %s; expected %s", name, shown(value), expected), call. = FALSE)
}

is_text <- function(value) is.character(value) && length(value) == 1 && !is.na(value)

is_number <- function(value) is.numeric(value) && length(value) == 1 && !is.na(value)

check_text <- function(name, value, optional = FALSE) {
  if (optional && is.null(value)) return(invisible(NULL))
  if (!is_text(value) || !nzchar(value)) stop_bad_value(name, value, "a text")
  invisible(value)
}

check_matches <- function(name, value, pattern, example) {
  if (!is_text(value) || !grepl(paste0("^(?:", pattern, ")$"), value, perl = TRUE)) {
    stop_bad_value(name, value, paste("a text such as", example))
  }
}

check_flag <- function(name, value) {
  if (!is.logical(value) || length(value) != 1 || is.na(value)) {
    stop_bad_value(name, value, "TRUE or FALSE")
  }
}

# The arguments are named after the parameters that they are values of.
check_percentiles <- function(...) {
  given <- list(...)
  for (name in names(given)) {
    value <- given[[name]]
    if (!is_number(value) || value < 0 || value > 100) {
      stop_bad_value(name, value, "a number from 0 to 100")
    }
  }
}

check_positive <- function(...) {
  given <- list(...)
  for (name in names(given)) {
    value <- given[[name]]
    if (!is_number(value) || value <= 0) stop_bad_value(name, value, "a positive number")
  }
}

check_choice <- function(name, value, choices) {
  if (!is_text(value) || !value %in% choices) {
    stop_bad_value(name, value, paste("one of:", paste(choices, collapse = ", ")))
  }
  value
}

# Named values as texts, for requests: list(epochs = 3) becomes list(epochs = "3").
texts_of <- function(name, values) {
  if (is.null(values) || length(values) == 0) return(NULL)
  if (is.null(names(values)) || any(!nzchar(names(values)))) {
    stop_bad_value(name, values, "values with names, such as c(save_interval = 10)")
  }
  lapply(as.list(values), function(value) if (is.null(value)) "None" else number_text(value))
}

`%||%` <- function(left, right) if (is.null(left)) right else left
