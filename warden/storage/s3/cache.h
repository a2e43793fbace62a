#ifndef WARDEN_STORAGE_S3_CACHE_H_
#define WARDEN_STORAGE_S3_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/storage/s3/profiles.h"

namespace warden::storage::s3 {

// What was fetched before, on this machine's disk, for this user alone. Names say the version, too,
// so that nothing in it grows old. Bounded: what was not used for longest goes first. A cache that
// cannot be written or read is an empty one, never an error. Safe for many threads, and several
// processes may use the same folder.
class Cache {
 public:
  // folder: made when something is put. Empty: nothing is kept.
  Cache(std::string folder, uint64_t most_bytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  // $WARDEN_S3_CACHE, a folder or "off", else tensorwarden/s3 in $XDG_CACHE_HOME or ~/.cache; of
  // $WARDEN_S3_CACHE_MB, else 2048 MB. kInvalid names a variable that is not accepted.
  static Result<std::unique_ptr<Cache>> FromVariables(const Variables& variables);

  // What was put under that name, whole and unchanged; nothing if it is not there any more.
  std::optional<std::vector<std::byte>> Get(std::string_view name);
  // Things of more than an eighth of the bound are not kept.
  void Put(std::string_view name, Bytes content);

 private:
  std::string PathOf(std::string_view name) const;
  void Shrink();

  const std::string folder_;
  const uint64_t most_bytes_;
  std::mutex mutex_;
  std::optional<uint64_t> bytes_;  // In the folder, as far as this process knows.
};

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_CACHE_H_
