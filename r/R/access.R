# Requests to a service: where it is, who asks, and how requests are signed.

# A condition of class warden_error with the API's code and the HTTP status.
service_error <- function(code, message, status = 0L) {
  structure(
    class = c("warden_error", "error", "condition"),
    list(message = paste0(code, ": ", message), call = NULL, code = code, status = status)
  )
}

environment_value <- function(...) {
  for (name in c(...)) {
    value <- Sys.getenv(name)
    if (nzchar(value)) return(value)
  }
  NULL
}

# The file in which the service of this user announces itself; an empty list if there is none.
read_notice <- function() {
  config <- environment_value("XDG_CONFIG_HOME") %||% path.expand("~/.config")
  path <- file.path(config, "tensorwarden", "service.json")
  if (!file.exists(path)) return(list())
  tryCatch(jsonlite::read_json(path), error = function(problem) list())
}

read_token <- function(path) {
  if (!file.exists(path)) {
    stop(service_error("NoToken", sprintf("cannot open %s: no such file", path)))
  }
  if (bitwAnd(as.integer(file.mode(path)), strtoi("077", 8)) != 0) {
    message <- sprintf("%s is readable by other users; run chmod 600 on it", path)
    stop(service_error("NoToken", message))
  }
  trimws(readLines(path, n = 1, warn = FALSE))
}

# Keys of AWS from the environment, else from a profile of the credentials file; NULL if there are
# none.
find_keys <- function(profile = NULL) {
  if (is.null(profile)) {
    id <- environment_value("AWS_ACCESS_KEY_ID")
    secret <- environment_value("AWS_SECRET_ACCESS_KEY")
    if (!is.null(id) && !is.null(secret)) {
      return(list(id = id, secret = secret, token = environment_value("AWS_SESSION_TOKEN")))
    }
  }
  path <- path.expand(environment_value("AWS_SHARED_CREDENTIALS_FILE") %||% "~/.aws/credentials")
  wanted <- profile %||% environment_value("AWS_PROFILE", "AWS_DEFAULT_PROFILE") %||% "default"
  found <- if (file.exists(path)) read_profile(path, wanted)
  if (is.null(found) && !is.null(profile)) {
    stop_bad_value("profile", profile, paste("a profile with keys in", path))
  }
  found
}

read_profile <- function(path, profile) {
  lines <- trimws(readLines(path, warn = FALSE))
  section <- ""
  values <- list()
  for (line in lines) {
    if (grepl("^\\[.*\\]$", line)) {
      section <- trimws(substr(line, 2, nchar(line) - 1))
    } else if (section == profile && grepl("^[^#;=]+=", line)) {
      key <- trimws(sub("=.*", "", line))
      values[[key]] <- trimws(sub("^[^=]*=", "", line))
    }
  }
  if (is.null(values$aws_access_key_id) || is.null(values$aws_secret_access_key)) return(NULL)
  list(
    id = values$aws_access_key_id, secret = values$aws_secret_access_key,
    token = values$aws_session_token
  )
}

# Percent-encodes everything except unreserved characters, as signatures require.
percent_encode <- function(text, keep = "") {
  encode <- function(one) {
    bytes <- charToRaw(enc2utf8(one))
    plain <- grepl(paste0("[A-Za-z0-9._~", keep, "-]"), strsplit(rawToChar(bytes), "",
                                                                 useBytes = TRUE)[[1]],
                   useBytes = TRUE)
    characters <- sprintf("%%%02X", as.integer(bytes))
    characters[plain] <- rawToChar(bytes[plain], multiple = TRUE)
    paste(characters, collapse = "")
  }
  vapply(text, function(one) if (nzchar(one)) encode(one) else "", "", USE.NAMES = FALSE)
}

