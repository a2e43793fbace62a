#ifndef WARDEN_STORAGE_FAULT_STORE_H_
#define WARDEN_STORAGE_FAULT_STORE_H_

#include <atomic>
#include <cstdint>

#include "warden/storage/store.h"

namespace warden::storage {

// Where a FaultStore fails.
struct FaultOptions {
  // The writing operation, counted from 1 over the whole store, that fails with kIo, and all later
  // ones with it, as after a loss of power. Create, Append, Commit, PutIfAbsent and Remove count.
  // 0: none fails.
  uint64_t fail_from_write = 0;
  // If that operation is an Append, the first half of its bytes is written before it fails.
  bool tear_append = false;
};

// Another store with faults at chosen places, for tests: what a program leaves when it fails at
// write n is what a reader finds in the base afterwards. To try every place in turn:
//
//   for (uint64_t n = 1;; ++n) {
//     auto base = NewMemStore();
//     FaultStore store(base.get(), {.fail_from_write = n});
//     ... run the program on store, look at what is in *base ...
//     if (!store.has_failed()) break;
//   }
//
// Reading never fails here: it is the base's. Safe for many threads; which of two operations at the
// same time gets which number is then open.
class FaultStore final : public Store {
 public:
  // The base outlives the store and its writers; the store outlives its writers.
  FaultStore(Store* base, FaultOptions options) : base_(base), options_(options) {}

  // Writing operations so far, failed ones included.
  uint64_t writes() const { return writes_; }
  // Whether the chosen operation has come; false for fail_from_write = 0.
  bool has_failed() const {
    return options_.fail_from_write != 0 && writes_ >= options_.fail_from_write;
  }

  std::string Locate(std::string_view key) const override { return base_->Locate(key); }
  Result<std::vector<std::string>> List(std::string_view prefix,
                                        std::string_view start_after = {}) const override {
    return base_->List(prefix, start_after);
  }
  Result<std::shared_ptr<const Object>> Open(std::string_view key) const override {
    return base_->Open(key);
  }
  bool Exists(std::string_view key) const override { return base_->Exists(key); }
  Result<std::unique_ptr<Watch>> WatchPrefix(std::string_view prefix) const override {
    return base_->WatchPrefix(prefix);
  }

  Result<std::unique_ptr<ObjectWriter>> Create(std::string_view key) override;
  Status PutIfAbsent(std::string_view key, Bytes body) override;
  Status Remove(std::string_view key) override;

 private:
  class Writer;

  // The number of the next writing operation.
  uint64_t Count() { return ++writes_; }
  // kIo if the operation of that number is to fail.
  Status Check(uint64_t write, std::string_view operation, std::string_view key) const;

  Store* const base_;
  const FaultOptions options_;
  std::atomic<uint64_t> writes_ = 0;
};

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_FAULT_STORE_H_
