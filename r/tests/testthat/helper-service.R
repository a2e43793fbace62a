# `warden serve` on a free port with its own data folder and home. $WARDEN is the program.
start_service <- function() {
  skip_on_cran()
  program <- Sys.getenv("WARDEN")
  skip_if(!nzchar(program) || !file.exists(program), "WARDEN is not set")
  skip_if_not_installed("processx")
  folder <- tempfile("service")
  home <- file.path(folder, "home")
  dir.create(home, recursive = TRUE)
  arguments <- c("serve", "--data", file.path(folder, "data"), "--listen", "127.0.0.1:0", "--json",
                 "--stop-grace", "2")
  python <- Sys.getenv("WARDEN_JOB_PYTHON")
  if (nzchar(python)) arguments <- c(arguments, "--python", python)
  process <- processx::process$new(
    program, arguments, stdout = "|", stderr = file.path(folder, "serve.log"),
    env = c("current", HOME = home, XDG_CONFIG_HOME = "", XDG_DATA_HOME = "")
  )
  line <- character()
  deadline <- Sys.time() + 60
  while (length(line) == 0 && process$is_alive() && Sys.time() < deadline) {
    process$poll_io(1000)
    line <- process$read_output_lines(1)
  }
  if (length(line) == 0) stop(paste(readLines(file.path(folder, "serve.log")), collapse = "\n"))
  list(
    process = process, data = file.path(folder, "data"), home = home,
    endpoint = jsonlite::fromJSON(line)$endpoint
  )
}

stop_service <- function(service) {
  service$process$signal(15L)
  service$process$wait(30000)
  service$process$kill()
}

# Variables that point at the service; those of the environment are put back by the caller's exit.
local_variables <- function(..., frame = parent.frame()) {
  given <- c(...)
  before <- Sys.getenv(names(given), NA, names = TRUE)
  do.call(Sys.setenv, as.list(given))
  restore <- function() {
    Sys.unsetenv(names(given))
    kept <- as.list(before[!is.na(before)])
    if (length(kept)) do.call(Sys.setenv, kept)
  }
  do.call("on.exit", list(as.call(list(restore)), add = TRUE), envir = frame)
}

example_script <- function() {
  system.file("examples", "train_spiral.R", package = "sagemaker.debugger", mustWork = TRUE)
}
