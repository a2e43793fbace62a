test_that("a run has the values that the hook saved", {
  folder <- tempfile("run")
  record_line(folder)
  trial <- read_trial(folder)
  expect_true(trial$is_over())
  expect_identical(trial$tensor_names(collection = "weights"), "fc1.weight")
  expect_identical(trial$tensor_names("^grad"), c("gradient/fc1.weight", "gradient/fc2.weight"))
  expect_identical(trial$steps(), as.numeric(0:23))
  expect_identical(trial$steps("EVAL"), as.numeric(0:3))
  expect_identical(trial$tensor("fc1.weight", 0), matrix(c(0, 0.5, 1, 1.5, 2, 2.5), 2))
  expect_identical(dim(trial$tensor("fc1.weight")), c(2L, 3L))

  losses <- trial$losses("TRAIN")
  expect_s3_class(losses, "data.frame")
  expect_identical(names(losses), c("name", "step", "mode", "mode_step", "worker", "value"))
  expect_identical(losses$mode_step, as.numeric(0:19))
  expect_true(all(diff(losses$value) < 0))
  expect_equal(nrow(trial$losses("EVAL")), 4)
  expect_identical(nrow(trial$scalars()), nrow(trial$losses()))
  norms <- trial$statistics("^fc1", statistic = "l2")
  expect_equal(norms$value[1], sqrt(sum(c(0, 0.5, 1, 1.5, 2, 2.5)^2)))
  spread <- trial$distribution("fc1.weight")
  expect_equal(spread$value[spread$step == 0 & spread$quantile == 0.5], 1.25)
  expect_output(print(trial), "24 steps, 4 tensors")
  if (requireNamespace("tibble", quietly = TRUE)) {
    expect_identical(nrow(tibble::as_tibble(losses)), 20L)
  }
})

test_that("values of all types come back", {
  folder <- tempfile("run")
  hook <- warden_hook(folder, list(collection_config("all", save_interval = 1)))
  values <- list(
    number = 1.5, vector = c(1, NaN, Inf, -Inf), logical = c(TRUE, FALSE), integer = 1:3,
    array = array(as.numeric(1:24), c(2, 3, 4)), complex = complex(real = 1:2, imaginary = 3),
    text = c("a", "\u00fc")
  )
  hook$begin_step("TRAIN")
  for (name in names(values)) hook$save(name, values[[name]], "mine")
  hook$save("single", pi, "mine", single = TRUE)
  hook$save("bytes", as.raw(0:3), "mine")
  hook$save("missing", c(1L, NA), "mine")
  hook$save_scalar("rate", 0.5)
  hook$close()
  trial <- read_trial(folder)
  for (name in names(values)) expect_equal(trial$tensor(name), values[[name]], info = name)
  expect_equal(trial$tensor("single"), pi, tolerance = 1e-6)
  expect_identical(trial$tensor("bytes"), 0:3)
  expect_identical(is.na(trial$tensor("missing")), c(FALSE, TRUE))
  expect_identical(trial$scalars("^scalar/")$value, 0.5)
})

test_that("a run is read while it is written", {
  folder <- tempfile("run")
  hook <- record_line(folder, 3, close = FALSE)
  hook$flush()
  trial <- read_trial(folder)
  before <- length(trial$steps())
  expect_false(trial$is_over())
  hook$begin_step("TRAIN")
  hook$save("Loss_output_0", 9)
  hook$close()
  trial$refresh()
  expect_identical(length(trial$steps()), before + 2L)
  expect_equal(trial$tensor("Loss_output_0"), 9)
  expect_true(trial$is_over())
})

test_that("saved statistics stand in for values", {
  folder <- tempfile("run")
  hook <- warden_hook(folder, list(collection_config("weights", reductions = "mean,abs_max",
                                                     save_interval = 1)))
  hook$begin_step("TRAIN")
  hook$save("a.weight", c(-4, 1))
  hook$close()
  trial <- read_trial(folder)
  expect_identical(trial$tensor_names(), "a.weight")
  expect_equal(trial$statistics("a", statistic = "abs_max")$value, 4)
  expect_error(trial$tensor("a.weight"), "the values of tensor 'a.weight' were not saved")
})

test_that("questions that a run cannot answer name what is wrong", {
  folder <- tempfile("run")
  record_line(folder, 3)
  trial <- read_trial(folder)
  expect_error(trial$tensor("fc1.weigh"), "unknown tensor 'fc1.weigh'; similar: fc1.weight")
  expect_error(trial$tensor("fc1.weight", 99), "step is 99; expected a step at which")
  expect_error(trial$tensor("fc1.weight", worker = "x"), "worker is 'x'; expected one of: worker_0")
  expect_error(trial$losses("train"), "mode is 'train'; expected one of: TRAIN")
  expect_error(trial$tensor_names(collection = "x"), "collection is 'x'; expected one of:")
  expect_error(trial$statistics(statistic = "median"), "statistic is 'median'; expected one of:")
  expect_error(trial$distribution("x"), "the values of tensor 'x' were not saved")
  empty <- tempfile()
  dir.create(empty)
  expect_error(read_trial(empty), "is not a run")
})

