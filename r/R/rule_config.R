# The built-in rules for tensors: what a request says of each, and the collections it needs.

collection_request <- function(name, ...) {
  list(CollectionName = name, CollectionParameters = list(...))
}

# Collections as SageMaker's configurations of the rules have them.
shared_collection <- function(name) {
  patterns <- c(
    input_image = ".*hybridsequential0_input_0", relu_output = ".*relu_output",
    relu_input = ".*relu_input", input_sequence = ".*embedding0_input_0"
  )
  if (name %in% names(patterns)) {
    return(collection_request(name, include_regex = patterns[[name]], save_interval = "500"))
  }
  collection_request(name, save_interval = "500")
}

rule_request <- function(rule, ...) {
  request <- list(DebugRuleConfiguration = list(
    RuleConfigurationName = rule, RuleParameters = list(rule_to_invoke = rule)
  ))
  collections <- list(...)
  if (length(collections) > 0) request$CollectionConfigurations <- collections
  request
}

#' Built-in rules for tensors
#'
#' Each function returns the configuration of one rule: the name, the parameters, and the
#' collections of tensors that it needs. Pass it to [debugger_rule()] to change parameters or to add
#' actions, or directly to the method `train()` of a session.
#'
#' `warden rules` describes all rules and their parameters.
#' @return A list with `DebugRuleConfiguration` and, for most rules, `CollectionConfigurations`.
#' @seealso [debugger_rule()], [warden_session()]
#' @examples
#' str(vanishing_gradient())
#' @name rule_config
NULL

#' @rdname rule_config
#' @export
vanishing_gradient <- function() rule_request("VanishingGradient", shared_collection("gradients"))

#' @rdname rule_config
#' @export
similar_across_runs <- function() rule_request("SimilarAcrossRuns")

#' @rdname rule_config
#' @export
weight_update_ratio <- function() rule_request("WeightUpdateRatio", shared_collection("weights"))

#' @rdname rule_config
#' @export
all_zero <- function() rule_request("AllZero")

#' @rdname rule_config
#' @export
exploding_tensor <- function() rule_request("ExplodingTensor")

#' @rdname rule_config
#' @export
unchanged_tensor <- function() rule_request("UnchangedTensor")

#' @rdname rule_config
#' @export
loss_not_decreasing <- function() rule_request("LossNotDecreasing", shared_collection("losses"))

#' @rdname rule_config
#' @export
check_input_images <- function() {
  rule_request("CheckInputImages", shared_collection("input_image"))
}

#' @rdname rule_config
#' @export
dead_relu <- function() rule_request("DeadRelu", shared_collection("relu_output"))

#' @rdname rule_config
#' @export
confusion <- function() rule_request("Confusion")

#' @rdname rule_config
#' @export
tree_depth <- function() rule_request("TreeDepth")

#' @rdname rule_config
#' @export
class_imbalance <- function() rule_request("ClassImbalance")

#' @rdname rule_config
#' @export
overfit <- function() rule_request("Overfit")

#' @rdname rule_config
#' @export
tensor_variance <- function() rule_request("TensorVariance")

#' @rdname rule_config
#' @export
overtraining <- function() rule_request("Overtraining")

#' @rdname rule_config
#' @export
poor_weight_initialization <- function() {
  rule_request("PoorWeightInitialization", shared_collection("relu_input"))
}

#' @rdname rule_config
#' @export
saturated_activation <- function() rule_request("SaturatedActivation")

#' @rdname rule_config
#' @export
nlp_sequence_ratio <- function() {
  rule_request("NLPSequenceRatio", shared_collection("input_sequence"))
}

#' @rdname rule_config
#' @export
stalled_training_rule <- function() rule_request("StalledTrainingRule")

#' @rdname rule_config
#' @export
feature_importance_overweight <- function() {
  rule_request("FeatureImportanceOverweight", shared_collection("feature_importance"))
}

#' @rdname rule_config
#' @export
create_xgboost_report <- function() {
  rule_request(
    "CreateXgboostReport",
    collection_request("metrics", save_interval = "5"),
    collection_request("feature_importance", save_interval = "5"),
    collection_request("hyperparameters", save_steps = "0"),
    collection_request("predictions", save_interval = "5"),
    collection_request("labels", save_interval = "5")
  )
}