# The headers of a request with a signature of AWS, version 4.
signed_headers <- function(method, host, path, query, headers, body, keys, region, service,
                           now = Sys.time()) {
  stamp <- format(now, "%Y%m%dT%H%M%SZ", tz = "UTC")
  day <- substr(stamp, 1, 8)
  digest <- as.character(openssl::sha256(body))
  headers <- c(headers, Host = host, "X-Amz-Date" = stamp, "X-Amz-Content-Sha256" = digest)
  if (!is.null(keys$token)) headers <- c(headers, "X-Amz-Security-Token" = keys$token)
  order <- order(tolower(names(headers)), method = "radix")
  names_sent <- tolower(names(headers))[order]
  lines <- paste0(names_sent, ":", trimws(headers[order]), "\n", collapse = "")
  list_of_names <- paste(names_sent, collapse = ";")
  # Outside of S3, the path is encoded once more.
  signed_path <- if (service == "s3") path else percent_encode(path, keep = "/")
  request <- paste(method, signed_path, canonical_query(query), lines, list_of_names, digest,
                   sep = "\n")
  scope <- paste(day, region, service, "aws4_request", sep = "/")
  text <- paste("AWS4-HMAC-SHA256", stamp, scope,
                as.character(openssl::sha256(charToRaw(enc2utf8(request)))), sep = "\n")
  key <- charToRaw(paste0("AWS4", keys$secret))
  for (part in c(day, region, service, "aws4_request", text)) {
    key <- unclass(openssl::sha256(charToRaw(part), key = key))
    attributes(key) <- NULL
  }
  signature <- paste(format(as.hexmode(as.integer(key)), width = 2), collapse = "")
  authorization <- sprintf("AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s",
                           keys$id, scope, list_of_names, signature)
  c(headers, Authorization = authorization)
}

canonical_query <- function(query) {
  if (length(query) == 0) return("")
  pairs <- paste0(percent_encode(names(query)), "=", percent_encode(unlist(query)))
  paste(sort(pairs, method = "radix"), collapse = "&")
}

