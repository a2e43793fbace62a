#ifndef WARDEN_STORAGE_S3_S3_PARTS_H_
#define WARDEN_STORAGE_S3_S3_PARTS_H_

#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>

#include "warden/base/status.h"
#include "warden/storage/s3/cache.h"
#include "warden/storage/s3/client.h"
#include "warden/storage/s3/profiles.h"
#include "warden/storage/store.h"

// The parts of the store in S3; see s3_store.h.
namespace warden::storage::s3 {

// The keys, whole, that writers of this process hold. Safe for many threads.
class WrittenKeys {
 public:
  // False if somebody else holds it.
  bool Take(const std::string& key) {
    const std::lock_guard lock(mutex_);
    return keys_.insert(key).second;
  }
  void Give(const std::string& key) {
    const std::lock_guard lock(mutex_);
    keys_.erase(key);
  }

 private:
  std::mutex mutex_;
  std::set<std::string> keys_;
};

// Which version of each object the last list showed. What it says counts for half a minute. Safe
// for many threads.
class ListedVersions {
 public:
  void Saw(std::string key, std::string etag);
  // It is written or removed here: what was listed no longer counts.
  void Forget(const std::string& key);
  // Its ETag; empty if it was not listed lately.
  std::string Of(const std::string& key) const;

 private:
  struct Version {
    std::string etag;
    std::chrono::steady_clock::time_point seen;
  };
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Version> versions_;
};

// What reading takes: requests, what was fetched before, what was listed. Safe for many threads.
struct Source {
  std::shared_ptr<Client> client;
  std::unique_ptr<Cache> cache;
  ListedVersions listed;
};

// For a bucket, as the variables say. kInvalid for one of them that is not accepted.
Result<std::shared_ptr<Source>> OpenSource(const std::string& bucket, const Variables& variables);

// The store of all keys that begin with prefix, which is empty or ends in '/'.
std::unique_ptr<Store> NewS3Store(std::shared_ptr<Source> source, std::string prefix);

// Opens with one request, which brings the first 256 KB: small objects are read whole by it. Reads
// the rest by range. Without a request if a list has just shown the version that is in the cache.
// key: whole. Errors as of Store::Open.
Result<std::shared_ptr<const Object>> OpenObject(std::shared_ptr<Source> source, std::string key);

// Collects what is appended; from 8 MB on it is sent in parts while more comes. REQUIRES: key is
// taken in keys; the writer gives it back.
std::unique_ptr<ObjectWriter> NewObjectWriter(std::shared_ptr<Source> source,
                                              std::shared_ptr<WrittenKeys> keys, std::string key);

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_S3_PARTS_H_
