#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <charconv>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "warden/base/strings.h"
#include "warden/base/text/uri.h"
#include "warden/net/digest.h"
#include "warden/s3/checksum.h"
#include "warden/s3/documents.h"
#include "warden/s3/multipart.h"
#include "warden/s3/multipart_store.h"
#include "warden/s3/object_files.h"

namespace warden::s3 {
namespace {

// Of all parts but the last, as at Amazon: clients that work here must work there.
constexpr off_t kLeastPart = 5 << 20;

struct NamedPart {
  int number = 0;
  std::string etag;
};

// The parts that a document names, in its order. kInvalid.
Result<std::vector<NamedPart>> PartsIn(const net::XmlElement& root) {
  if (root.name != "CompleteMultipartUpload") {
    return Status(Code::kInvalid, "expected <CompleteMultipartUpload>");
  }
  std::vector<NamedPart> parts;
  for (const net::XmlElement& element : root.children) {
    if (element.name != "Part") continue;
    const std::optional<int64_t> number = ParseInt(element.Text("PartNumber"));
    std::string_view etag = element.Text("ETag");
    if (etag.size() >= 2 && etag.starts_with('"') && etag.ends_with('"')) {
      etag = etag.substr(1, etag.size() - 2);
    }
    if (!number || *number < 1 || *number > kMaxParts || etag.empty()) {
      return Status(Code::kInvalid, "a <Part> needs a <PartNumber> from 1 to 10000 and an <ETag>");
    }
    parts.push_back({static_cast<int>(*number), LowerAscii(etag)});
  }
  if (parts.empty() || parts.size() > kMaxParts) {
    return Status(Code::kInvalid, "expected 1 to 10000 parts");
  }
  return parts;
}

std::optional<S3Error> CheckOrder(const std::vector<NamedPart>& parts) {
  for (size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].number > parts[i - 1].number) continue;
    return S3Error{400, "InvalidPartOrder",
                   "The list of parts was not in ascending order. Parts must be ordered by part "
                   "number."};
  }
  return std::nullopt;
}

// Of hexadecimal digits.
std::string BytesOf(const std::string& digits) {
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    uint8_t byte = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

// All parts one behind the other.
std::variant<std::string, S3Error> Join(const MultipartStore& store, const PendingUpload& upload,
                                        const std::vector<NamedPart>& parts, UploadFile* file) {
  const std::unique_ptr<Checksum> md5s = MakeChecksum("md5");
  for (const NamedPart& part : parts) {
    const bool is_last = &part == &parts.back();
    const std::string path = store.PathOfPart(upload.id, part.number, part.etag);
    const os::UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    struct stat info;
    if (!fd.ok() || fstat(fd.get(), &info) != 0) {
      return S3Error{400, "InvalidPart",
                     fmt::format("One or more of the specified parts could not be found: {}. The "
                                 "part may not have been uploaded, or the specified entity tag may "
                                 "not match the part's entity tag.",
                                 part.number)};
    }
    if (!is_last && info.st_size < kLeastPart) {
      return S3Error{400, "EntityTooSmall",
                     fmt::format("Your proposed upload is smaller than the minimum allowed size: "
                                 "part {} has {} bytes; all but the last need {}",
                                 part.number, info.st_size, kLeastPart)};
    }
    const Status status = file->AppendFrom(fd.get(), 0, static_cast<uint64_t>(info.st_size));
    if (!status.ok()) return FromStatus(status);
    md5s->Update(BytesOf(part.etag));
  }
  return fmt::format("{}-{}", net::Hex(md5s->Finish()), parts.size());
}

std::variant<std::string, S3Error> Complete(const S3Request& request, const PendingUpload& upload,
                                            const std::vector<NamedPart>& parts) {
  const service::DataLayout layout(request.options->data);
  const MultipartStore store(layout.Uploads());
  Result<std::unique_ptr<UploadFile>> file = UploadFile::Create(layout.Uploads());
  if (!file.ok()) return FromStatus(file.status());
  std::variant<std::string, S3Error> etag = Join(store, upload, parts, file.value().get());
  if (std::holds_alternative<S3Error>(etag)) return etag;
  Status status = file.value()->Finish({*std::get_if<std::string>(&etag), upload.headers});
  if (status.ok()) {
    status = ObjectFiles(layout.Objects())
                 .Place(file.value()->path(), request.bucket, request.key, false);
  }
  if (!status.ok()) return FromStatus(status);
  store.Remove(upload.id);
  return etag;
}

}  // namespace

http::Response CompleteMultipartUpload(const S3Request& request, const std::string& body) {
  const Result<net::XmlElement> root = net::ParseXml(body);
  if (!root.ok()) return ErrorResponse(MalformedXml(root.status()), request.head);
  const Result<std::vector<NamedPart>> parts = PartsIn(root.value());
  if (!parts.ok()) return ErrorResponse(MalformedXml(parts.status()), request.head);
  if (const auto error = CheckOrder(parts.value())) return ErrorResponse(*error, request.head);
  const Result<PendingUpload> upload =
      MultipartStore(service::DataLayout(request.options->data).Uploads())
          .Find(std::string(request.Parameter("uploadId")), request.bucket, request.key);
  if (!upload.ok()) {
    return ErrorResponse({404, "NoSuchUpload",
                          "The specified upload does not exist. The upload ID "
                          "may be invalid, or the upload may have been "
                          "aborted or completed."},
                         request.head);
  }
  const std::variant<std::string, S3Error> etag = Complete(request, upload.value(), parts.value());
  if (const auto* error = std::get_if<S3Error>(&etag)) return ErrorResponse(*error, request.head);
  net::XmlWriter xml;
  xml.Open("CompleteMultipartUploadResult", kS3Namespace)
      .Leaf("Location", "/" + request.bucket + "/" + UriEncode(request.key, /*also_slash=*/false))
      .Leaf("Bucket", request.bucket)
      .Leaf("Key", request.key)
      .Leaf("ETag", "\"" + *std::get_if<std::string>(&etag) + "\"")
      .Close("CompleteMultipartUploadResult");
  return XmlResponse(xml.text());
}

}  // namespace warden::s3
