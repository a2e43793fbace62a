#ifndef WARDEN_STORAGE_STORE_H_
#define WARDEN_STORAGE_STORE_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::storage {

// Bytes together with what keeps them alive: a mapping, a buffer.
struct Blob {
  Bytes bytes;
  std::shared_ptr<const void> owner;
};

// An object as it was when it was opened; replacing it in the store does not disturb this one.
// Safe for many threads.
class Object {
 public:
  virtual ~Object() = default;
  virtual uint64_t size() const = 0;
  // The range [offset, offset + length). kTruncated if the object ends before the range does;
  // nothing is allocated in that case. Large ranges of local files are mapped, not copied.
  virtual Result<Blob> Read(uint64_t offset, uint64_t length) const = 0;
};

// An object in the making. Nobody sees it before Commit; destroyed without it, it leaves nothing.
class ObjectWriter {
 public:
  virtual ~ObjectWriter() = default;
  // All parts in order. After an error the writer is of no further use.
  virtual Status Append(std::span<const Bytes> parts) = 0;
  // Makes it visible, whole, under its key, replacing what was there. To be called once. kNotFound
  // if it was removed in the making; others can still be written.
  virtual Status Commit() = 0;

  Status Append(Bytes part) { return Append(std::span(&part, 1)); }
};

// Tells of objects that appear below a prefix. For one thread.
class Watch {
 public:
  virtual ~Watch() = default;
  // Returns when something may have changed since the last Take, or after the timeout.
  // False only if nothing did.
  virtual bool Wait(std::chrono::milliseconds timeout) = 0;
  struct Changes {
    std::vector<std::string> keys;  // Appeared or replaced, each at least once, in no order.
    bool list_again = false;        // Some may have been missed: list instead.
  };
  virtual Changes Take() = 0;
};

// A folder of named byte objects. Keys are relative paths with '/' between the parts; a key with an
// empty, "." or ".." part is refused with kInvalid, so that no file outside can be named, and so is
// one that ends in ".tmp", the mark of unfinished objects. Safe for many threads.
class Store {
 public:
  virtual ~Store() = default;

  // Where a key lives, as a person would name it: for messages.
  virtual std::string Locate(std::string_view key) const = 0;

  // All keys that begin with prefix and come after start_after, in byte order. Unfinished objects
  // are not listed. Nothing there is an empty list, not an error.
  virtual Result<std::vector<std::string>> List(std::string_view prefix,
                                                std::string_view start_after = {}) const = 0;

  // kNotFound if there is no such object (a folder is none).
  virtual Result<std::shared_ptr<const Object>> Open(std::string_view key) const = 0;

  virtual bool Exists(std::string_view key) const = 0;

  // kUnavailable while another writer of the same key, in any process, is neither committed nor
  // destroyed.
  virtual Result<std::unique_ptr<ObjectWriter>> Create(std::string_view key) = 0;

  // kExists if the key is taken; of many who try at once, one succeeds.
  virtual Status PutIfAbsent(std::string_view key, Bytes body) = 0;

  // Removing what is not there is no error.
  virtual Status Remove(std::string_view key) = 0;

  // Changes from now on. kUnavailable where the store cannot tell: poll List then.
  virtual Result<std::unique_ptr<Watch>> WatchPrefix(std::string_view prefix) const = 0;

  // Create, Append and Commit in one: a reader sees the old object or the whole new one.
  Status Put(std::string_view key, Bytes body);
  // The whole object.
  Result<Blob> ReadAll(std::string_view key) const;
};

// Whether a key is well formed.
bool IsValidKey(std::string_view key);

// The store that the URL or path names: "mem:" is a fresh empty store, anything without "://" in it
// is a local folder ("file://" in front and "~/" at its start are understood). The folder need not
// exist; writing makes it. kInvalid for every other scheme, "s3://" among them.
Result<std::unique_ptr<Store>> OpenStore(std::string_view url);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_STORE_H_