test_that("damaged records are errors, not crashes", {
  folder <- tempfile("run")
  record_line(folder, 1)
  file <- list.files(folder, "tfevents$", recursive = TRUE, full.names = TRUE)[1]
  bytes <- readBin(file, "raw", file.size(file))
  parse <- function(bytes) .Call(sagemaker.debugger:::wr_parse_record, bytes)
  expect_silent(parse(bytes))
  set.seed(1)
  results <- lapply(1:2000, function(i) {
    damaged <- bytes
    at <- sample(length(bytes), sample(4, 1))
    damaged[at] <- as.raw(sample(0:255, length(at), replace = TRUE))
    if (i %% 3 == 0) damaged <- utils::head(damaged, sample(length(bytes), 1))
    tryCatch(parse(damaged), error = function(problem) list("error"))
  })
  expect_true(all(vapply(results, is.list, NA)))
  expect_error(parse(raw(3)), "damaged record: it is too short")
  expect_error(parse("x"), "not a raw vector")
})

test_that("index files that are damaged or point elsewhere are skipped", {
  folder <- tempfile("run")
  record_line(folder, 3)
  files <- list.files(file.path(folder, "index"), recursive = TRUE, full.names = TRUE)
  writeLines("{", files[1])
  writeLines(sub("events/", "../events/", readLines(files[2], warn = FALSE)), files[2])
  warnings <- capture_warnings(trial <- read_trial(folder))
  expect_match(warnings[1], "skipped index/.*json")
  expect_match(warnings[2], "event_file_name is '../events.*expected a path inside the run")
  expect_identical(trial$steps(), 2)
})

test_that("a hook warns and the training continues", {
  folder <- tempfile("run")
  record_line(folder, 1)
  expect_warning(hook <- warden_hook(folder),
                 "Capture disabled: .*finished run.*Training continues")
  expect_silent(hook$begin_step("TRAIN")$save("Loss_output_0", 1)$close())
  expect_false(hook$active())

  hook <- warden_hook(tempfile())
  expect_silent(hook$begin_step("TRAIN"))
  expect_warning(hook$save("x", list(1)), "'x' is not saved: expected numbers or texts, got list")
  expect_identical(hook$step(), 0)
  expect_true(hook$wants("Loss_output_0"))
  expect_false(hook$wants("fc.weight"))
  expect_identical(hook$span("Work", "sum", 1 + 1), 2)
  hook$close()
  expect_warning(hook$begin_step(), "closed")
  expect_silent(hook$begin_step())
})

test_that("wrong arguments of a hook name what is wrong", {
  expect_error(warden_hook(tempfile(), save_intervall = 1), "unknown key 'save_intervall'")
  expect_error(warden_hook(tempfile(), framework = "x"), "framework is 'x'; expected one of: plain")
  expect_error(warden_hook(save_interval = 1), "out_dir is NULL; expected a folder")
  expect_error(warden_hook(tempfile(), list(3)), "include_collections is 3; expected")
  expect_error(warden_hook(tempfile(), last_step = -1), "last_step is -1")
  hook <- warden_hook(tempfile())
  expect_error(hook$begin_step("train"), "mode is 'train'; expected one of: TRAIN")
  expect_error(hook$save_scalar("x", "y"), "value is 'y'; expected a number")
  expect_error(hook$save(3, 1), "name is 3; expected a text")
})

test_that("pictures are drawn with ggplot2 and without", {
  folder <- tempfile("run")
  record_line(folder)
  trial <- read_trial(folder)
  draw <- function(...) {
    file <- tempfile(fileext = ".pdf")
    grDevices::pdf(file)
    on.exit(grDevices::dev.off())
    expect_invisible(plot(trial, ...))
  }
  for (engine in c("base", if (requireNamespace("ggplot2", quietly = TRUE)) "ggplot2")) {
    draw(engine = engine)
    draw("loss", mode = "EVAL", engine = engine)
    draw("distribution", name = "fc1.weight", engine = engine)
    draw("heatmap", engine = engine)
    draw("heatmap", collection = "weights", statistic = "mean", engine = engine)
  }
  expect_error(plot(trial, "x"), "what is 'x'; expected one of: loss")
  expect_error(plot(trial, engine = "x"), "engine is 'x'; expected one of: auto")
  expect_error(plot(trial, mode = "PREDICT"), "has no data for what = 'loss'")
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    picture <- ggplot2::autoplot(trial)
    expect_s3_class(picture, "ggplot")
    range <- ggplot2::layer_scales(picture)$y$range$range
    expect_identical(range[1], 0)
  }
})
