# Objects of a service's S3: listing, reading, writing.

split_uri <- function(uri) {
  found <- regmatches(uri, regexec("^s3://([^/]+)/(.*)$", paste0(uri, "/")))[[1]]
  if (!is_text(uri) || length(found) != 3) stop_bad_value("uri", uri, "s3://BUCKET/KEY")
  list(bucket = found[2], key = sub("/$", "", found[3]))
}

object_path <- function(bucket, key = "") {
  paste0("/", percent_encode(bucket), if (nzchar(key)) "/", percent_encode(key, keep = "/"))
}

put_object <- function(access, uri, bytes) {
  at <- split_uri(uri)
  tryCatch(
    access$send("HEAD", object_path(at$bucket), service = "s3"),
    warden_error = function(problem) {
      if (problem$status != 404) stop(problem)
      access$send("PUT", object_path(at$bucket), service = "s3")
    }
  )
  access$send("PUT", object_path(at$bucket, at$key), body = bytes, service = "s3",
              headers = c("Content-Type" = "application/octet-stream"))
  invisible(uri)
}

get_object <- function(access, uri, from = NULL, length = NULL) {
  at <- split_uri(uri)
  headers <- character()
  if (!is.null(from)) {
    headers <- c(Range = sprintf("bytes=%.0f-%.0f", from, from + length - 1))
  }
  access$send("GET", object_path(at$bucket, at$key), headers = headers, service = "s3")
}

unescape_xml <- function(text) {
  for (each in list(c("&lt;", "<"), c("&gt;", ">"), c("&quot;", "\""), c("&#39;", "'"),
                    c("&apos;", "'"), c("&amp;", "&"))) {
    text <- gsub(each[1], each[2], text, fixed = TRUE)
  }
  text
}

# The keys of all objects below a prefix, relative to it.
list_objects <- function(access, uri) {
  at <- split_uri(uri)
  prefix <- if (nzchar(at$key)) paste0(at$key, "/") else ""
  found <- character()
  token <- NULL
  repeat {
    query <- list("list-type" = "2", prefix = prefix, "max-keys" = "1000")
    if (!is.null(token)) query[["continuation-token"]] <- token
    text <- rawToChar(access$send("GET", object_path(at$bucket), query = query, service = "s3"))
    Encoding(text) <- "UTF-8"
    keys <- regmatches(text, gregexpr("(?<=<Key>)[^<]*(?=</Key>)", text, perl = TRUE))[[1]]
    found <- c(found, unescape_xml(keys))
    token <- regmatches(text, regexpr(
      "(?<=<NextContinuationToken>)[^<]*(?=</NextContinuationToken>)", text, perl = TRUE))
    if (length(token) == 0) break
    token <- unescape_xml(token)
  }
  substring(found, nchar(prefix) + 1)
}
