test_that("the canonical query is sorted and encoded", {
  query <- list(b = "x y", a = "\u00fc/", "a-b" = "")
  expect_identical(sagemaker.debugger:::canonical_query(query), "a-b=&a=%C3%BC%2F&b=x%20y")
})

test_that("names and prefixes of the environment select the service", {
  variables <- c("WARDEN_ENDPOINT", "WARDEN_TOKEN_FILE", "AWS_ENDPOINT_URL",
                 "AWS_ENDPOINT_URL_SAGEMAKER", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
                 "AWS_SHARED_CREDENTIALS_FILE", "AWS_PROFILE", "XDG_CONFIG_HOME")
  before <- Sys.getenv(variables, NA, names = TRUE)
  on.exit({
    Sys.unsetenv(variables)
    kept <- as.list(before[!is.na(before)])
    if (length(kept)) do.call(Sys.setenv, kept)
  })
  Sys.unsetenv(variables)
  folder <- tempfile()
  dir.create(file.path(folder, "tensorwarden"), recursive = TRUE)
  Sys.setenv(XDG_CONFIG_HOME = folder, AWS_SHARED_CREDENTIALS_FILE = file.path(folder, "keys"))
  expect_error(warden_session(), "no service found", class = "warden_error")
  expect_error(warden_session("ftp://x"), "endpoint is 'ftp://x'; expected http://HOST:PORT")
  expect_error(warden_session("http://127.0.0.1:1"), "no token and no keys found",
               class = "warden_error")

  token <- file.path(folder, "token")
  writeLines("secret", token)
  Sys.chmod(token, "644")
  Sys.setenv(WARDEN_TOKEN_FILE = token)
  expect_error(warden_session("http://127.0.0.1:1"), "readable by other users")
  Sys.chmod(token, "600")
  session <- warden_session("http://127.0.0.1:1/")
  expect_identical(session$endpoint(), "http://127.0.0.1:1")
  expect_output(print(session), "<WardenSession: http://127.0.0.1:1>", fixed = TRUE)
  expect_error(session$jobs(), "cannot connect to the service at http://127.0.0.1:1",
               class = "warden_error")

  Sys.unsetenv("WARDEN_TOKEN_FILE")
  writeLines(c("[default]", "aws_access_key_id = A", "[other]", "aws_access_key_id=B # x",
               "aws_secret_access_key = C=D"), file.path(folder, "keys"))
  expect_error(warden_session("http://127.0.0.1:1", profile = "default"),
               "profile is 'default'; expected a profile with keys")
  found <- sagemaker.debugger:::find_keys("other")
  expect_identical(found$secret, "C=D")
})

test_that("locations and names of jobs are checked", {
  expect_error(sagemaker.debugger:::split_uri("x"), "uri is 'x'; expected s3://BUCKET/KEY")
  at <- sagemaker.debugger:::split_uri("s3://b/c/d/")
  expect_identical(at, list(bucket = "b", key = "c/d"))
  name <- sagemaker.debugger:::job_name("a/My train.R", as.POSIXct(0.5, origin = "1970-01-01"))
  expect_identical(name, "My-train-1970-01-01-00-00-00-500")
  expect_error(sagemaker.debugger:::pack_source("missing.R"), "cannot open missing.R: no such file")
  expect_error(sagemaker.debugger:::pack_source("x.R", tempdir()), "script is 'x.R'; expected")
  expect_error(read_trial("missing"), "cannot open missing: no such folder")
  expect_error(read_trial(tempfile(tmpdir = tempdir())), "no such folder")
})
