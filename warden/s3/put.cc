#include "warden/s3/put.h"

#include <utility>

#include "warden/net/digest.h"
#include "warden/s3/object_files.h"

namespace warden::s3 {
namespace {

class ReceivingExchange final : public http::Exchange {
 public:
  ReceivingExchange(const S3Request& request, std::unique_ptr<UploadFile> file, Received received)
      : head_(request.head),
        file_(std::move(file)),
        body_(head_, request.identity.chunks, kMaxPut,
              [this](std::string_view piece) { return file_->Append(piece); }),
        received_(std::move(received)) {}

  const std::optional<S3Error>& refusal() const { return body_.refusal(); }

  bool Take(std::string_view piece) override { return body_.Take(piece); }

  http::Response Answer() override {
    if (const std::optional<S3Error> error = body_.Finish()) return ErrorResponse(*error, head_);
    return WithRequestId(received_(file_.get(), body_), head_);
  }

 private:
  const http::RequestHead head_;
  std::unique_ptr<UploadFile> file_;
  S3Body body_;
  Received received_;
};

http::Response Store(const S3Request& request, ObjectMeta meta, UploadFile* file,
                     const S3Body& body) {
  const auto fail = [&](const Status& status) {
    return ErrorResponse(FromStatus(status), request.head);
  };
  meta.etag = net::Hex(body.md5());
  meta.headers.insert(meta.headers.end(), body.checksums().begin(), body.checksums().end());
  if (const Status status = file->Finish(meta); !status.ok()) return fail(status);
  const bool only_new = request.head.Header("if-none-match") == "*";
  const ObjectFiles files(service::DataLayout(request.options->data).Objects());
  const Status placed = files.Place(file->path(), request.bucket, request.key, only_new);
  if (placed.code() == Code::kUnavailable) {
    return ErrorResponse({412, "PreconditionFailed",
                          "At least one of the pre-conditions you specified did not hold"},
                         request.head);
  }
  if (!placed.ok()) return fail(placed);
  http::Response response;
  response.headers = body.checksums();
  response.headers.emplace_back("ETag", "\"" + meta.etag + "\"");
  return response;
}

}  // namespace

std::unique_ptr<http::Exchange> ReceiveFile(const S3Request& request, Received received) {
  Result<std::unique_ptr<UploadFile>> file =
      UploadFile::Create(service::DataLayout(request.options->data).Uploads());
  if (!file.ok()) return http::AnswerAtOnce(ErrorResponse(FromStatus(file.status()), request.head));
  auto exchange =
      std::make_unique<ReceivingExchange>(request, std::move(file).value(), std::move(received));
  if (exchange->refusal()) {
    return http::AnswerAtOnce(ErrorResponse(*exchange->refusal(), request.head));
  }
  return exchange;
}

std::unique_ptr<http::Exchange> PutObject(const S3Request& request) {
  Result<http::Headers> kept = KeptHeaders(request.head);
  if (!kept.ok()) {
    return http::AnswerAtOnce(
        ErrorResponse({400, "MetadataTooLarge", kept.status().message()}, request.head));
  }
  ObjectMeta meta{"", std::move(kept).value()};
  return ReceiveFile(request, [request, meta](UploadFile* file, const S3Body& body) {
    return Store(request, meta, file, body);
  });
}

}  // namespace warden::s3
