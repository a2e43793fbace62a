#' Actions that run when a rule finds a problem
#'
#' Base class of the actions. An action holds named parameters, which become part of the text that
#' a rule carries in its parameter `action_json`.
#'
#' Use [StopTraining], [Email] or [SMS].
#' @seealso [ActionList], [debugger_rule()]
#' @examples
#' StopTraining$new("my-job")$serialize()
#' @export
Action <- R6::R6Class("Action",
  public = list(
    #' @field action_parameters The parameters and the name of the action.
    action_parameters = NULL,

    #' @description Creates an action. Parameters that are `NULL` are left out.
    #' @param ... Parameters with their names.
    initialize = function(...) {
      given <- list(...)
      if (length(given) > 0 && (is.null(names(given)) || any(!nzchar(names(given))))) {
        stop("an action has a parameter without a name; expected name = value", call. = FALSE)
      }
      given$name <- tolower(class(self)[1])
      self$action_parameters <- Filter(Negate(is.null), given)
      for (name in names(self$action_parameters)) {
        value <- self$action_parameters[[name]]
        # Readers of the text paste it into a string of Python.
        if (length(value) != 1 || is.na(value) || grepl("[\"\\\\\n]", value)) {
          stop_bad_value(name, value, "one value without quotes, backslashes and line breaks")
        }
      }
    },

    #' @description Returns the parameters as JSON in which a backslash precedes every quote.
    serialize = function() {
      quoted <- function(text) paste0("\\\"", text, "\\\"")
      values <- vapply(self$action_parameters, number_text, "")
      pairs <- paste0(quoted(names(values)), ": ", quoted(values))
      paste0("{", paste(pairs, collapse = ", "), "}")
    },

    #' @description Returns a short text that describes the action.
    format = function() {
      given <- self$action_parameters[names(self$action_parameters) != "name"]
      values <- vapply(given, shown, "")
      inner <- paste(names(values), values, sep = " = ", collapse = ", ")
      paste0("<", class(self)[1], if (length(values)) ": ", inner, ">")
    }
  )
)

#' Several actions for one rule
#'
#' @examples
#' actions <- ActionList$new(StopTraining$new(), Email$new("me@example.com"))
#' actions$update_training_job_prefix_if_not_specified("my-job")
#' actions$serialize()
#' @export
ActionList <- R6::R6Class("ActionList",
  public = list(
    #' @field actions The actions, as a list.
    actions = NULL,

    #' @description Creates a list of actions.
    #' @param ... Objects of [StopTraining], [Email] or [SMS].
    initialize = function(...) {
      self$actions <- list(...)
      for (action in self$actions) {
        if (!inherits(action, "Action")) {
          stop_bad_value("action", action, "StopTraining, Email or SMS")
        }
      }
    },

    #' @description Sets the job to stop in each [StopTraining] that names none.
    #' @param training_job_name Name of the training job. It is not checked here.
    update_training_job_prefix_if_not_specified = function(training_job_name) {
      for (action in self$actions) {
        if (inherits(action, "StopTraining")) {
          action$update_training_job_prefix_if_not_specified(training_job_name)
        }
      }
      invisible(self)
    },

    #' @description Returns all actions as one text.
    serialize = function() {
      texts <- vapply(self$actions, function(action) action$serialize(), "")
      paste0("[", paste(texts, collapse = ", "), "]")
    },

    #' @description Returns a short text that describes the actions.
    format = function() {
      texts <- vapply(self$actions, function(action) action$format(), "")
      paste0("<ActionList: ", paste(texts, collapse = ", "), ">")
    }
  )
)

#' Stop the training
#'
#' Stops the training job whose name begins with the prefix, if there is exactly one. Without a
#' prefix, it stops the job that the rule belongs to.
#' @examples
#' StopTraining$new()
#' StopTraining$new("my-job")
#' @export
StopTraining <- R6::R6Class("StopTraining",
  inherit = Action,
  public = list(
    #' @field use_default_training_job_prefix Whether no prefix was given.
    use_default_training_job_prefix = TRUE,

    #' @description Creates the action.
    #' @param training_job_prefix Start of the job's name: letters, digits and hyphens. `NULL`: the
    #'   job that the rule belongs to.
    initialize = function(training_job_prefix = NULL) {
      if (!is.null(training_job_prefix)) {
        check_matches("training_job_prefix", training_job_prefix, "[A-Za-z0-9\\-]+", "my-job")
      }
      self$use_default_training_job_prefix <- is.null(training_job_prefix)
      super$initialize(training_job_prefix = training_job_prefix)
    },

    #' @description Sets the job to stop if none was given.
    #' @param training_job_name Name of the training job. It is not checked here.
    update_training_job_prefix_if_not_specified = function(training_job_name) {
      if (self$use_default_training_job_prefix) {
        self$action_parameters[["training_job_prefix"]] <- training_job_name
      }
      invisible(self)
    }
  )
)

#' Send an email
#'
#' @examples
#' Email$new("me@example.com")
#' @export
Email <- R6::R6Class("Email",
  inherit = Action,
  public = list(
    #' @description Creates the action.
    #' @param email_address The address that the email is sent to.
    initialize = function(email_address) {
      pattern <- "[A-Za-z0-9.!#$%&*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+"
      check_matches("email_address", email_address, pattern, "me@example.com")
      super$initialize(endpoint = email_address)
    }
  )
)

#' Send an SMS
#'
#' @examples
#' SMS$new("+15551234567")
#' @export
SMS <- R6::R6Class("SMS",
  inherit = Action,
  public = list(
    #' @description Creates the action.
    #' @param phone_number A number in the format E.164: `+`, then at most 15 digits.
    initialize = function(phone_number) {
      check_matches("phone_number", phone_number, "\\+[0-9]{1,15}", "+15551234567")
      super$initialize(endpoint = phone_number)
    }
  )
)
