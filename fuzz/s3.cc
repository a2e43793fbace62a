// The input as all that S3's clients send: documents, encoded bodies, keys and headers.

#include <string>

#include "fuzz/check.h"
#include "warden/base/text/uri.h"
#include "warden/base/time.h"
#include "warden/net/xml.h"
#include "warden/s3/aws_chunked.h"
#include "warden/s3/form_data.h"
#include "warden/s3/get.h"
#include "warden/s3/object_path.h"
#include "warden/s3/post_policy.h"
#include "warden/s3/request.h"

namespace warden::fuzz {
namespace {

using namespace s3;

struct Decoded {
  bool ok = false;
  bool done = false;
  std::string text;
  http::Headers trailers;

  bool operator==(const Decoded&) const = default;
};

Decoded Decode(std::string_view body, size_t piece) {
  Decoded decoded;
  AwsChunkedDecoder decoder([&](std::string_view data) {
    decoded.text += data;
    return Status();
  });
  Status status;
  for (size_t at = 0; at < body.size() && status.ok(); at += piece) {
    status = decoder.Take(body.substr(at, piece));
  }
  decoded.ok = status.ok();
  decoded.done = decoder.done();
  decoded.trailers = decoder.trailers();
  return decoded;
}

// However it is cut, it says the same.
void TakeApart(std::string_view body) {
  const Decoded whole = Decode(body, body.size() + 1);
  Check(whole.text.size() <= body.size());
  for (const size_t piece : {1, 3, 64}) {
    const Decoded pieces = Decode(body, piece);
    Check(pieces.ok == whole.ok && (!whole.ok || pieces == whole));
  }
}

// Chunks whose signatures nobody has made are never a complete body.
void TakeForgedChunks(std::string_view body) {
  AwsChunkedDecoder decoder(
      [](std::string_view) { return Status(); },
      SignedChunks{{os::Secret(std::string(32, 'k')), "20130524T000000Z", "scope", "seed"}, true});
  Check(!decoder.Take(body).ok() || !decoder.done());
}

struct Form {
  bool ok = false;
  bool done = false;
  std::string file;
  QueryPairs fields;

  bool operator==(const Form&) const = default;
};

Form TakeForm(std::string_view body, size_t piece) {
  Form form;
  FormDataParser parser(
      "XX", [] { return Status(); },
      [&](std::string_view data) {
        form.file += data;
        return Status();
      });
  Status status;
  for (size_t at = 0; at < body.size() && status.ok(); at += piece) {
    status = parser.Take(body.substr(at, piece));
  }
  form.ok = status.ok();
  form.done = parser.done();
  form.fields = parser.fields();
  return form;
}

void UseAsForm(std::string_view body) {
  const Form whole = TakeForm(body, body.size() + 1);
  Check(whole.file.size() <= body.size());
  for (const size_t piece : {1, 7}) {
    const Form pieces = TakeForm(body, piece);
    Check(!whole.ok || !whole.done || pieces == whole);
  }
  (void)BoundaryOf(body);
  SizeRange range;
  (void)CheckPolicy(body, {{"key", "k"}}, Time(), &range);
}

// A key comes back from its path, which stays in the bucket.
void UseAsKey(std::string_view text) {
  const Result<std::string> path = PathInBucket(text);
  if (path.ok() && !text.empty()) {
    const std::string around = "/" + path.value() + "/";
    Check(KeyOfPath(path.value()) == text);
    Check(around.find("/../") == std::string::npos && around.find("/./") == std::string::npos);
    Check(around.find("//") == std::string::npos);
  }
  if (const std::optional<std::string> key = KeyOfPath(text); key && PathInBucket(*key).ok()) {
    Check(key->empty() || PathInBucket(*key).value() == text);
  }
  Check(StrictUriDecode(UriEncode(text, /*also_slash=*/false), false) == text);
}

void UseAsTarget(std::string_view text) {
  http::RequestHead head;
  const size_t mark = text.find('?');
  head.path = text.substr(0, mark);
  if (mark != std::string_view::npos) head.query = text.substr(mark + 1);
  S3Request request;
  if (!ReadTarget(head, &request) && !request.bucket.empty()) Check(IsBucketName(request.bucket));
}

void UseAsHeader(std::string_view text) {
  if (const std::optional<ByteRange> range = ParseRange(text, 1000); range && range->length > 0) {
    Check(range->offset < 1000 && range->length <= 1000 - range->offset);
  }
  if (const std::optional<Time> time = ParseHttpDate(text))
    Check(ParseHttpDate(HttpDate(*time)) == time);
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = warden::fuzz::Text(data, size);
  warden::fuzz::TakeApart(text);
  warden::fuzz::TakeForgedChunks(text);
  warden::fuzz::UseAsForm(text);
  warden::fuzz::UseAsKey(text);
  warden::fuzz::UseAsTarget(text);
  warden::fuzz::UseAsHeader(text);
  const warden::Result<warden::net::XmlElement> root = warden::net::ParseXml(text);
  if (root.ok()) {
    warden::net::XmlWriter xml;
    xml.Leaf("a", root.value().text);
    const auto again = warden::net::ParseXml(xml.text());
    warden::fuzz::Check(again.ok() && again.value().text == root.value().text);
  }
  return 0;
}
