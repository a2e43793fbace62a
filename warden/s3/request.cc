#include "warden/s3/request.h"

#include <utility>

#include "warden/s3/object_files.h"
#include "warden/s3/object_path.h"

namespace warden::s3 {
namespace {

S3Error InvalidUri() { return {400, "InvalidURI", "Couldn't parse the specified URI."}; }

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
  const std::optional<std::string> path = StrictUriDecode(head.path, false);
  if (!path || !path->starts_with('/')) return InvalidUri();
  const size_t slash = path->find('/', 1);
  request->bucket = path->substr(1, slash == std::string::npos ? slash : slash - 1);
  request->key = slash == std::string::npos ? "" : path->substr(slash + 1);
  std::optional<QueryPairs> query = StrictParseQuery(head.query);
  if (!query) return InvalidUri();
  request->query = std::move(*query);
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

}  // namespace warden::s3
