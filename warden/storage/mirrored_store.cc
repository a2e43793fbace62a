#include "warden/storage/mirrored_store.h"

#include <fmt/format.h>

#include <utility>

namespace warden::storage {
namespace {

class MirroredStore final : public Store {
 public:
  MirroredStore(std::unique_ptr<const Store> copy, std::unique_ptr<const Store> original,
                std::string prefix)
      : copy_(std::move(copy)), original_(std::move(original)), prefix_(std::move(prefix)) {}

  std::string Locate(std::string_view key) const override { return original_->Locate(key); }

  Result<std::vector<std::string>> List(std::string_view prefix,
                                        std::string_view start_after) const override {
    return For(prefix).List(prefix, start_after);
  }
  Result<std::shared_ptr<const Object>> Open(std::string_view key) const override {
    return For(key).Open(key);
  }
  bool Exists(std::string_view key) const override { return For(key).Exists(key); }

  Result<std::unique_ptr<ObjectWriter>> Create(std::string_view key) override {
    return Refused(key);
  }
  Status PutIfAbsent(std::string_view key, Bytes) override { return Refused(key); }
  Status Remove(std::string_view key) override { return Refused(key); }

  Result<std::unique_ptr<Watch>> WatchPrefix(std::string_view prefix) const override {
    return For(prefix).WatchPrefix(prefix);
  }

 private:
  const Store& For(std::string_view key) const {
    return key.starts_with(prefix_) ? *original_ : *copy_;
  }
  Status Refused(std::string_view key) const {
    return Status(Code::kInvalid, fmt::format("{} is only read here", Locate(key)));
  }

  const std::unique_ptr<const Store> copy_;
  const std::unique_ptr<const Store> original_;
  const std::string prefix_;
};

}  // namespace

std::unique_ptr<Store> NewMirroredStore(std::unique_ptr<const Store> copy,
                                        std::unique_ptr<const Store> original, std::string prefix) {
  return std::make_unique<MirroredStore>(std::move(copy), std::move(original), std::move(prefix));
}

}  // namespace warden::storage
