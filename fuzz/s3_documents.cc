// The input as what is asked of S3 beyond keys: lists of parts and of keys to remove, parameters of
// listings and the tokens of their pages, headers to keep; and as what programs may write where the
// service keeps such headers: attributes of files, descriptions of uploads.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/memory_folder.h"
#include "warden/base/text/utf8.h"
#include "warden/net/xml.h"
#include "warden/os/posix.h"
#include "warden/s3/delete.h"
#include "warden/s3/list_answer.h"
#include "warden/s3/multipart.h"
#include "warden/s3/multipart_store.h"
#include "warden/s3/object_files.h"
#include "warden/s3/object_meta.h"

namespace warden::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace s3;

constexpr char kAttribute[] = "user.tensorwarden.object";
constexpr char kUpload[] = "0123456789abcdef0123456789abcdef";
const std::vector<std::string> kKeys = {"a!",       "a/b", "a/c/d",   "a/c/e",
                                        "b&<>.txt", "c d", "\xC3\xA9"};

// A service with a bucket that has some objects, and an upload that has begun.
class Service {
 public:
  Service() {
    options_.data = folder_.path();
    Check(Files().MakeBucket("bucket").ok());
    Fill();
    fs::create_directories(upload());
  }

  ObjectFiles Files() const { return ObjectFiles(service::DataLayout(options_.data).Objects()); }
  fs::path upload() const {
    const fs::path uploads = service::DataLayout(options_.data).Uploads();
    return uploads / ("upload-" + std::string(kUpload));
  }
  const fs::path& folder() const { return folder_.path(); }

  // Puts back what is missing.
  void Fill() const {
    for (const std::string& key : kKeys) {
      if (Files().Open("bucket", key).ok()) continue;
      const fs::path file = folder_.path() / "new";
      Write(file, key);
      Check(Files().Place(file, "bucket", key, false).ok());
    }
  }
  S3Request Request(QueryPairs query) const {
    S3Request request;
    request.head.id = "1";
    request.identity = {"AKIA", "123456789012", "us-east-1", 7};
    request.options = &options_;
    request.bucket = "bucket";
    request.key = "a/key";
    request.query = std::move(query);
    return request;
  }

 private:
  MemoryFolder folder_;
  service::ServiceOptions options_;
};

// The document that an answer is. Clients could not read any other.
net::XmlElement Document(const http::Response& response) {
  auto root = net::ParseXml(response.body);
  Check(root.ok());
  return std::move(root).value();
}

net::XmlElement Refused(const http::Response& response) {
  net::XmlElement root = Document(response);
  Check(response.status >= 400 && response.status < 500);
  Check(root.name == "Error" && !root.Text("Code").empty());
  return root;
}

// The answer lists each key of the request, and only these are deleted.
void UseAsKeys(const Service& service, const std::string& text) {
  const http::Response response = DeleteObjects(service.Request({}), text);
  if (response.status != 200) {
    Check(Refused(response).Text("Code") == "MalformedXML");
    return;
  }
  std::set<std::string> named;
  const net::XmlElement wanted = net::ParseXml(text).value();
  for (const net::XmlElement& each : wanted.children) {
    if (each.name == "Object") named.emplace(each.Text("Key"));
  }
  Check(!named.empty());
  const net::XmlElement told = Document(response);
  Check(told.children.size() <= 1000);
  for (const net::XmlElement& each : told.children) {
    Check(each.name == "Deleted" || each.name == "Error");
    // Bytes that are not UTF-8 are replaced in the answer.
    if (IsUtf8(text)) Check(named.contains(std::string(each.Text("Key"))));
  }
  for (const std::string& key : kKeys) {
    Check(service.Files().Open("bucket", key).ok() != named.contains(key));
  }
  service.Fill();
}

// The upload has no parts.
void UseAsParts(const Service& service, const std::string& text) {
  const QueryPairs query = {{"uploadId", kUpload}};
  const net::XmlElement error = Refused(CompleteMultipartUpload(service.Request(query), text));
  const std::string_view code = error.Text("Code");
  Check(code == "MalformedXML" || code == "InvalidPartOrder" || code == "InvalidPart" ||
        code == "NoSuchUpload");
}

// One page after the other has all keys, each once, in their order.
std::vector<std::string> Listed(const Service& service, QueryPairs query,
                                const std::string& token) {
  std::vector<std::string> found;
  query.emplace_back("max-keys", "2");
  for (size_t page = 0;; ++page) {
    Check(page <= kKeys.size());
    const http::Response response = AnswerList(service.Request(query));
    if (response.status != 200) {
      Check(page == 0);
      Refused(response);
      return {};
    }
    const net::XmlElement root = Document(response);
    std::vector<std::string> here;
    for (const net::XmlElement& each : root.children) {
      if (each.name == "Contents") here.emplace_back(each.Text("Key"));
      if (each.name == "CommonPrefixes") here.emplace_back(each.Text("Prefix"));
    }
    Check(here.size() <= 2);
    std::ranges::sort(here);
    found.insert(found.end(), here.begin(), here.end());
    if (root.Text("IsTruncated") != "true") return found;
    const std::string next(root.Text(token == "marker" ? "NextMarker" : "NextContinuationToken"));
    Check(!next.empty() && !here.empty());
    std::erase_if(query, [&](const auto& pair) { return pair.first == token; });
    query.emplace_back(token, next);
  }
}

