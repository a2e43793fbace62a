#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

#include "warden/base/strings.h"
#include "warden/storage/contract.h"
#include "warden/storage/s3/answers.h"
#include "warden/storage/s3/parallel.h"
#include "warden/storage/s3/s3_parts.h"

namespace warden::storage::s3 {
namespace {

constexpr uint64_t kFirstBytes = 256 << 10;
constexpr std::chrono::seconds kListCounts{30};
constexpr uint64_t kRangeBytes = 8 << 20;  // A larger read is several requests at a time.

using Buffer = std::vector<std::byte>;

std::string RangeHeader(uint64_t offset, uint64_t length) {
  return fmt::format("Range: bytes={}-{}", offset, offset + length - 1);
}

// The version of an object, its size, and its beginning.
struct Head {
  std::string etag;
  uint64_t size = 0;
  Buffer first;
};

// As the cache has it: "ETAG\nSIZE\n" and the bytes.
std::string TextOf(const Head& head) {
  return fmt::format("{}\n{}\n{}", head.etag, head.size, AsText(head.first));
}

std::optional<Head> HeadIn(const std::optional<Buffer>& kept) {
  if (!kept) return std::nullopt;
  const std::string_view text = AsText(*kept);
  const size_t etag_end = text.find('\n');
  const size_t size_end = etag_end == text.npos ? text.npos : text.find('\n', etag_end + 1);
  if (size_end == text.npos) return std::nullopt;
  const auto size = ParseInt(text.substr(etag_end + 1, size_end - etag_end - 1));
  if (!size || etag_end == 0) return std::nullopt;
  return Head{std::string(text.substr(0, etag_end)), static_cast<uint64_t>(*size),
              Buffer(kept->begin() + static_cast<ptrdiff_t>(size_end) + 1, kept->end())};
}

std::string CacheName(const Source& source, std::string_view key, std::string_view part) {
  return fmt::format("{} {}\n{}", source.client->endpoint(), source.client->Locate(key), part);
}

class S3Object final : public Object {
 public:
  S3Object(std::shared_ptr<Source> source, std::string key, std::string etag, uint64_t size,
           Buffer first)
      : source_(std::move(source)),
        key_(std::move(key)),
        etag_(std::move(etag)),
        size_(size),
        first_(std::make_shared<const Buffer>(std::move(first))) {}

  uint64_t size() const override { return size_; }

  Result<Blob> Read(uint64_t offset, uint64_t length) const override {
    if (Status status = CheckRange(source_->client->Locate(key_), size_, offset, length);
        !status.ok()) {
      return status;
    }
    if (length == 0) return Blob{};
    if (offset + length <= first_->size()) {
      return Blob{Bytes(*first_).subspan(offset, length), first_};
    }
    auto bytes = std::make_shared<Buffer>(length);
    // What is here already is not fetched again.
    uint64_t here = 0;
    if (offset < first_->size()) {
      here = first_->size() - offset;
      std::memcpy(bytes->data(), first_->data() + offset, here);
    }
    const uint64_t missing = length - here;
    const size_t requests = (missing + kRangeBytes - 1) / kRangeBytes;
    std::vector<Status> failures(requests);
    InParallel(requests, [&](size_t i) {
      const uint64_t begin = here + i * kRangeBytes;
      const uint64_t count = std::min(kRangeBytes, length - begin);
      failures[i] = Fetch(offset + begin, count, bytes->data() + begin);
    });
    for (Status& failure : failures) {
      if (!failure.ok()) return std::move(failure);
    }
    return Blob{Bytes(*bytes), bytes};
  }

 private:
  Status Fetch(uint64_t offset, uint64_t length, std::byte* to) const {
    const std::string name =
        CacheName(*source_, key_, fmt::format("{} {}+{}", etag_, offset, length));
    if (!etag_.empty()) {
      const auto kept = source_->cache->Get(name);
      if (kept && kept->size() == length) {
        std::memcpy(to, kept->data(), length);
        return Status();
      }
    }
    Call call{.method = "GET", .key = key_, .headers = {RangeHeader(offset, length)}};
    if (!etag_.empty()) call.headers.push_back("If-Match: " + etag_);
    const Result<Answer> answer = source_->client->Send(call);
    if (!answer.ok()) return answer.status();
    if (answer.value().status == 412 || answer.value().status == 404) {
      return Status(Code::kUnavailable,
                    fmt::format("{} was replaced or removed while it was read; open it again",
                                source_->client->Locate(key_)));
    }
    if (!answer.value().ok()) return source_->client->Refusal(call, answer.value());
    const Buffer& body = answer.value().body;
    if (answer.value().status != 206 || body.size() != length) {
      return Status(Code::kUnavailable,
                    fmt::format("GET {}: asked for {} bytes from offset {}, got {} with HTTP "
                                "status {}",
                                source_->client->Locate(key_), length, offset, body.size(),
                                answer.value().status));
    }
    std::memcpy(to, body.data(), length);
    if (!etag_.empty()) source_->cache->Put(name, Bytes(body));
    return Status();
  }

  const std::shared_ptr<Source> source_;
  const std::string key_;
  const std::string etag_;
  const uint64_t size_;
  const std::shared_ptr<const Buffer> first_;
};

}  // namespace

void ListedVersions::Saw(std::string key, std::string etag) {
  const std::lock_guard lock(mutex_);
  versions_.insert_or_assign(std::move(key),
                             Version{std::move(etag), std::chrono::steady_clock::now()});
}

void ListedVersions::Forget(const std::string& key) {
  const std::lock_guard lock(mutex_);
  versions_.erase(key);
}

std::string ListedVersions::Of(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = versions_.find(key);
  if (found == versions_.end()) return "";
  const auto age = std::chrono::steady_clock::now() - found->second.seen;
  return age < kListCounts ? found->second.etag : "";
}

Result<std::shared_ptr<const Object>> OpenObject(std::shared_ptr<Source> source, std::string key) {
  const std::string name = CacheName(*source, key, "head");
  std::optional<Head> kept = HeadIn(source->cache->Get(name));
  const auto open = [&](Head head) {
    return std::shared_ptr<const Object>(std::make_shared<S3Object>(
        source, key, std::move(head.etag), head.size, std::move(head.first)));
  };
  if (kept && source->listed.Of(key) == kept->etag) return open(std::move(*kept));

  Call call{.method = "GET", .key = key, .headers = {RangeHeader(0, kFirstBytes)}};
  if (kept) call.headers.push_back("If-None-Match: " + kept->etag);
  Result<Answer> sent = source->client->Send(call);
  if (sent.ok() && sent.value().status == 304 && kept) return open(std::move(*kept));
  if (sent.ok() && sent.value().status == 416) {
    // An empty object has no range.
    call.headers.clear();
    sent = source->client->Send(call);
  }
  if (!sent.ok()) return sent.status();
  Answer& answer = sent.value();
  if (!answer.ok()) return source->client->Refusal(call, answer);
  const auto whole = SizeInRange(answer.Header("content-range"));
  Head head{std::string(answer.Header("etag")),
            answer.status == 206 && whole ? *whole : answer.body.size(), std::move(answer.body)};
  if (head.first.size() < std::min(head.size, kFirstBytes)) {
    return Status(Code::kUnavailable, fmt::format("GET {}: the answer ends after {} bytes",
                                                  source->client->Locate(key), head.first.size()));
  }
  if (!head.etag.empty()) source->cache->Put(name, AsBytes(TextOf(head)));
  return open(std::move(head));
}

}  // namespace warden::storage::s3
