# Everything serializes to the same JSON as the classes of the Python SDK.

sdk_values <- function() {
  python <- Sys.getenv("WARDEN_SDK_PYTHON")
  skip_if(!nzchar(python) || !file.exists(python), "WARDEN_SDK_PYTHON is not set")
  script <- tempfile(fileext = ".py")
  writeLines(c(
    "import json, sys",
    "import smdebug_rulesconfig as config",
    "from smdebug_rulesconfig.profiler_rules.rules import Dataloader",
    "config.Dataloader = Dataloader",
    "from sagemaker.debugger import ProfilerRule",
    "functions, classes = json.load(sys.stdin)",
    "def texts(rule):",
    "    made = ProfilerRule.sagemaker(rule)",
    "    return made.to_profiler_rule_config_dict()['RuleParameters']",
    "prefixed = config.StopTraining()",
    "many = config.ActionList(prefixed, config.Email('me@example.com'), config.SMS('+15550100'))",
    "before = many.serialize()",
    "many.update_training_job_prefix_if_not_specified('job-1')",
    "report = dict(CPUBottleneck_threshold=60, stepoutlier_stddev=5)",
    "print(json.dumps({",
    "    'functions': {name: getattr(config, name)() for name in functions},",
    "    'parameters': {name: getattr(config, name)().rule_parameters for name in classes},",
    "    'texts': {name: texts(getattr(config, name)()) for name in classes},",
    "    'report': config.ProfilerReport(**report).rule_parameters,",
    "    'actions': {'stop': config.StopTraining('job').serialize(), 'before': before,",
    "                'after': many.serialize()},",
    "}))"
  ), script)
  input <- tempfile()
  classes <- c("BatchSize", "CPUBottleneck", "Dataloader", "GPUMemoryIncrease", "IOBottleneck",
               "LoadBalancing", "LowGPUUtilization", "MaxInitializationTime",
               "OverallSystemUsage", "StepOutlier", "ProfilerReport")
  writeLines(jsonlite::toJSON(list(manual_functions(), classes)), input)
  answer <- system2(python, c("-W", "ignore", script), stdin = input, stdout = TRUE, stderr = FALSE)
  jsonlite::fromJSON(answer[length(answer)], simplifyVector = FALSE)
}

as_json <- function(value) {
  jsonlite::toJSON(value, auto_unbox = TRUE, null = "null", digits = NA)
}

test_that("rules, profiler rules and actions equal those of the Python SDK", {
  values <- sdk_values()
  expect_length(values$functions, 21)
  for (name in names(values$functions)) {
    own <- getExportedValue("sagemaker.debugger", name)()
    expect_identical(as_json(own), as_json(values$functions[[name]]), info = name)
  }
  expect_length(values$parameters, 11)
  for (name in names(values$parameters)) {
    rule <- getExportedValue("sagemaker.debugger", name)$new()
    expect_identical(as_json(rule$rule_parameters), as_json(values$parameters[[name]]), info = name)
    expect_identical(as_json(profiler_rule(rule)$parameters), as_json(values$texts[[name]]),
                     info = name)
  }
  report <- ProfilerReport$new(CPUBottleneck_threshold = 60, stepoutlier_stddev = 5)
  expect_identical(as_json(report$rule_parameters), as_json(values$report))

  expect_identical(StopTraining$new("job")$serialize(), values$actions$stop)
  actions <- ActionList$new(StopTraining$new(), Email$new("me@example.com"), SMS$new("+15550100"))
  expect_identical(actions$serialize(), values$actions$before)
  actions$update_training_job_prefix_if_not_specified("job-1")
  expect_identical(actions$serialize(), values$actions$after)
})
