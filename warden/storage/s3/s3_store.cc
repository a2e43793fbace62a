#include "warden/storage/s3/s3_store.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "warden/base/log.h"
#include "warden/storage/contract.h"
#include "warden/storage/s3/answers.h"
#include "warden/storage/s3/parallel.h"
#include "warden/storage/s3/s3_parts.h"
#include "warden/storage/s3_location.h"

namespace warden::storage::s3 {
namespace {

class S3Store final : public Store {
 public:
  S3Store(std::shared_ptr<Source> source, std::string prefix)
      : source_(std::move(source)), prefix_(std::move(prefix)) {}

  std::string Locate(std::string_view key) const override {
    return source_->client->Locate(Whole(key));
  }

  Result<std::vector<std::string>> List(std::string_view prefix,
                                        std::string_view start_after) const override {
    auto objects = ListObjects(prefix, start_after);
    if (!objects.ok()) return objects.status();
    std::vector<std::string> keys;
    for (const ListedObject& object : objects.value()) {
      source_->listed.Saw(object.key, object.etag);
      keys.push_back(object.key.substr(prefix_.size()));
    }
    return keys;
  }

  // The list has the sizes.
  Result<uint64_t> BytesBelow(std::string_view prefix) const override {
    const auto objects = ListObjects(prefix, "");
    if (!objects.ok()) return objects.status();
    uint64_t bytes = 0;
    for (const ListedObject& object : objects.value()) bytes += object.size;
    return bytes;
  }

  Result<std::shared_ptr<const Object>> Open(std::string_view key) const override {
    if (Status status = CheckKey(key); !status.ok()) return status;
    return OpenObject(source_, Whole(key));
  }

  bool Exists(std::string_view key) const override {
    if (!IsValidKey(key)) return false;
    const Result<bool> found = Find(key);
    if (!found.ok()) LogWarning("{}", found.status().message());
    return found.ok() && found.value();
  }

  Result<std::unique_ptr<ObjectWriter>> Create(std::string_view key) override {
    if (Status status = CheckKey(key); !status.ok()) return status;
    std::string whole = Whole(key);
    if (!written_->Take(whole)) {
      return Status(Code::kUnavailable,
                    fmt::format("{} is being written by another writer", Locate(key)));
    }
    return NewObjectWriter(source_, written_, std::move(whole));
  }

  Status PutIfAbsent(std::string_view key, Bytes body) override {
    if (Status status = CheckKey(key); !status.ok()) return status;
    Call call{.method = "PUT", .key = Whole(key), .body = body};
    source_->listed.Forget(call.key);
    call.headers = source_->client->EncryptionHeaders();
    call.headers.emplace_back("If-None-Match: *");
    const Result<Answer> answer = source_->client->Send(call);
    if (!answer.ok()) return answer.status();
    if (answer.value().ok()) return Status();
    // 409: somebody else is writing it at the same time.
    if (answer.value().status == 412 || answer.value().status == 409) return AlreadyExists(key);
    if (answer.value().status != 501) return source_->client->Refusal(call, answer.value());
    const Result<bool> found = Find(key);
    if (!found.ok()) return found.status();
    return found.value() ? AlreadyExists(key) : Put(key, body);
  }

  Status Remove(std::string_view key) override {
    if (Status status = CheckKey(key); !status.ok()) return status;
    const Call call{.method = "DELETE", .key = Whole(key)};
    source_->listed.Forget(call.key);
    const Result<Answer> answer = source_->client->Send(call);
    if (!answer.ok()) return answer.status();
    if (answer.value().ok()) return Status();
    const Status refusal = source_->client->Refusal(call, answer.value());
    return refusal.code() == Code::kNotFound ? Status() : refusal;
  }

  Result<std::unique_ptr<Watch>> WatchPrefix(std::string_view prefix) const override {
    if (Status status = CheckPrefix(prefix); !status.ok()) return status;
    return Status(Code::kUnavailable, "S3 does not report changes");
  }

  std::vector<Result<Blob>> ReadMany(std::span<const std::string> keys) const override {
    std::vector<std::optional<Result<Blob>>> read(keys.size());
    InParallel(keys.size(), [&](size_t i) { read[i] = ReadAll(keys[i]); });
    std::vector<Result<Blob>> blobs;
    blobs.reserve(keys.size());
    for (std::optional<Result<Blob>>& blob : read) blobs.push_back(std::move(*blob));
    return blobs;
  }

  std::chrono::milliseconds look_again_after() const override { return std::chrono::seconds(1); }

 private:
  // Those that are objects of a store.
  Result<std::vector<ListedObject>> ListObjects(std::string_view prefix,
                                                std::string_view start_after) const {
    if (Status status = CheckPrefix(prefix); !status.ok()) return status;
    auto objects = source_->client->List(Whole(prefix),
                                         start_after.empty() ? std::string() : Whole(start_after));
    if (!objects.ok()) return objects.status();
    std::erase_if(objects.value(), [&](const ListedObject& object) {
      if (!object.key.starts_with(prefix_)) return true;
      const std::string key = object.key.substr(prefix_.size());
      // Consoles make empty objects that end in '/' to show folders.
      return !IsValidKey(key) || key <= start_after;
    });
    return objects;
  }

  std::string Whole(std::string_view key) const { return prefix_ + std::string(key); }

  Result<bool> Find(std::string_view key) const {
    const Call call{.method = "HEAD", .key = Whole(key)};
    const Result<Answer> answer = source_->client->Send(call);
    if (!answer.ok()) return answer.status();
    if (answer.value().ok()) return true;
    const Status refusal = source_->client->Refusal(call, answer.value());
    if (refusal.code() == Code::kNotFound) return false;
    return refusal;
  }

  Status AlreadyExists(std::string_view key) const {
    return Status(Code::kExists, fmt::format("{} already exists", Locate(key)));
  }

  const std::shared_ptr<Source> source_;
  const std::string prefix_;
  const std::shared_ptr<WrittenKeys> written_ = std::make_shared<WrittenKeys>();
};

Result<std::unique_ptr<Store>> OpenWithProcessVariables(std::string_view url) {
  return OpenS3Store(url);
}

}  // namespace

Result<std::shared_ptr<Source>> OpenSource(const std::string& bucket, const Variables& variables) {
  ChosenProfile profile = ReadProfile(variables);
  Result<Settings> settings = ReadSettings(variables, profile);
  if (!settings.ok()) return settings.status();
  Result<std::unique_ptr<Cache>> cache = Cache::FromVariables(variables);
  if (!cache.ok()) return cache.status();
  auto credentials =
      std::make_unique<CredentialSource>(variables, std::move(profile), settings.value().region);
  auto source = std::make_shared<Source>();
  source->client =
      std::make_shared<Client>(std::move(settings).value(), bucket, std::move(credentials));
  source->cache = std::move(cache).value();
  return source;
}

std::unique_ptr<Store> NewS3Store(std::shared_ptr<Source> source, std::string prefix) {
  return std::make_unique<S3Store>(std::move(source), std::move(prefix));
}

Result<std::unique_ptr<Store>> OpenS3Store(std::string_view url, const Variables& variables) {
  Result<Location> location = ParseLocation(url);
  if (!location.ok()) return location.status();
  auto source = OpenSource(location.value().bucket, variables);
  if (!source.ok()) return source.status().WithContext(url);
  return NewS3Store(std::move(source).value(), std::move(location.value().prefix));
}

void UseS3() { SetS3Opener(&OpenWithProcessVariables); }

}  // namespace warden::storage::s3
