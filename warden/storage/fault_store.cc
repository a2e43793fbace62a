#include "warden/storage/fault_store.h"

#include <fmt/format.h>

#include <algorithm>

namespace warden::storage {
namespace {

// The first half of all bytes.
std::vector<Bytes> FirstHalf(std::span<const Bytes> parts) {
  size_t left = 0;
  for (const Bytes part : parts) left += part.size();
  left /= 2;
  std::vector<Bytes> half;
  for (const Bytes part : parts) {
    half.push_back(part.first(std::min(left, part.size())));
    left -= half.back().size();
  }
  return half;
}

}  // namespace

class FaultStore::Writer final : public ObjectWriter {
 public:
  Writer(FaultStore* store, std::string key, std::unique_ptr<ObjectWriter> base)
      : store_(store), key_(std::move(key)), base_(std::move(base)) {}

  Status Append(std::span<const Bytes> parts) override {
    const uint64_t write = store_->Count();
    Status status = store_->Check(write, "append to", key_);
    if (status.ok()) return base_->Append(parts);
    if (store_->options_.tear_append && write == store_->options_.fail_from_write) {
      const Status torn = base_->Append(FirstHalf(parts));
      if (!torn.ok()) return torn;
    }
    return status;
  }

  Status Commit() override {
    Status status = store_->Check(store_->Count(), "commit", key_);
    return status.ok() ? base_->Commit() : status;
  }

 private:
  FaultStore* const store_;
  const std::string key_;
  const std::unique_ptr<ObjectWriter> base_;
};

Status FaultStore::Check(uint64_t write, std::string_view operation, std::string_view key) const {
  if (options_.fail_from_write == 0 || write < options_.fail_from_write) return Status();
  return Status(Code::kIo, fmt::format("cannot {} {}: injected fault", operation, Locate(key)));
}

Result<std::unique_ptr<ObjectWriter>> FaultStore::Create(std::string_view key) {
  if (Status status = Check(Count(), "create", key); !status.ok()) return status;
  auto writer = base_->Create(key);
  if (!writer.ok()) return writer.status();
  return std::unique_ptr<ObjectWriter>(
      std::make_unique<Writer>(this, std::string(key), std::move(writer).value()));
}

Status FaultStore::PutIfAbsent(std::string_view key, Bytes body) {
  Status status = Check(Count(), "put", key);
  return status.ok() ? base_->PutIfAbsent(key, body) : status;
}

Status FaultStore::Remove(std::string_view key) {
  Status status = Check(Count(), "remove", key);
  return status.ok() ? base_->Remove(key) : status;
}

}  // namespace warden::storage
