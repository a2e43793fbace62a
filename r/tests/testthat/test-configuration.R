test_that("actions drop NULL and describe themselves", {
  action <- Action$new(a = 1, b = NULL)
  expect_identical(names(action$action_parameters), c("a", "name"))
  expect_identical(action$serialize(), "{\\\"a\\\": \\\"1\\\", \\\"name\\\": \\\"action\\\"}")
  expect_identical(StopTraining$new("x")$format(), "<StopTraining: training_job_prefix = 'x'>")
  expect_identical(StopTraining$new()$format(), "<StopTraining>")
  expect_output(print(ActionList$new(StopTraining$new())), "<ActionList: <StopTraining>>",
                fixed = TRUE)
})

test_that("wrong actions are refused with name and value", {
  expect_error(StopTraining$new("a b"), "training_job_prefix is 'a b'; expected", fixed = TRUE)
  expect_error(StopTraining$new(7), "training_job_prefix is 7; expected", fixed = TRUE)
  expect_error(Email$new("nobody"), "email_address is 'nobody'; expected", fixed = TRUE)
  expect_error(Email$new(NULL), "email_address is NULL; expected", fixed = TRUE)
  expect_error(SMS$new("555"), "phone_number is '555'; expected", fixed = TRUE)
  expect_error(ActionList$new("stop"), "action is 'stop'; expected StopTraining, Email or SMS",
               fixed = TRUE)
  expect_error(Action$new(1), "without a name")
  expect_error(Action$new(a = "x\"y"), "a is 'x\"y'; expected", fixed = TRUE)
})

test_that("wrong parameters of profiler rules are refused with name and value", {
  expect_error(BatchSize$new(cpu_threshold_p95 = 101),
               "cpu_threshold_p95 is 101; expected a number from 0 to 100", fixed = TRUE)
  expect_error(BatchSize$new(window = 0), "window is 0; expected a positive number", fixed = TRUE)
  expect_error(Dataloader$new(min_threshold = "x"), "min_threshold is 'x'", fixed = TRUE)
  expect_error(StepOutlier$new(mode = 3), "mode is 3; expected a text", fixed = TRUE)
  expect_error(BatchSize$new(windows = 1), "unused argument")
})

test_that("ProfilerReport checks form, rule, parameter and value", {
  expect_error(ProfilerReport$new(window = 1), "unknown parameter 'window'", fixed = TRUE)
  expect_error(ProfilerReport$new(Nothing_window = 1),
               "unknown rule 'nothing' in parameter 'Nothing_window'; expected one of: BatchSize",
               fixed = TRUE)
  expect_error(ProfilerReport$new(BatchSize_windows = 1),
               "unknown parameter 'windows' of BatchSize in 'BatchSize_windows'", fixed = TRUE)
  expect_error(ProfilerReport$new(BatchSize_window = -1),
               "BatchSize_window: window is -1; expected a positive number", fixed = TRUE)
  expect_error(ProfilerReport$new(1), "has no name")
  kept <- ProfilerReport$new(BATCHSIZE_Window = 5)$rule_parameters
  expect_identical(kept, list(BATCHSIZE_Window = 5, rule_to_invoke = "ProfilerReport"))
})

test_that("a request has the rules, their collections and their actions", {
  actions <- ActionList$new(StopTraining$new())
  request <- sagemaker.debugger:::debugging_request("job-1", "s3://b", list(
    debugger_rule(vanishing_gradient(), rule_parameters = c(threshold = 1e-7), actions = actions),
    loss_not_decreasing(),
    LowGPUUtilization$new()
  ), hook_config(collections = list(collection_config("losses", save_interval = 2))), NULL)
  hook <- request$DebugHookConfig
  expect_identical(vapply(hook$CollectionConfigurations, function(x) x$CollectionName, ""),
                   c("losses", "gradients"))
  expect_identical(hook$CollectionConfigurations[[1]]$CollectionParameters$save_interval, "2")
  rule <- request$DebugRuleConfigurations[[1]]$RuleParameters
  expect_identical(rule$threshold, "1e-07")
  expect_match(rule$action_json, "job-1", fixed = TRUE)
  # The same rule can be used for another job.
  expect_no_match(actions$serialize(), "job-1")
  expect_false(request$ProfilerConfig$DisableProfiler)
  expect_length(request$ProfilerRuleConfigurations, 1)
})

test_that("wrong rules are refused", {
  request <- function(...) {
    sagemaker.debugger:::debugging_request("j", "s3://b", list(...), NULL, NULL)
  }
  expect_error(request("VanishingGradient"), "a rule is 'VanishingGradient'; expected")
  expect_error(debugger_rule(BatchSize$new()), "base_config is a BatchSize; expected")
  expect_error(profiler_rule(all_zero()), "base_config is")
  expect_error(debugger_rule(all_zero(), actions = "stop"), "actions is 'stop'; expected")
  expect_error(debugger_rule(all_zero(), rule_parameters = c(3)), "rule_parameters is 3; expected")
  expect_error(debugger_rule(all_zero(), rule_parameters = c(rule_to_invoke = "x")),
               "names the rule")
  expect_error(profiler_config(interval_ms = 7), "interval_ms is 7; expected one of: 100")
  expect_error(hook_config(collections = list("losses")), "collections is 'losses'")
  expect_error(collection_config(""), "name is ''; expected a text", fixed = TRUE)
})
