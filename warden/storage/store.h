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

// Where the bytes of a run live: a folder of named objects that appear whole or not at all. capture
// writes runs through this, trial and the dashboard read them, and tests put memory in its place.
//
//   auto store = OpenStore("runs/1");
//   if (!store.ok()) return store.status();
//   Status put = store.value()->Put("events/a", AsBytes("text"));
//   auto keys = store.value()->List("events/");     // {"events/a"}
//   auto blob = store.value()->ReadAll("events/a");  // kNotFound if it is not there.

// Bytes together with what keeps them alive: a mapping, a buffer. The bytes are valid as long as
// any copy of owner lives, also after the object and the store are gone. An empty blob may have no
// owner.
struct Blob {
  Bytes bytes;
  std::shared_ptr<const void> owner;
};

// An object as it was when it was opened; replacing or removing it in the store does not disturb
// this one. Safe for many threads.
class Object {
 public:
  virtual ~Object() = default;
  // In bytes, when it was opened.
  virtual uint64_t size() const = 0;
  // The range [offset, offset + length). kTruncated if the object ends before the range does;
  // nothing is allocated in that case. kIo if the system refuses. Large ranges of local files may
  // be mapped instead of copied; see shortened_files.h.
  virtual Result<Blob> Read(uint64_t offset, uint64_t length) const = 0;
};

// An object in the making. Nobody sees it before Commit; destroyed without it, it leaves nothing.
// For one thread at a time.
//
//   auto writer = store->Create(key);
//   if (!writer.ok()) return writer.status();
//   if (Status s = writer.value()->Append(bytes); !s.ok()) return s;
//   return writer.value()->Commit();
class ObjectWriter {
 public:
  virtual ~ObjectWriter() = default;
  // Writes all parts in order; they need to live only during the call. kIo, e.g. on a full disk:
  // after an error the writer is of no further use.
  virtual Status Append(std::span<const Bytes> parts) = 0;
  // Makes it visible, whole, under its key, replacing what was there. To be called once; a second
  // call is kInvalid. kNotFound if its folder was removed meanwhile; other objects can still be
  // written. kIo otherwise.
  virtual Status Commit() = 0;

  // One part.
  Status Append(Bytes part) { return Append(std::span(&part, 1)); }
};

// Reports objects that appear below a prefix, from the moment of WatchPrefix on. To miss nothing,
// watch first and then list. For one thread. May outlive its store.
//
//   while (watch->Wait(std::chrono::seconds(1))) {
//     const Watch::Changes changes = watch->Take();
//     if (changes.list_again) ... list the prefix ...
//     for (const std::string& key : changes.keys) ... read it ...
//   }
class Watch {
 public:
  virtual ~Watch() = default;
  // Returns when something may have changed since the last Take, or after the timeout, which may be
  // 0 to ask without waiting. False only if nothing did.
  virtual bool Wait(std::chrono::milliseconds timeout) = 0;
  struct Changes {
    std::vector<std::string> keys;  // Appeared or replaced, each at least once, in no order.
    bool list_again = false;        // Some may have been missed: list instead.
  };
  // What changed since the last Take; does not wait. Removed objects are not reported.
  virtual Changes Take() = 0;
};

// A folder of named byte objects. Keys are relative paths with '/' between the parts; a key with an
// empty, "." or ".." part is refused with kInvalid, so that no file outside can be named, and so is
// one that ends in ".tmp", the mark of unfinished objects. Safe for many threads, and several
// processes may use the same folder. What a store hands out does not refer to it, with the one
// exception of FaultStore's writers.
//
// Besides the codes below, any call may give kIo if the system refuses, and kInvalid for a name
// that is too long for it.
class Store {
 public:
  virtual ~Store() = default;

  // Where a key lives, as a person would name it: for messages. Never fails, whether or not the
  // object exists; "" gives the folder of the store.
  virtual std::string Locate(std::string_view key) const = 0;

  // All keys that begin with prefix and come after start_after, in byte order. Unfinished objects
  // are not listed. Nothing there is an empty list, not an error. kInvalid for a prefix whose
  // folder is not well formed.
  virtual Result<std::vector<std::string>> List(std::string_view prefix,
                                                std::string_view start_after = {}) const = 0;

  // Opens an object for reading. kNotFound if there is no such object; a folder is not an object.
  virtual Result<std::shared_ptr<const Object>> Open(std::string_view key) const = 0;

  // Whether Open would find it. False for keys that are not well formed, too.
  virtual bool Exists(std::string_view key) const = 0;

  // Begins an object, or a new version of one. Folders on the way are made. kUnavailable while
  // another writer of the same key, in any process, is neither committed nor destroyed.
  virtual Result<std::unique_ptr<ObjectWriter>> Create(std::string_view key) = 0;

  // Writes a whole object under a free key. kExists if the key is taken; of many who try at once,
  // one succeeds.
  virtual Status PutIfAbsent(std::string_view key, Bytes body) = 0;

  // Removing what is not there is ok. Folders stay, also empty ones. Those who have the object open
  // can still read it.
  virtual Status Remove(std::string_view key) = 0;

  // Changes from now on. kUnavailable where the store cannot report them: poll List then. kInvalid
  // as in List.
  virtual Result<std::unique_ptr<Watch>> WatchPrefix(std::string_view prefix) const = 0;

  // ReadAll of many, in the order of the keys. Stores where each request waits for a network have
  // several under way.
  virtual std::vector<Result<Blob>> ReadMany(std::span<const std::string> keys) const;

  // What all objects whose keys begin with prefix take. Errors as of List; an object that is
  // removed meanwhile does not count.
  virtual Result<uint64_t> BytesBelow(std::string_view prefix) const;

  // How long to wait before looking for something new, where changes are not reported.
  virtual std::chrono::milliseconds look_again_after() const {
    return std::chrono::milliseconds(100);
  }

  // Create, Append and Commit in one: a reader sees the old object or the whole new one. Errors are
  // those of the three.
  Status Put(std::string_view key, Bytes body);
  // Open and Read in one: the whole object. Errors are those of the two.
  Result<Blob> ReadAll(std::string_view key) const;
};

// Whether a key is well formed: parts between '/' that are not empty, "." or "..", without zero
// bytes, and no ".tmp" at the end.
bool IsValidKey(std::string_view key);

// The store that the URL or path names: "mem:" is a fresh empty store, "s3://" a place in S3 where
// the process uses it (s3/s3_store.h), anything without "://" in it is a local folder ("file://" in
// front and "~/" at its start are understood). The folder need not exist; writing makes it.
// kInvalid for every other scheme, for an empty path, and for "~/" without $HOME. Opening does not
// touch the folder: a bad one shows when it is used.
Result<std::unique_ptr<Store>> OpenStore(std::string_view url);

// Whether the URL names a place that is not a folder of this machine: no program but through a
// store can read it.
inline bool IsRemote(std::string_view url) { return url.starts_with("s3://"); }

// What opens "s3://" in this process from now on; see s3::UseS3. Without it, as in a training
// process, OpenStore refuses S3 and no network library is loaded. Safe for many threads.
using S3Opener = Result<std::unique_ptr<Store>> (*)(std::string_view url);
void SetS3Opener(S3Opener opener);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_STORE_H_
