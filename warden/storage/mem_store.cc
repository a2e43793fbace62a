#include "warden/storage/mem_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>

#include "warden/storage/contract.h"

namespace warden::storage {
namespace {

using Buffer = std::vector<std::byte>;

// What one watch has not told yet. Guarded by the mutex of the contents.
struct Pending {
  std::string prefix;
  std::set<std::string> keys;
};

// What the store, its writers and its watches share; it lives as long as any of them.
struct Contents {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, std::shared_ptr<const Buffer>, std::less<>> objects;
  std::set<std::string, std::less<>> being_written;
  std::set<Pending*> watches;

  // REQUIRES: mutex is held.
  void Set(const std::string& key, Buffer body) {
    objects.insert_or_assign(key, std::make_shared<const Buffer>(std::move(body)));
    for (Pending* watch : watches) {
      if (key.starts_with(watch->prefix)) watch->keys.insert(key);
    }
    changed.notify_all();
  }
};

class MemObject final : public Object {
 public:
  MemObject(std::string name, std::shared_ptr<const Buffer> body)
      : name_(std::move(name)), body_(std::move(body)) {}

  uint64_t size() const override { return body_->size(); }

  Result<Blob> Read(uint64_t offset, uint64_t length) const override {
    if (Status status = CheckRange(name_, size(), offset, length); !status.ok()) return status;
    return Blob{Bytes(*body_).subspan(offset, length), body_};
  }

 private:
  const std::string name_;
  const std::shared_ptr<const Buffer> body_;
};

class MemWriter final : public ObjectWriter {
 public:
  MemWriter(std::shared_ptr<Contents> contents, std::string key)
      : contents_(std::move(contents)), key_(std::move(key)) {}

  ~MemWriter() override {
    if (committed_) return;
    const std::lock_guard lock(contents_->mutex);
    contents_->being_written.erase(key_);
  }

  Status Append(std::span<const Bytes> parts) override {
    for (const Bytes part : parts) body_.insert(body_.end(), part.begin(), part.end());
    return Status();
  }

  Status Commit() override {
    if (std::exchange(committed_, true)) {
      return Status(Code::kInvalid, fmt::format("mem:{} is already committed", key_));
    }
    const std::lock_guard lock(contents_->mutex);
    contents_->being_written.erase(key_);
    contents_->Set(key_, std::move(body_));
    return Status();
  }

 private:
  const std::shared_ptr<Contents> contents_;
  const std::string key_;
  Buffer body_;
  bool committed_ = false;
};

class MemWatch final : public Watch {
 public:
  MemWatch(std::shared_ptr<Contents> contents, std::string_view prefix)
      : contents_(std::move(contents)), pending_{std::string(prefix), {}} {
    const std::lock_guard lock(contents_->mutex);
    contents_->watches.insert(&pending_);
  }

  ~MemWatch() override {
    const std::lock_guard lock(contents_->mutex);
    contents_->watches.erase(&pending_);
  }

  bool Wait(std::chrono::milliseconds timeout) override {
    // More than a year; the limit is there so that no sum overflows.
    constexpr std::chrono::milliseconds kLongest = std::chrono::hours(9000);
    std::unique_lock lock(contents_->mutex);
    return contents_->changed.wait_for(lock, std::min(timeout, kLongest),
                                       [this] { return !pending_.keys.empty(); });
  }

  Changes Take() override {
    const std::lock_guard lock(contents_->mutex);
    Changes changes;
    changes.keys.assign(pending_.keys.begin(), pending_.keys.end());
    pending_.keys.clear();
    return changes;
  }

 private:
  const std::shared_ptr<Contents> contents_;
  Pending pending_;
};

class MemStore final : public Store {
 public:
  std::string Locate(std::string_view key) const override { return fmt::format("mem:{}", key); }

  Result<std::vector<std::string>> List(std::string_view prefix,
                                        std::string_view start_after) const override {
    if (Status status = CheckPrefix(prefix); !status.ok()) return status;
    const std::lock_guard lock(contents_->mutex);
    std::vector<std::string> keys;
    auto object = contents_->objects.lower_bound(std::max(prefix, start_after));
    for (; object != contents_->objects.end() && object->first.starts_with(prefix); ++object) {
      if (object->first > start_after) keys.push_back(object->first);
    }
    return keys;
  }

  Result<std::shared_ptr<const Object>> Open(std::string_view key) const override {
    if (Status status = CheckKey(key); !status.ok()) return status;
    const std::lock_guard lock(contents_->mutex);
    const auto found = contents_->objects.find(key);
    if (found == contents_->objects.end()) {
      return Status(Code::kNotFound, fmt::format("{}: no such object", Locate(key)));
    }
    return std::shared_ptr<const Object>(std::make_shared<MemObject>(Locate(key), found->second));
  }

  bool Exists(std::string_view key) const override {
    const std::lock_guard lock(contents_->mutex);
    return contents_->objects.contains(key);
  }

  Result<std::unique_ptr<ObjectWriter>> Create(std::string_view key) override {
    if (Status status = CheckKey(key); !status.ok()) return status;
    const std::lock_guard lock(contents_->mutex);
    if (!contents_->being_written.emplace(key).second) {
      return Status(Code::kUnavailable,
                    fmt::format("{} is being written by another writer", Locate(key)));
    }
    return std::unique_ptr<ObjectWriter>(std::make_unique<MemWriter>(contents_, std::string(key)));
  }

  Status PutIfAbsent(std::string_view key, Bytes body) override {
    if (Status status = CheckKey(key); !status.ok()) return status;
    const std::lock_guard lock(contents_->mutex);
    if (contents_->objects.contains(key)) {
      return Status(Code::kExists, fmt::format("{} already exists", Locate(key)));
    }
    contents_->Set(std::string(key), Buffer(body.begin(), body.end()));
    return Status();
  }

  Status Remove(std::string_view key) override {
    if (Status status = CheckKey(key); !status.ok()) return status;
    const std::lock_guard lock(contents_->mutex);
    if (const auto found = contents_->objects.find(key); found != contents_->objects.end()) {
      contents_->objects.erase(found);
    }
    return Status();
  }

  Result<std::unique_ptr<Watch>> WatchPrefix(std::string_view prefix) const override {
    if (Status status = CheckPrefix(prefix); !status.ok()) return status;
    return std::unique_ptr<Watch>(std::make_unique<MemWatch>(contents_, prefix));
  }

 private:
  const std::shared_ptr<Contents> contents_ = std::make_shared<Contents>();
};

}  // namespace

std::unique_ptr<Store> NewMemStore() { return std::make_unique<MemStore>(); }

}  // namespace warden::storage
