#include "warden/s3/request.h"

#include <fmt/format.h>

#include "warden/s3/object_files.h"
#include "warden/s3/object_path.h"

namespace warden::s3 {
namespace {

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<S3Error> ReadQuery(std::string_view text, S3Request* request) {
  while (!text.empty()) {
    const size_t end = text.find('&');
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (pair.empty()) continue;
    const size_t equals = pair.find('=');
    const std::optional<std::string> name = PercentDecode(pair.substr(0, equals), true);
    const std::optional<std::string> value = PercentDecode(
        equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
    if (!name || !value) return S3Error{400, "InvalidURI", "Couldn't parse the specified URI."};
    request->query.emplace_back(*name, *value);
  }
  return std::nullopt;
}

}  // namespace

bool S3Request::Asks(std::string_view name) const {
  for (const auto& pair : query) {
    if (pair.first == name) return true;
  }
  return false;
}

std::string_view S3Request::Parameter(std::string_view name) const {
  for (const auto& pair : query) {
    if (pair.first == name) return pair.second;
  }
  return {};
}

ObjectFiles FilesOf(const S3Request& request) {
  return ObjectFiles(service::DataLayout(request.options->data).Objects());
}

std::optional<S3Error> ReadTarget(const http::RequestHead& head, S3Request* request) {
  const std::optional<std::string> path = PercentDecode(head.path, false);
  if (!path || !path->starts_with('/')) {
    return S3Error{400, "InvalidURI", "Couldn't parse the specified URI."};
  }
  const size_t slash = path->find('/', 1);
  request->bucket = path->substr(1, slash == std::string::npos ? slash : slash - 1);
  request->key = slash == std::string::npos ? "" : path->substr(slash + 1);
  if (std::optional<S3Error> error = ReadQuery(head.query, request)) return error;
  if (request->bucket.empty() && request->key.empty()) return std::nullopt;
  if (!IsBucketName(request->bucket)) {
    return S3Error{400, "InvalidBucketName", "The specified bucket is not valid."};
  }
  const Result<std::string> in_bucket = PathInBucket(request->key);
  if (in_bucket.ok()) return std::nullopt;
  // Only its length can be wrong, or its letters.
  const bool too_long = in_bucket.status().message().find("longer") != std::string::npos;
  return S3Error{400, too_long ? "KeyTooLongError" : "InvalidURI", in_bucket.status().message()};
}

std::optional<std::string> PercentDecode(std::string_view text, bool plus_is_blank) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_blank) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = DigitOf(text[i + 1]);
      const int low = DigitOf(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

std::string PercentEncode(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-_.~/").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

}  // namespace warden::s3
