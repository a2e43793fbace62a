#include "warden/s3/delete.h"

#include <fmt/format.h>

#include <vector>

#include "warden/net/xml.h"
#include "warden/s3/documents.h"
#include "warden/s3/object_files.h"

namespace warden::s3 {
namespace {

constexpr size_t kMaxDeletedKeys = 1000;

// The keys that a document names. kInvalid.
Result<std::vector<std::string>> KeysOf(const net::XmlElement& root) {
  if (root.name != "Delete") return Status(Code::kInvalid, "expected <Delete>");
  std::vector<std::string> keys;
  for (const net::XmlElement& element : root.children) {
    if (element.name != "Object") continue;
    if (element.Text("Key").empty()) return Status(Code::kInvalid, "an <Object> has no <Key>");
    keys.emplace_back(element.Text("Key"));
  }
  if (keys.empty() || keys.size() > kMaxDeletedKeys) {
    return Status(Code::kInvalid,
                  fmt::format("got {} keys; expected 1 to {}", keys.size(), kMaxDeletedKeys));
  }
  return keys;
}

}  // namespace

http::Response DeleteObject(const S3Request& request) {
  const Status removed = FilesOf(request).Remove(request.bucket, request.key);
  if (!removed.ok()) return ErrorResponse(FromStatus(removed), request.head);
  http::Response response;
  response.status = 204;
  return response;
}

http::Response DeleteObjects(const S3Request& request, const std::string& body) {
  const Result<net::XmlElement> root = net::ParseXml(body);
  if (!root.ok()) return ErrorResponse(MalformedXml(root.status()), request.head);
  const Result<std::vector<std::string>> keys = KeysOf(root.value());
  if (!keys.ok()) return ErrorResponse(MalformedXml(keys.status()), request.head);
  const bool quiet = root.value().Text("Quiet") == "true";
  const ObjectFiles files = FilesOf(request);
  net::XmlWriter xml;
  xml.Open("DeleteResult", kS3Namespace);
  for (const std::string& key : keys.value()) {
    const Status removed = files.Remove(request.bucket, key);
    if (!removed.ok()) {
      const S3Error error = FromStatus(removed);
      xml.Open("Error")
          .Leaf("Key", key)
          .Leaf("Code", error.code)
          .Leaf("Message", error.message)
          .Close("Error");
    } else if (!quiet) {
      xml.Open("Deleted").Leaf("Key", key).Close("Deleted");
    }
  }
  xml.Close("DeleteResult");
  return XmlResponse(xml.text());
}

}  // namespace warden::s3
