test_that("a job in R that does not learn is found out", {
  service <- start_service()
  on.exit(stop_service(service))
  local_variables(WARDEN_ENDPOINT = service$endpoint,
                  WARDEN_TOKEN_FILE = file.path(service$data, "token"))
  session <- warden_session()
  losses <- collection_config("losses", save_interval = 1)
  job <- session$train(
    example_script(), name = "spiral", hyperparameters = list(steps = 60, rate = 1e-6),
    rules = list(debugger_rule(loss_not_decreasing(), rule_parameters = c(num_steps = 10)),
                 ProfilerReport$new()),
    hook = hook_config(collections = list(losses, collection_config("weights")))
  )
  expect_error(job$report(), "job spiral has no profiler report yet|", class = "error")
  shown <- capture.output(job$wait(timeout = 240, progress = TRUE), type = "message")
  expect_match(paste(shown, collapse = ""), "rules found problems")
  expect_identical(job$status(), "Completed")
  logs <- job$logs()
  expect_true(any(grepl("^step 50: loss", logs$text)), info = paste(logs$text, collapse = "\n"))
  expect_identical(unique(logs$host), "algo-1")
  expect_identical(nrow(job$logs("algo-9")), 0L)

  rules <- job$rules()
  expect_identical(rules$status[rules$rule == "LossNotDecreasing"], "IssuesFound")
  found <- job$findings()
  found <- found[found$rule == "LossNotDecreasing", ]
  expect_gte(nrow(found), 1)
  expect_match(found$message[1], "loss")
  expect_match(found$tensor[1], "Loss_output_0")
  expect_true(nzchar(found$advice[1]))

  trial <- job$trial()
  expect_identical(nrow(trial$losses()), 60L)
  page <- job$report()
  expect_match(paste(readLines(page, n = 5, warn = FALSE), collapse = " "), "html",
               ignore.case = TRUE)
  shown <- NULL
  before <- options(viewer = function(path) shown <<- path)
  on.exit(options(before), add = TRUE)
  expect_identical(view_report(job), shown)
  expect_error(job$report("xgboost"), "job spiral has no xgboost report yet")

  # Keys of AWS instead of the token, and files over HTTP instead of the folder.
  Sys.unsetenv("WARDEN_TOKEN_FILE")
  local_variables(AWS_SHARED_CREDENTIALS_FILE = file.path(service$data, "credentials"),
                  XDG_CONFIG_HOME = tempdir())
  signed <- warden_session(service$endpoint)
  expect_identical(signed$jobs()$name, "spiral")
  expect_identical(nrow(signed$job("spiral")$findings()), nrow(job$findings()))
  remote <- read_trial("s3://warden-jobs/spiral/debug-output", signed)
  expect_identical(remote$losses(), trial$losses())
  expect_identical(remote$tensor("fc1.weight"), trial$tensor("fc1.weight"))
  file <- tempfile()
  writeLines("x", file)
  signed$upload(file, "s3://my-bucket/a b/\u00fc+.txt")
  signed$download("s3://my-bucket/a b/\u00fc+.txt", paste0(file, "2"))
  expect_identical(readLines(paste0(file, "2")), "x")

  expect_error(session$job("none"), class = "warden_error")
  expect_error(session$call("NoSuchOperation"), class = "warden_error")
  expect_error(session$train("missing.R"), "cannot open missing.R: no such file")
  expect_error(session$train(example_script(), rules = list("x")), "a rule is 'x'")
  expect_error(warden_session(service$endpoint, token = "wrong")$jobs(), class = "warden_error")
  job$delete()
  expect_identical(nrow(session$jobs()), 0L)
})

test_that("the blocks of the guide run, and a rule stops a job", {
  guide <- Sys.getenv("WARDEN_GUIDE")
  skip_if(!file.exists(guide), "WARDEN_GUIDE is not set")
  service <- start_service()
  on.exit(stop_service(service))
  local_variables(WARDEN_ENDPOINT = service$endpoint,
                  WARDEN_TOKEN_FILE = file.path(service$data, "token"))
  lines <- readLines(guide, encoding = "UTF-8")
  fences <- grep("^```", lines)
  starts <- fences[lines[fences] == "```r"]
  expect_length(starts, 3)
  folder <- tempfile("guide")
  dir.create(folder)
  before <- setwd(folder)
  on.exit(setwd(before), add = TRUE)
  # A training that does not learn and would take hours.
  script <- sub("^rate <- .*", "rate <- 0; steps <- 1e6", readLines(example_script()))
  writeLines(script, "train.R")
  seen <- NULL
  options_before <- options(viewer = function(path) seen <<- path)
  on.exit(options(options_before), add = TRUE)
  grDevices::pdf(tempfile())
  on.exit(grDevices::dev.off(), add = TRUE)
  there <- new.env()
  for (start in starts) {
    block <- lines[(start + 1):(fences[fences > start][1] - 1)]
    eval(parse(text = block), there)
  }
  expect_identical(there$job$status(), "Stopped")
  expect_true(file.exists(seen))
  expect_error(there$job$wait(timeout = -1), "timeout is -1; expected a positive number")
})

test_that("warden eval checks a network that was trained in R", {
  program <- Sys.getenv("WARDEN")
  skip_if(!nzchar(program) || !file.exists(program), "WARDEN is not set")
  results <- lapply(c(good = 1, bad = 1e-6), function(rate) {
    folder <- tempfile("run")
    output <- system2(file.path(R.home("bin"), "Rscript"), c(
      "--vanilla", shQuote(example_script()), "--rate", rate, "--out", folder
    ), stdout = TRUE, env = paste0("R_LIBS=", paste(.libPaths(), collapse = ":")))
    expect_match(output, "^step", all = TRUE)
    suppressWarnings(system2(program, c("eval", folder), stdout = TRUE, stderr = TRUE))
  })
  expect_null(attr(results$good, "status"))
  expect_match(results$good, "No problems found", all = FALSE)
  expect_identical(attr(results$bad, "status"), 3L)
  expect_match(results$bad, "NotLearning", all = FALSE)
})

test_that("other programs read the same arrays", {
  program <- Sys.getenv("WARDEN")
  skip_if(!nzchar(program) || !file.exists(program), "WARDEN is not set")
  folder <- tempfile("run")
  hook <- warden_hook(folder, "weights", save_interval = 1)
  values <- array(as.numeric(1:24), c(2, 3, 4))
  hook$begin_step("TRAIN")$save("a.weight", values)$close()
  exported <- system2(program, c("trial", "export", folder, "--format", "json", "--out", "-"),
                      stdout = TRUE)
  expect_equal(jsonlite::fromJSON(exported[1])$values, values)
})
