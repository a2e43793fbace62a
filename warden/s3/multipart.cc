#include "warden/s3/multipart.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <variant>

#include "warden/base/strings.h"
#include "warden/base/text/uri.h"
#include "warden/base/time.h"
#include "warden/net/digest.h"
#include "warden/s3/checksum.h"
#include "warden/s3/copy.h"
#include "warden/s3/documents.h"
#include "warden/s3/get.h"
#include "warden/s3/multipart_store.h"
#include "warden/s3/put.h"

namespace warden::s3 {
namespace {

MultipartStore StoreOf(const S3Request& request) {
  return MultipartStore(service::DataLayout(request.options->data).Uploads());
}

http::Response NoSuchUpload(const S3Request& request) {
  return ErrorResponse({404, "NoSuchUpload",
                        "The specified upload does not exist. The upload ID may be invalid, or the "
                        "upload may have been aborted or completed."},
                       request.head);
}

Result<PendingUpload> UploadOf(const S3Request& request) {
  return StoreOf(request).Find(std::string(request.Parameter("uploadId")), request.bucket,
                               request.key);
}

std::optional<int> PartNumberOf(const S3Request& request) {
  const std::optional<int64_t> number = ParseInt(request.Parameter("partNumber"));
  if (!number || *number < 1 || *number > kMaxParts) return std::nullopt;
  return static_cast<int>(*number);
}

http::Response BadPartNumber(const S3Request& request) {
  return ErrorResponse(
      InvalidArgument("Part number must be an integer between 1 and 10000, inclusive"),
      request.head);
}

http::Response StorePart(const S3Request& request, int number, UploadFile* file,
                         const S3Body& body) {
  const std::string etag = net::Hex(body.md5());
  Status status = file->Finish({etag, {}});
  if (status.ok()) {
    status = StoreOf(request).AddPart(std::string(request.Parameter("uploadId")), number, etag,
                                      file->path());
  }
  if (status.code() == Code::kNotFound) return NoSuchUpload(request);
  if (!status.ok()) return ErrorResponse(FromStatus(status), request.head);
  http::Response response;
  response.headers = body.checksums();
  response.headers.emplace_back("ETag", "\"" + etag + "\"");
  return response;
}

// So many bytes of the source as a file with its MD5.
Result<std::string> CopyRange(const StoredObject& source, ByteRange range, UploadFile* file) {
  const std::unique_ptr<Checksum> md5 = MakeChecksum("md5");
  std::string buffer(1 << 20, '\0');
  while (range.length > 0) {
    const ssize_t got =
        pread(source.file->get(), buffer.data(), std::min<uint64_t>(buffer.size(), range.length),
              static_cast<off_t>(range.offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return os::IoError("read", "the source of a copy", got < 0 ? errno : EIO);
    const std::string_view piece(buffer.data(), static_cast<size_t>(got));
    if (Status status = file->Append(piece); !status.ok()) return status;
    md5->Update(piece);
    range.offset += piece.size();
    range.length -= piece.size();
  }
  std::string etag = net::Hex(md5->Finish());
  if (Status status = file->Finish({etag, {}}); !status.ok()) return status;
  return etag;
}

}  // namespace

http::Response CreateMultipartUpload(const S3Request& request) {
  Result<http::Headers> headers = KeptHeaders(request.head);
  if (!headers.ok()) {
    return ErrorResponse({400, "MetadataTooLarge", headers.status().message()}, request.head);
  }
  const Result<std::string> id =
      StoreOf(request).Begin({"", request.bucket, request.key, std::move(headers).value(), Now()});
  if (!id.ok()) return ErrorResponse(FromStatus(id.status()), request.head);
  net::XmlWriter xml;
  xml.Open("InitiateMultipartUploadResult", kS3Namespace)
      .Leaf("Bucket", request.bucket)
      .Leaf("Key", request.key)
      .Leaf("UploadId", id.value())
      .Close("InitiateMultipartUploadResult");
  return XmlResponse(xml.text());
}

std::unique_ptr<http::Exchange> UploadPart(const S3Request& request) {
  const std::optional<int> number = PartNumberOf(request);
  if (!number) return http::AnswerAtOnce(BadPartNumber(request));
  if (!UploadOf(request).ok()) return http::AnswerAtOnce(NoSuchUpload(request));
  return ReceiveFile(request, [request, number](UploadFile* file, const S3Body& body) {
    return StorePart(request, *number, file, body);
  });
}

http::Response UploadPartCopy(const S3Request& request) {
  const std::optional<int> number = PartNumberOf(request);
  if (!number) return BadPartNumber(request);
  if (!UploadOf(request).ok()) return NoSuchUpload(request);
  const std::variant<StoredObject, S3Error> opened = OpenCopySource(request);
  if (const auto* error = std::get_if<S3Error>(&opened)) return ErrorResponse(*error, request.head);
  const StoredObject& source = *std::get_if<StoredObject>(&opened);
  const std::string_view wanted = request.head.Header("x-amz-copy-source-range");
  std::optional<ByteRange> range = ByteRange{0, source.size};
  if (!wanted.empty()) range = ParseRange(wanted, source.size);
  if (!range || range->length > kMaxPut || (!wanted.empty() && range->length == 0)) {
    return ErrorResponse(InvalidArgument("The x-amz-copy-source-range value must be of the form "
                                         "bytes=first-last where first and last are the zero-based "
                                         "offsets of the first and last bytes to copy"),
                         request.head);
  }
  Result<std::unique_ptr<UploadFile>> file =
      UploadFile::Create(service::DataLayout(request.options->data).Uploads());
  if (!file.ok()) return ErrorResponse(FromStatus(file.status()), request.head);
  const Result<std::string> etag = CopyRange(source, *range, file.value().get());
  if (!etag.ok()) return ErrorResponse(FromStatus(etag.status()), request.head);
  const Status added = StoreOf(request).AddPart(std::string(request.Parameter("uploadId")), *number,
                                                etag.value(), file.value()->path());
  if (!added.ok()) return NoSuchUpload(request);
  net::XmlWriter xml;
  xml.Open("CopyPartResult", kS3Namespace)
      .Leaf("LastModified", IsoTime(Now()))
      .Leaf("ETag", "\"" + etag.value() + "\"")
      .Close("CopyPartResult");
  return XmlResponse(xml.text());
}

http::Response AbortMultipartUpload(const S3Request& request) {
  const Result<PendingUpload> upload = UploadOf(request);
  if (!upload.ok()) return NoSuchUpload(request);
  StoreOf(request).Remove(upload.value().id);
  http::Response response;
  response.status = 204;
  return response;
}

http::Response ListParts(const S3Request& request) {
  const Result<PendingUpload> upload = UploadOf(request);
  if (!upload.ok()) return NoSuchUpload(request);
  const Result<std::vector<UploadedPart>> parts = StoreOf(request).Parts(upload.value().id);
  if (!parts.ok()) return NoSuchUpload(request);
  const int64_t after = ParseInt(request.Parameter("part-number-marker")).value_or(0);
  const int64_t asked = ParseInt(request.Parameter("max-parts")).value_or(1000);
  const size_t limit = static_cast<size_t>(std::clamp<int64_t>(asked, 0, 1000));
  net::XmlWriter xml;
  xml.Open("ListPartsResult", kS3Namespace)
      .Leaf("Bucket", request.bucket)
      .Leaf("Key", request.key)
      .Leaf("UploadId", upload.value().id)
      .Leaf("PartNumberMarker", std::to_string(after))
      .Leaf("MaxParts", std::to_string(limit))
      .Leaf("StorageClass", "STANDARD");
  WriteOwner(request, "Initiator", &xml);
  WriteOwner(request, "Owner", &xml);
  size_t told = 0;
  int last = 0;
  bool truncated = false;
  for (const UploadedPart& part : parts.value()) {
    if (part.number <= after) continue;
    truncated = told == limit;
    if (truncated) break;
    ++told;
    last = part.number;
    xml.Open("Part")
        .Leaf("PartNumber", std::to_string(part.number))
        .Leaf("LastModified", IsoTime(part.modified))
        .Leaf("ETag", "\"" + part.etag + "\"")
        .Leaf("Size", std::to_string(part.size))
        .Close("Part");
  }
  if (truncated) xml.Leaf("NextPartNumberMarker", std::to_string(last));
  xml.Leaf("IsTruncated", truncated ? "true" : "false").Close("ListPartsResult");
  return XmlResponse(xml.text());
}

http::Response ListMultipartUploads(const S3Request& request) {
  const Result<std::vector<PendingUpload>> uploads = StoreOf(request).List(request.bucket);
  if (!uploads.ok()) return ErrorResponse(FromStatus(uploads.status()), request.head);
  const bool encode = request.Parameter("encoding-type") == "url";
  const auto shown = [&](std::string_view key) {
    return encode ? UriEncode(key, /*also_slash=*/false) : std::string(key);
  };
  net::XmlWriter xml;
  xml.Open("ListMultipartUploadsResult", kS3Namespace)
      .Leaf("Bucket", request.bucket)
      .Leaf("Prefix", shown(request.Parameter("prefix")));
  if (encode) xml.Leaf("EncodingType", "url");
  // All in one answer: they are few, and nobody counts on pages.
  xml.Leaf("MaxUploads", std::to_string(uploads.value().size())).Leaf("IsTruncated", "false");
  for (const PendingUpload& upload : uploads.value()) {
    if (!upload.key.starts_with(request.Parameter("prefix"))) continue;
    xml.Open("Upload").Leaf("Key", shown(upload.key)).Leaf("UploadId", upload.id);
    WriteOwner(request, "Initiator", &xml);
    WriteOwner(request, "Owner", &xml);
    xml.Leaf("StorageClass", "STANDARD").Leaf("Initiated", IsoTime(upload.begun)).Close("Upload");
  }
  xml.Close("ListMultipartUploadsResult");
  return XmlResponse(xml.text());
}

}  // namespace warden::s3