# Sends requests to one service. The secrets stay inside.
Access <- R6::R6Class("Access",
  cloneable = FALSE,
  public = list(
    endpoint = NULL,

    initialize = function(endpoint = NULL, token = NULL, profile = NULL, region = NULL) {
      notice <- read_notice()
      where <- endpoint %||%
        environment_value("WARDEN_ENDPOINT", "AWS_ENDPOINT_URL_SAGEMAKER", "AWS_ENDPOINT_URL") %||%
        notice$endpoint
      if (is.null(where)) {
        stop(service_error("NoService", paste(
          "no service found; start one with 'warden serve', or pass endpoint and token",
          "($WARDEN_ENDPOINT, $WARDEN_TOKEN_FILE)"
        )))
      }
      if (!is_text(where) || !grepl("^https?://[^/]+/?$", where)) {
        stop_bad_value("endpoint", where, "http://HOST:PORT or https://HOST:PORT")
      }
      check_text("token", token, optional = TRUE)
      check_text("profile", profile, optional = TRUE)
      check_text("region", region, optional = TRUE)
      self$endpoint <- sub("/$", "", where)
      # The token of one service must not be sent to another.
      noticed <- identical(sub("/$", "", notice$endpoint %||% ""), self$endpoint)
      private$certificate <- environment_value("WARDEN_CA_FILE") %||%
        (if (noticed && nzchar(notice$certificate %||% "")) notice$certificate)
      private$region <- region %||%
        environment_value("AWS_REGION", "AWS_DEFAULT_REGION") %||% "us-east-1"
      file <- environment_value("WARDEN_TOKEN_FILE") %||% (if (noticed) notice$token_file)
      private$data <- if (!is.null(file)) dirname(file)
      if (!is.null(token)) {
        private$token <- token
      } else if (!is.null(profile) || is.null(file)) {
        private$keys <- find_keys(profile)
      } else {
        private$token <- read_token(file)
      }
      if (is.null(private$token) && is.null(private$keys)) {
        stop(service_error("NoToken", paste(
          "no token and no keys found; pass token or profile, or set $WARDEN_TOKEN_FILE or",
          "$AWS_SHARED_CREDENTIALS_FILE"
        )))
      }
    },

    # The folder of the service's objects; NULL if the service is not on this machine.
    objects = function() {
      folder <- if (!is.null(private$data)) file.path(private$data, "s3")
      if (!is.null(folder) && dir.exists(folder)) folder
    },

    # Sends a request and returns the body as raw bytes. Fails with a warden_error.
    send = function(method, path, query = list(), body = raw(), headers = character(),
                    service = "sagemaker", file = NULL) {
      url <- paste0(self$endpoint, path)
      if (length(query)) url <- paste0(url, "?", canonical_query(query))
      if (is.null(private$token)) {
        host <- sub("^https?://", "", self$endpoint)
        headers <- signed_headers(method, host, path, query, headers, body, private$keys,
                                  private$region, service)
      } else {
        headers <- c(headers, Authorization = paste("Bearer", private$token))
      }
      handle <- private$handle(method, headers, body)
      answer <- tryCatch(
        if (is.null(file)) curl::curl_fetch_memory(url, handle) else {
          curl::curl_fetch_disk(url, file, handle)
        },
        error = function(problem) {
          stop(service_error("NoService", sprintf("cannot connect to the service at %s: %s",
                                                  self$endpoint, conditionMessage(problem))))
        }
      )
      if (answer$status_code >= 300) {
        content <- if (is.null(file)) answer$content else readBin(file, "raw", 65536L)
        stop(private$error_of(answer$status_code, content))
      }
      answer$content
    },

    # Calls an operation by its X-Amz-Target.
    call = function(target, request) {
      # An empty list is an object, not an array.
      if (length(request) == 0) request <- stats::setNames(list(), character())
      body <- jsonlite::toJSON(request, auto_unbox = TRUE, null = "null", digits = NA)
      headers <- c("Content-Type" = "application/x-amz-json-1.1", "X-Amz-Target" = target)
      service <- if (startsWith(target, "Logs_")) "logs" else "sagemaker"
      answer <- self$send("POST", "/", body = charToRaw(enc2utf8(as.character(body))),
                          headers = headers, service = service)
      json_of(answer)
    },

    # Asks the dashboard's API.
    dashboard = function(...) {
      path <- paste(percent_encode(c(...)), collapse = "/")
      json_of(self$send("GET", paste0("/-/api/", path)))
    }
  ),
  private = list(
    # The folder of the token: the service's data, if it is on this machine.
    data = NULL,
    token = NULL,
    keys = NULL,
    region = NULL,
    certificate = NULL,

    handle = function(method, headers, body) {
      handle <- curl::new_handle()
      curl::handle_setopt(handle, customrequest = method, connecttimeout = 10,
                          low_speed_time = 60, low_speed_limit = 1, followlocation = FALSE)
      # A proxy could read the token.
      if (startsWith(self$endpoint, "http:")) curl::handle_setopt(handle, noproxy = "*")
      if (!is.null(private$certificate)) {
        curl::handle_setopt(handle, cainfo = private$certificate)
      }
      if (method %in% c("PUT", "POST")) {
        curl::handle_setopt(handle, post = TRUE, postfieldsize = length(body),
                            postfields = body)
        # libcurl waits for an answer to it otherwise.
        headers <- c(headers, Expect = "")
      }
      if (method == "HEAD") curl::handle_setopt(handle, nobody = TRUE)
      curl::handle_setheaders(handle, .list = as.list(headers))
      handle
    },

    error_of = function(status, content) {
      text <- rawToChar(content[content != 0])
      told <- tryCatch(jsonlite::parse_json(text), error = function(problem) NULL)
      if (is.list(told) && !is.null(told[["message"]])) {
        code <- sub(".*#", "", told[["__type"]] %||% paste("HTTP", status))
        return(service_error(code, told[["message"]], status))
      }
      # Errors of S3 are XML.
      found <- regmatches(text, regexec("<Code>(.*?)</Code>.*?<Message>(.*?)</Message>", text))[[1]]
      if (length(found) == 3) return(service_error(found[2], found[3], status))
      service_error(paste("HTTP", status), substr(text, 1, 500), status)
    }
  )
)

# fromJSON() of jsonlite would open a text that looks like a file or an address.
json_of <- function(bytes, simplify = FALSE) {
  if (length(bytes) == 0) return(list())
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  jsonlite::parse_json(text, simplifyVector = simplify)
}
