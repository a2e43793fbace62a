# Exports, arguments and defaults are those of the manual of sagemaker.debugger 0.1.0.

method_of <- function(class, name) {
  if (name == "clone") {
    # R6 makes it.
    generator <- getExportedValue("sagemaker.debugger", class)
    expect_true(generator$cloneable, info = class)
    return(function(deep = FALSE) NULL)
  }
  name <- if (name == "new") "initialize" else name
  while (!is.null(class)) {
    generator <- get(class, asNamespace("sagemaker.debugger"))
    if (!is.null(generator$public_methods[[name]])) return(generator$public_methods[[name]])
    class <- if (!is.null(generator$inherit)) as.character(generator$inherit)
  }
  NULL
}

test_that("every name in the index is exported", {
  names <- manual_index()
  expect_length(names, 37)
  expect_setequal(intersect(names, getNamespaceExports("sagemaker.debugger")), names)
})

test_that("methods have the arguments and defaults of the manual", {
  calls <- manual_methods()
  expect_length(calls, 38)
  for (call in calls) {
    class <- as.character(call[[1]][[2]])
    method <- as.character(call[[1]][[3]])
    own <- method_of(class, method)
    expect_true(is.function(own), info = paste(class, method))
    wanted <- as.list(call)[-1]
    labels <- names(wanted)
    if (is.null(labels)) labels <- rep("", length(wanted))
    # An argument without a default has no name in a call.
    arguments <- ifelse(labels == "", vapply(wanted, deparse, ""), labels)
    expect_identical(as.character(names(formals(own))), as.character(arguments),
                     info = paste(class, method))
    for (i in seq_along(wanted)) {
      what <- paste(class, method, arguments[i])
      if (labels[i] == "") {
        expect_identical(deparse(formals(own)[[i]]), "", info = what)
      } else {
        expect_equal(eval(formals(own)[[i]]), eval(wanted[[i]]), info = what)
      }
    }
  }
})

test_that("classes inherit as in the manual", {
  classes <- manual_super_classes()
  expect_gte(length(classes), 13)
  for (class in names(classes)) {
    generator <- getExportedValue("sagemaker.debugger", class)
    expect_identical(as.character(generator$inherit), classes[[class]])
  }
})

test_that("functions of rule_config take no arguments", {
  names <- manual_functions()
  expect_length(names, 21)
  for (name in names) {
    own <- getExportedValue("sagemaker.debugger", name)
    expect_length(formals(own), 0)
    expect_type(own(), "list")
  }
})

test_that("objects can be cloned", {
  stop <- StopTraining$new()
  copy <- stop$clone()
  copy$update_training_job_prefix_if_not_specified("a")
  expect_null(stop$action_parameters$training_job_prefix)
  expect_identical(BatchSize$new(window = 7)$clone()$rule_parameters$window, 7)
})
