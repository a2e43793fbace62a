#include "warden/s3/copy.h"

#include <string>
#include <utility>

#include "warden/base/strings.h"
#include "warden/base/text/uri.h"
#include "warden/base/time.h"
#include "warden/net/digest.h"
#include "warden/s3/body.h"
#include "warden/s3/documents.h"
#include "warden/s3/object_files.h"
#include "warden/s3/object_path.h"
#include "warden/s3/put.h"
#include "warden/s3/upload_file.h"

namespace warden::s3 {
namespace {

std::variant<ObjectName, S3Error> SourceOf(const S3Request& request) {
  std::string_view text = request.head.Header("x-amz-copy-source");
  if (text.find("?versionId=") != std::string_view::npos) {
    return S3Error{501, "NotImplemented", "Object versions are not supported."};
  }
  if (text.starts_with('/')) text.remove_prefix(1);
  const std::optional<std::string> decoded = StrictUriDecode(text, false);
  const size_t slash = decoded ? decoded->find('/') : std::string::npos;
  if (slash == std::string::npos || slash + 1 == decoded->size()) {
    return InvalidArgument(
        "Copy Source must mention the source bucket and key: "
        "sourcebucket/sourcekey");
  }
  ObjectName name{decoded->substr(0, slash), decoded->substr(slash + 1)};
  if (!IsBucketName(name.bucket)) return NoSuchBucket();
  // A copy is also read access to what it is made of.
  const bool may_read =
      request.identity.May(auth::Scope::kRead) && request.identity.limits.AllowBucket(name.bucket);
  if (!may_read) return AccessDenied();
  return name;
}

bool ConditionsHold(const http::RequestHead& head, const StoredObject& object) {
  const std::string quoted = "\"" + object.meta.etag + "\"";
  const auto names = [&](std::string_view etag) {
    return etag == quoted || etag == object.meta.etag;
  };
  const std::string_view match = head.Header("x-amz-copy-source-if-match");
  const std::string_view none_match = head.Header("x-amz-copy-source-if-none-match");
  return (match.empty() || names(match)) && (none_match.empty() || !names(none_match));
}

Result<std::string> Md5Of(const StoredObject& object) {
  const std::unique_ptr<Checksum> sum = MakeChecksum("md5");
  std::string buffer(1 << 20, '\0');
  for (uint64_t offset = 0; offset < object.size;) {
    const ssize_t got =
        pread(object.file->get(), buffer.data(), buffer.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return os::IoError("read", "the source of a copy", errno);
    if (got == 0) break;
    sum->Update({buffer.data(), static_cast<size_t>(got)});
    offset += static_cast<uint64_t>(got);
  }
  return net::Hex(sum->Finish());
}

Result<ObjectMeta> MetaOfCopy(const S3Request& request, const StoredObject& source) {
  ObjectMeta meta = source.meta;
  if (LowerAscii(request.head.Header("x-amz-metadata-directive")) == "replace") {
    Result<http::Headers> kept = KeptHeaders(request.head);
    if (!kept.ok()) return kept.status();
    meta.headers = std::move(kept).value();
  }
  // Those with '-' are no MD5: made up for the very file, or of parts that the copy has not.
  if (meta.etag.find('-') == std::string::npos) return meta;
  Result<std::string> md5 = Md5Of(source);
  if (!md5.ok()) return md5.status();
  meta.etag = std::move(md5).value();
  return meta;
}

Status Copy(const S3Request& request, const StoredObject& source, const ObjectMeta& meta) {
  Result<std::unique_ptr<UploadFile>> file =
      UploadFile::Create(service::DataLayout(request.options->data).Uploads());
  if (!file.ok()) return file.status();
  Status status = file.value()->AppendFrom(source.file->get(), 0, source.size);
  if (status.ok()) status = file.value()->Finish(meta);
  if (!status.ok()) return status;
  return FilesOf(request).Place(file.value()->path(), request.bucket, request.key, false);
}

}  // namespace

std::variant<StoredObject, S3Error> OpenCopySource(const S3Request& request) {
  const std::variant<ObjectName, S3Error> name = SourceOf(request);
  if (const auto* error = std::get_if<S3Error>(&name)) return *error;
  const ObjectName& source = *std::get_if<ObjectName>(&name);
  const ObjectFiles files = FilesOf(request);
  if (!files.OpenBucket(source.bucket).ok()) return NoSuchBucket();
  Result<StoredObject> object = files.Open(source.bucket, source.key);
  if (!object.ok()) return FromStatus(object.status());
  if (!ConditionsHold(request.head, object.value())) {
    return S3Error{412, "PreconditionFailed",
                   "At least one of the pre-conditions you specified did not hold"};
  }
  return std::move(object).value();
}

http::Response CopyObject(const S3Request& request) {
  const std::variant<StoredObject, S3Error> opened = OpenCopySource(request);
  if (const auto* error = std::get_if<S3Error>(&opened)) return ErrorResponse(*error, request.head);
  const StoredObject& source = *std::get_if<StoredObject>(&opened);
  if (source.size > kMaxPut) {
    return ErrorResponse({400, "InvalidRequest",
                          "The specified copy source is larger than the maximum allowable size "
                          "for a copy source: 5368709120"},
                         request.head);
  }
  const Result<ObjectMeta> meta = MetaOfCopy(request, source);
  if (!meta.ok()) return ErrorResponse(FromStatus(meta.status()), request.head);
  const Status copied = Copy(request, source, meta.value());
  if (!copied.ok()) return ErrorResponse(FromStatus(copied), request.head);
  net::XmlWriter xml;
  xml.Open("CopyObjectResult", kS3Namespace)
      .Leaf("LastModified", IsoTime(Now()))
      .Leaf("ETag", "\"" + meta.value().etag + "\"")
      .Close("CopyObjectResult");
  return XmlResponse(xml.text());
}

}  // namespace warden::s3
