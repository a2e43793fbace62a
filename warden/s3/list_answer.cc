#include "warden/s3/list_answer.h"

#include <algorithm>
#include <variant>

#include "warden/base/strings.h"
#include "warden/base/text/uri.h"
#include "warden/base/time.h"
#include "warden/net/digest.h"
#include "warden/net/xml.h"
#include "warden/s3/documents.h"
#include "warden/s3/list.h"
#include "warden/s3/object_files.h"

namespace warden::s3 {
namespace {

constexpr size_t kMaxListedKeys = 1000;
constexpr std::string_view kDigits = "0123456789abcdef";

// Where to go on: behind a key, or behind all keys that begin so. In digits, so that nobody has to
// think about what may stand in a query.
std::string TokenOf(const Listing& listing) {
  return (listing.last_is_prefix ? "p" : "k") + net::Hex(listing.last);
}

bool ReadToken(std::string_view token, ListOptions* options) {
  if (token.size() % 2 != 1 || (token[0] != 'p' && token[0] != 'k')) return false;
  std::string key;
  for (size_t i = 1; i < token.size(); i += 2) {
    const size_t high = kDigits.find(token[i]);
    const size_t low = kDigits.find(token[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return false;
    key += static_cast<char>(high * 16 + low);
  }
  if (token[0] == 'p') options->skip = key;
  options->after = std::move(key);
  return true;
}

// A marker of the older listing is a key, or one of the common prefixes of the page before.
void ReadMarker(std::string_view marker, ListOptions* options) {
  options->after = marker;
  const std::string& delimiter = options->delimiter;
  if (delimiter.empty() || !marker.starts_with(options->prefix)) return;
  const size_t at = marker.find(delimiter, options->prefix.size());
  if (at != std::string_view::npos && at + delimiter.size() == marker.size()) {
    options->skip = marker;
  }
}

std::variant<ListOptions, S3Error> ReadOptions(const S3Request& request, bool second) {
  ListOptions options;
  options.prefix = request.Parameter("prefix");
  options.delimiter = request.Parameter("delimiter");
  if (const std::string_view limit = request.Parameter("max-keys"); !limit.empty()) {
    const std::optional<int64_t> keys = ParseInt(limit);
    if (!keys || *keys < 0) {
      return InvalidArgument("Argument max-keys must be an integer between 0 and 2147483647");
    }
    options.limit = std::min<uint64_t>(static_cast<uint64_t>(*keys), kMaxListedKeys);
  }
  const std::string_view encoding = request.Parameter("encoding-type");
  if (!encoding.empty() && encoding != "url") {
    return InvalidArgument("Invalid Encoding Method specified in Request");
  }
  if (!second) {
    ReadMarker(request.Parameter("marker"), &options);
  } else if (request.Asks("continuation-token")) {
    if (!ReadToken(request.Parameter("continuation-token"), &options)) {
      return InvalidArgument("The continuation token provided is incorrect");
    }
  } else {
    options.after = request.Parameter("start-after");
  }
  return options;
}

class ListDocument {
 public:
  ListDocument(const S3Request& request, bool second)
      : request_(request), second_(second), encode_(request.Asks("encoding-type")) {}

  std::string Write(const ListOptions& options, const Listing& listing) {
    xml_.Open("ListBucketResult", kS3Namespace);
    xml_.Leaf("Name", request_.bucket);
    Key("Prefix", options.prefix);
    if (!options.delimiter.empty()) Key("Delimiter", options.delimiter);
    xml_.Leaf("MaxKeys", std::to_string(options.limit));
    if (encode_) xml_.Leaf("EncodingType", "url");
    xml_.Leaf("IsTruncated", listing.truncated ? "true" : "false");
    Continuation(listing);
    for (const ListedObject& object : listing.objects) Object(object);
    for (const std::string& prefix : listing.prefixes) {
      xml_.Open("CommonPrefixes");
      Key("Prefix", prefix);
      xml_.Close("CommonPrefixes");
    }
    xml_.Close("ListBucketResult");
    return xml_.text();
  }

 private:
  void Key(std::string_view name, std::string_view key) {
    xml_.Leaf(name, encode_ ? UriEncode(key, /*also_slash=*/false) : std::string(key));
  }

  void Continuation(const Listing& listing) {
    if (!second_) {
      Key("Marker", request_.Parameter("marker"));
      if (listing.truncated) Key("NextMarker", listing.last);
      return;
    }
    xml_.Leaf("KeyCount", std::to_string(listing.objects.size() + listing.prefixes.size()));
    if (request_.Asks("start-after")) Key("StartAfter", request_.Parameter("start-after"));
    if (request_.Asks("continuation-token")) {
      xml_.Leaf("ContinuationToken", request_.Parameter("continuation-token"));
    }
    if (listing.truncated) xml_.Leaf("NextContinuationToken", TokenOf(listing));
  }

  void Object(const ListedObject& object) {
    xml_.Open("Contents");
    Key("Key", object.key);
    xml_.Leaf("LastModified", IsoTime(object.modified))
        .Leaf("ETag", "\"" + object.etag + "\"")
        .Leaf("Size", std::to_string(object.size))
        .Leaf("StorageClass", "STANDARD");
    if (!second_ || request_.Parameter("fetch-owner") == "true")
      WriteOwner(request_, "Owner", &xml_);
    xml_.Close("Contents");
  }

  const S3Request& request_;
  const bool second_;
  const bool encode_;
  net::XmlWriter xml_;
};

}  // namespace

http::Response AnswerList(const S3Request& request) {
  const std::string_view version = request.Parameter("list-type");
  if (!version.empty() && version != "2") {
    return ErrorResponse(InvalidArgument("list-type must be 2"), request.head);
  }
  const std::variant<ListOptions, S3Error> options = ReadOptions(request, !version.empty());
  if (const auto* error = std::get_if<S3Error>(&options))
    return ErrorResponse(*error, request.head);
  const ObjectFiles files(service::DataLayout(request.options->data).Objects());
  const Result<os::UniqueFd> bucket = files.OpenBucket(request.bucket);
  if (!bucket.ok()) return ErrorResponse(NoSuchBucket(), request.head);
  const ListOptions& wanted = *std::get_if<ListOptions>(&options);
  const Result<Listing> listing = ListObjects(bucket.value().get(), wanted);
  if (!listing.ok()) return ErrorResponse(FromStatus(listing.status()), request.head);
  return XmlResponse(ListDocument(request, !version.empty()).Write(wanted, listing.value()));
}

}  // namespace warden::s3