void UseAsList(const Service& service, const std::string& text) {
  // As the whole query, and as each of its parts. Requests that are not UTF-8 do not come so far.
  const QueryPairs given = ParseQuery(text);
  if (!IsUtf8(text) || !std::ranges::all_of(given, [](const auto& pair) {
        return IsUtf8(pair.first) && IsUtf8(pair.second);
      })) {
    return;
  }
  const http::Response answer = AnswerList(service.Request(given));
  if (answer.status == 200) {
    Check(Document(answer).name == "ListBucketResult");
  } else {
    Refused(answer);
  }
  // A page's end may come anywhere but within these.
  const QueryPairs any = {{"prefix", text}, {"delimiter", "/"}, {"start-after", text}};
  std::vector<std::string> sorted =
      Listed(service, {{"list-type", "2"}, any[0], any[1]}, "continuation-token");
  Check(std::ranges::is_sorted(sorted));
  Check(std::ranges::adjacent_find(sorted) == sorted.end());
  for (const std::string& key : sorted) Check(key.starts_with(text));
  Check(Listed(service, {any[0], any[1]}, "marker") == sorted);
  sorted = Listed(service, {{"list-type", "2"}, {"delimiter", text}, any[2]}, "continuation-token");
  Check(std::ranges::adjacent_find(sorted) == sorted.end());
  Listed(service, {{"list-type", "2"}, {"continuation-token", text}}, "continuation-token");
}

// Headers of a request are kept within limits, and come back from the file.
void UseAsHeaders(const Service& service, std::string_view text) {
  http::RequestHead head;
  for (size_t at = 0; at < text.size() && head.headers.size() < 64;) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const size_t colon = std::min(line.find(':'), line.size());
    head.headers.emplace_back(line.substr(0, colon), line.substr(std::min(colon + 1, line.size())));
    at = end + 1;
  }
  const auto kept = KeptHeaders(head);
  if (!kept.ok()) {
    Check(kept.status().code() == Code::kInvalid);
    return;
  }
  size_t bytes = 0;
  for (const auto& [name, value] : kept.value()) {
    Check(IsUtf8(value));
    bytes += name.size() + value.size();
  }
  Check(bytes <= 3072);
  // The server lets no other names through.
  if (!IsUtf8(text)) return;
  const fs::path file = service.folder() / "kept";
  const os::UniqueFd fd(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  (void)fremovexattr(fd.get(), kAttribute);
  if (!WriteMeta(fd.get(), {"etag", kept.value()}).ok()) return;
  struct stat info;
  Check(fstat(fd.get(), &info) == 0);
  const ObjectMeta meta = ReadMeta(fd.get(), info);
  if (meta.etag.ends_with("-1")) return;  // The system keeps none.
  Check(meta.etag == "etag" && meta.headers.size() <= kept.value().size());
  for (const auto& header : meta.headers) {
    Check(std::ranges::find(kept.value(), header) != kept.value().end());
  }
}

// Whatever a program has written there, an object has an ETag.
void UseAsAttribute(const Service& service, std::string_view text) {
  const fs::path file = service.folder() / "attributed";
  const os::UniqueFd fd(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (fsetxattr(fd.get(), kAttribute, text.data(), text.size(), 0) != 0) return;
  // The seeds are of this size and time.
  struct stat info{};
  info.st_size = 3;
  info.st_mtim = {1'700'000'000, 5};
  const ObjectMeta meta = ReadMeta(fd.get(), info);
  Check(!meta.etag.empty() && IsUtf8(meta.etag));
  for (const auto& [name, value] : meta.headers) {
    Check(IsUtf8(value) && (name.starts_with("x-amz-") || name.starts_with("content-") ||
                            name == "cache-control" || name == "expires"));
    Check(name != "content-length" && name != "content-security-policy");
  }
}

void UseAsUpload(const Service& service, std::string_view text) {
  Write(service.upload() / "upload.json", text);
  const MultipartStore store(service.upload().parent_path());
  const auto uploads = store.List("bucket");
  Check(uploads.ok() && uploads.value().size() <= 1);
  for (const PendingUpload& upload : uploads.value()) {
    Check(upload.id == kUpload && store.Find(kUpload, "bucket", upload.key).ok());
    Check(!store.Find(kUpload, "other", upload.key).ok());
  }
  Document(ListMultipartUploads(service.Request({})));
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warden::fuzz;
  static const Service service;
  const std::string text(Text(data, size));
  UseAsKeys(service, text);
  UseAsUpload(service, text);
  UseAsHeaders(service, text);
  UseAsAttribute(service, text);
  // The upload that the parts are of, as a service writes it.
  Write(service.upload() / "upload.json",
        R"({"bucket": "bucket", "key": "a/key", "begun": 1, "headers": {}})");
  UseAsParts(service, text);
  UseAsList(service, text.substr(0, 512));
  return 0;
}
