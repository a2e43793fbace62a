#include <fmt/format.h>

#include <utility>

#include "warden/base/log.h"
#include "warden/storage/s3/answers.h"
#include "warden/storage/s3/s3_parts.h"

namespace warden::storage::s3 {
namespace {

// S3 takes parts from 5 MB on, all but the last, and 10,000 of them: later ones are larger.
constexpr size_t kPartBytes = 8 << 20;
constexpr size_t kPartsOfOneSize = 1000;

class S3Writer final : public ObjectWriter {
 public:
  S3Writer(std::shared_ptr<Source> source, std::shared_ptr<WrittenKeys> keys, std::string key)
      : source_(std::move(source)), keys_(std::move(keys)), key_(std::move(key)) {}

  ~S3Writer() override {
    if (!upload_.empty()) Abort();
    if (!closed_) keys_->Give(key_);
  }

  Status Append(std::span<const Bytes> parts) override {
    for (const Bytes part : parts) {
      buffer_.insert(buffer_.end(), part.begin(), part.end());
      if (buffer_.size() < kPartBytes * (1 + etags_.size() / kPartsOfOneSize)) continue;
      if (Status status = SendPart(); !status.ok()) return status;
    }
    return Status();
  }

  Status Commit() override {
    if (std::exchange(closed_, true)) {
      return Status(Code::kInvalid,
                    fmt::format("{} is already committed", source_->client->Locate(key_)));
    }
    const Status status = upload_.empty() ? PutWhole() : Complete();
    source_->listed.Forget(key_);
    keys_->Give(key_);
    return status;
  }

 private:
  Status PutWhole() {
    return Checked({.method = "PUT",
                    .key = key_,
                    .headers = source_->client->EncryptionHeaders(),
                    .body = Bytes(buffer_)})
        .status();
  }

  Status SendPart() {
    if (upload_.empty()) {
      const Result<Answer> begun = Checked({.method = "POST",
                                            .key = key_,
                                            .query = {{"uploads", ""}},
                                            .headers = source_->client->EncryptionHeaders()});
      if (!begun.ok()) return begun.status();
      upload_ = LeafIn(begun.value(), "UploadId");
      if (upload_.empty()) return NotUnderstood("no UploadId");
    }
    const std::string number = fmt::format("{}", etags_.size() + 1);
    const Result<Answer> sent = Checked({.method = "PUT",
                                         .key = key_,
                                         .query = {{"partNumber", number}, {"uploadId", upload_}},
                                         .body = Bytes(buffer_)});
    if (!sent.ok()) return sent.status();
    etags_.emplace_back(sent.value().Header("etag"));
    buffer_.clear();
    return Status();
  }

  Status Complete() {
    if (!buffer_.empty()) {
      if (Status status = SendPart(); !status.ok()) return status;
    }
    std::string document = "<CompleteMultipartUpload>";
    for (size_t i = 0; i < etags_.size(); ++i) {
      document +=
          fmt::format("<Part><PartNumber>{}</PartNumber><ETag>{}</ETag></Part>", i + 1, etags_[i]);
    }
    document += "</CompleteMultipartUpload>";
    const Result<Answer> done = Checked({.method = "POST",
                                         .key = key_,
                                         .query = {{"uploadId", upload_}},
                                         .body = AsBytes(document)});
    if (!done.ok()) return done.status();
    // S3 begins to answer before it has finished: an error may follow the status 200.
    if (LeafIn(done.value(), "ETag").empty()) return NotUnderstood("the upload was not completed");
    upload_.clear();
    return Status();
  }

  void Abort() {
    const Result<Answer> aborted =
        Checked({.method = "DELETE", .key = key_, .query = {{"uploadId", upload_}}});
    if (aborted.ok()) return;
    LogWarning("parts of {} stay on the server: {}", source_->client->Locate(key_),
               aborted.status().message());
  }

  Result<Answer> Checked(const Call& call) {
    Result<Answer> answer = source_->client->Send(call);
    if (answer.ok() && !answer.value().ok()) return source_->client->Refusal(call, answer.value());
    return answer;
  }

  Status NotUnderstood(std::string_view what) const {
    return Status(Code::kIo, fmt::format("POST {}: the server answered without an error, but {}",
                                         source_->client->Locate(key_), what));
  }

  const std::shared_ptr<Source> source_;
  const std::shared_ptr<WrittenKeys> keys_;
  const std::string key_;
  std::vector<std::byte> buffer_;
  std::string upload_;              // The ID of an upload in parts, once it has begun.
  std::vector<std::string> etags_;  // Of its parts.
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<ObjectWriter> NewObjectWriter(std::shared_ptr<Source> source,
                                              std::shared_ptr<WrittenKeys> keys, std::string key) {
  return std::make_unique<S3Writer>(std::move(source), std::move(keys), std::move(key));
}

}  // namespace warden::storage::s3
