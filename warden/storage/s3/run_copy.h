#ifndef WARDEN_STORAGE_S3_RUN_COPY_H_
#define WARDEN_STORAGE_S3_RUN_COPY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/storage/s3/s3_parts.h"
#include "warden/storage/store.h"

namespace warden::storage::s3 {

// A copy of one run in a local folder: of all that is not the values of tensors (events/), which
// are read where they are. Files become visible whole and in an order that no reader stumbles over,
// those that grow are continued, and all have the times that the server tells. If the run was
// replaced by another one under its name, the folder is written again. For one thread, which waits
// for the network.
class RunCopy {
 public:
  // prefix: of the run's keys, whole, with '/' at the end. folder: absolute; made by Update.
  RunCopy(std::shared_ptr<Source> source, std::string prefix, std::string folder);

  enum class Extent { kWithoutProfile, kAll };
  struct Outcome {
    bool complete = true;  // False: there is more, for the next call.
    bool changed = false;  // Something was new.
    bool full = false;     // Files were left out, since they are larger than the room.
  };
  // Copies what is new or has changed, 2000 files at most. room: bytes that may be added. Errors
  // are those of stores and of Client; the next call continues.
  Result<Outcome> Update(Extent extent, uint64_t room);

  // Removes what only kAll copies. The next Update with it copies it again.
  void DropProfile();

  uint64_t bytes() const { return bytes_; }                  // In the folder.
  uint64_t profile_bytes() const { return profile_bytes_; }  // What DropProfile would free.
  bool ended() const { return ended_; }  // The end mark is there: the run grows no more.

 private:
  using Objects = std::map<std::string, ListedObject>;  // By key below the prefix.
  struct Copied {
    std::string etag;
    uint64_t size = 0;
  };

  Result<Objects> List(Extent extent) const;
  Status ListBelow(const std::string& folder, Objects* objects) const;
  // Whether steps that were copied are others now.
  bool IsReplaced(const Objects& objects) const;
  void Clear();
  Status RemoveVanished(const Objects& objects, Extent extent);
  Status CopyNew(const std::vector<std::string>& keys, const Objects& objects);
  // Adds what the file has more than its copy.
  Status Continue(const std::string& key, const ListedObject& object);
  Status Rename(const std::string& from, const std::string& to);
  void SetCopied(const std::string& key, Copied copied);
  void Forget(const std::string& key);
  void SetTimes(const Objects& objects) const;

  const std::shared_ptr<Source> source_;
  const std::string prefix_;
  const std::string folder_;
  const std::unique_ptr<Store> from_;
  const std::unique_ptr<Store> to_;
  std::map<std::string, Copied> copied_;
  uint64_t bytes_ = 0;
  uint64_t profile_bytes_ = 0;
  bool ended_ = false;
};

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_RUN_COPY_H_
