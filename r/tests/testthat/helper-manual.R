# The manual as text: usages of methods and functions, super classes, and the index.
# $SAGEMAKER_DEBUGGER_MANUAL: the complete manual, instead of its usage lines in manual.txt.
manual_lines <- function() {
  path <- Sys.getenv("SAGEMAKER_DEBUGGER_MANUAL", test_path("manual.txt"))
  lines <- readLines(path, encoding = "UTF-8", warn = FALSE)
  # Escapes of Markdown, and a stray dot in one usage.
  gsub("$.", "$", gsub("\\\\([_$])", "\\1", lines), fixed = TRUE)
}

# Calls that follow "*Usage:*", such as BatchSize$new(window = 500).
manual_methods <- function(lines = manual_lines()) {
  lapply(which(trimws(lines) == "*Usage:*"), function(start) {
    text <- ""
    for (line in lines[(start + 1):length(lines)]) {
      if (trimws(line) %in% c("", "```")) next
      # Some usages are marked as code.
      text <- paste(text, gsub("^`|`$", "", trimws(line)))
      call <- tryCatch(parse(text = text), error = function(problem) NULL)
      if (!is.null(call)) break
    }
    call[[1]]
  })
}

# Names of the functions without arguments.
manual_functions <- function(lines = manual_lines()) {
  found <- regmatches(trimws(lines), regexec("^([a-z_]+)\\(\\)$", trimws(lines)))
  vapply(found[lengths(found) == 2], function(each) each[2], "")
}

# Name of the super class by name of the class.
manual_super_classes <- function(lines = manual_lines()) {
  found <- regmatches(lines, regexec("sagemaker.debugger::(\\w+)\\W+-> (\\w+)", lines))
  found <- found[lengths(found) == 3]
  stats::setNames(vapply(found, function(each) each[2], ""),
                  vapply(found, function(each) each[3], ""))
}

# Every name in the index that is an object.
manual_index <- function(lines = manual_lines()) {
  index <- lines[(which(trimws(lines) == "# Index") + 1):length(lines)]
  words <- regmatches(trimws(index), regexpr("^[A-Za-z][A-Za-z_]*(?=$|,| \\()", trimws(index),
                                             perl = TRUE))
  setdiff(unique(words), "rule_config")
}
