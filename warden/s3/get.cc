#include "warden/s3/get.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/base/strings.h"
#include "warden/base/time.h"
#include "warden/s3/object_files.h"
#include "warden/s3/page_policy.h"

namespace warden::s3 {
namespace {

constexpr std::string_view kDefaultType = "binary/octet-stream";

// Whether a list of ETags, as in If-Match, has this one.
bool Names(std::string_view list, const std::string& etag) {
  for (std::string_view item : SplitTrimmed(list, ',')) {
    if (item == "*") return true;
    if (item.starts_with("W/")) item.remove_prefix(2);
    if (item.size() >= 2 && item.starts_with('"') && item.ends_with('"')) {
      item = item.substr(1, item.size() - 2);
    }
    if (item == etag) return true;
  }
  return false;
}

// The status of the answer that the conditions of the request ask for; 200: give it.
int CheckConditions(const http::RequestHead& head, const StoredObject& object) {
  using std::chrono::floor;
  using std::chrono::seconds;
  const std::string_view match = head.Header("if-match");
  const std::string_view none_match = head.Header("if-none-match");
  const std::optional<Time> unmodified = ParseHttpDate(head.Header("if-unmodified-since"));
  const std::optional<Time> modified = ParseHttpDate(head.Header("if-modified-since"));
  const auto changed = floor<seconds>(object.modified);
  if (!match.empty()) {
    if (!Names(match, object.meta.etag)) return 412;
  } else if (unmodified && changed > *unmodified) {
    return 412;
  }
  if (!none_match.empty()) return Names(none_match, object.meta.etag) ? 304 : 200;
  return modified && changed <= *modified ? 304 : 200;
}

bool HasHeader(const http::Headers& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(),
                     [&](const auto& header) { return header.first == name; });
}

// What presigned addresses ask to be sent in place of what is kept.
void Override(const S3Request& request, http::Headers* headers) {
  for (const std::string_view name : {"content-type", "content-language", "expires",
                                      "cache-control", "content-disposition", "content-encoding"}) {
    const std::string_view value = request.Parameter(fmt::format("response-{}", name));
    if (value.empty()) continue;
    std::erase_if(*headers, [&](const auto& header) { return header.first == name; });
    headers->emplace_back(name, value);
  }
}

http::Headers HeadersOf(const S3Request& request, const StoredObject& object, bool whole) {
  http::Headers headers;
  const bool sums = whole && LowerAscii(request.head.Header("x-amz-checksum-mode")) == "enabled";
  for (const auto& header : object.meta.headers) {
    if (sums || !header.first.starts_with("x-amz-checksum-")) headers.push_back(header);
  }
  if (!HasHeader(headers, "content-type")) headers.emplace_back("content-type", kDefaultType);
  Override(request, &headers);
  AddPagePolicy(&headers);
  headers.emplace_back("ETag", "\"" + object.meta.etag + "\"");
  headers.emplace_back("Last-Modified", HttpDate(object.modified));
  headers.emplace_back("Accept-Ranges", "bytes");
  return headers;
}

http::Response Unmet(const S3Request& request, int status, const StoredObject& object) {
  if (status == 304) {
    http::Response response;
    response.status = 304;
    response.headers.emplace_back("ETag", "\"" + object.meta.etag + "\"");
    response.headers.emplace_back("Last-Modified", HttpDate(object.modified));
    return response;
  }
  return ErrorResponse(
      {412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold"},
      request.head);
}

}  // namespace

std::optional<ByteRange> ParseRange(std::string_view header, uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!header.starts_with(kUnit)) return std::nullopt;
  header.remove_prefix(kUnit.size());
  const size_t dash = header.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view first_text = header.substr(0, dash);
  const std::string_view last_text = header.substr(dash + 1);
  const std::optional<int64_t> first = ParseInt(first_text);
  const std::optional<int64_t> last = ParseInt(last_text);
  if ((!first && !first_text.empty()) || (!last && !last_text.empty())) return std::nullopt;
  if ((!first && !last) || first.value_or(0) < 0 || last.value_or(0) < 0) return std::nullopt;
  if (!first) {
    const uint64_t length = std::min(static_cast<uint64_t>(*last), size);
    return ByteRange{size - length, length};
  }
  const uint64_t offset = static_cast<uint64_t>(*first);
  if (last && *last < *first) return std::nullopt;
  if (offset >= size) return ByteRange{offset, 0};
  const uint64_t end = last ? std::min(static_cast<uint64_t>(*last), size - 1) : size - 1;
  return ByteRange{offset, end - offset + 1};
}

http::Response GetObject(const S3Request& request) {
  const ObjectFiles files(service::DataLayout(request.options->data).Objects());
  const Result<StoredObject> found = files.Open(request.bucket, request.key);
  if (!found.ok()) return ErrorResponse(FromStatus(found.status()), request.head);
  const StoredObject& object = found.value();
  const int status = CheckConditions(request.head, object);
  if (status != 200) return Unmet(request, status, object);
  const std::optional<ByteRange> range = ParseRange(request.head.Header("range"), object.size);
  if (range && range->length == 0) {
    return ErrorResponse({416, "InvalidRange", "The requested range is not satisfiable"},
                         request.head);
  }
  http::Response response;
  response.headers = HeadersOf(request, object, !range);
  const ByteRange sent = range.value_or(ByteRange{0, object.size});
  if (range) {
    response.status = 206;
    response.headers.emplace_back(
        "Content-Range",
        fmt::format("bytes {}-{}/{}", sent.offset, sent.offset + sent.length - 1, object.size));
  }
  if (request.head.method == "HEAD") {
    response.told_length = sent.length;
  } else if (sent.length > 0) {
    // The very file that was looked at, whatever its name leads to by now.
    response.file = http::FileBody{fmt::format("/proc/self/fd/{}", object.file->get()), sent.offset,
                                   sent.length, object.file};
  }
  return response;
}

}  // namespace warden::s3
