#ifndef WARDEN_STORAGE_S3_UPLOAD_H_
#define WARDEN_STORAGE_S3_UPLOAD_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/os/posix.h"
#include "warden/storage/s3/client.h"
#include "warden/storage/s3/profiles.h"
#include "warden/storage/store.h"

namespace warden::storage::s3 {

// Copies the folder of a run to S3, also while it grows:
//
//   auto upload = Upload::Open("runs/1", "s3://bucket/1");
//   if (!upload.ok()) return upload.status();
//   const auto sent = upload.value()->Pass();   // Again and again.
//
// Objects become visible in an order that no reader stumbles over: first what is referred to, then
// index files, then the end mark. A file that is there already, with the same size and not older,
// is not sent again, so that an interrupted upload continues where it stopped. The claim of a
// process on the run is not sent: it means nothing elsewhere. Nothing is removed at either place,
// but for RemoveSent. For one thread, which waits for the network.
class Upload {
 public:
  // folder: a local one, as OpenStore takes it. kInvalid for a folder or a URL that is none, or for
  // variables that are not accepted. Nothing is sent yet.
  //
  // journal: a file that keeps what was sent, for the next time; then nothing depends on the
  // server's clock, and no list is asked for. Empty: none.
  static Result<std::unique_ptr<Upload>> Open(std::string_view folder, std::string_view url,
                                              const Variables& variables = ProcessVariables(),
                                              std::string journal = "");

  struct Sent {
    uint64_t files = 0;
    uint64_t bytes = 0;
    bool ended = false;  // The end mark is there: the run grows no more.
  };
  // Sends what is new or has changed since the last pass. kUnavailable if the server does not
  // answer: the next pass sends the rest. Other errors are those of stores.
  //
  // Large files that grow a little all the time, such as logs, may wait for half a minute; with
  // `complete` they do not.
  enum class Extent { kMayWait, kComplete };
  Result<Sent> Pass(Extent extent = Extent::kComplete);

  // Whether the journal says that something was sent before.
  bool has_begun() const { return !sent_.empty(); }

  // Whether anything is there that was not sent. Asks nobody but the local disk.
  Result<bool> HasMore();

  // Removes local files with values of tensors, which were sent and have not changed since, oldest
  // steps first, until it has freed that many bytes or none is left. Returns how many it has.
  uint64_t RemoveSent(uint64_t bytes);

  // So far, by all passes.
  const Sent& total() const { return total_; }

 private:
  struct Version {
    uint64_t size = 0;
    int64_t modified_ns = 0;  // Since 1970.
    bool operator==(const Version&) const = default;
  };
  struct SentFile {
    Version version;
    std::chrono::steady_clock::time_point when = {};
  };
  struct File {
    std::string key;
    Version version;
  };

  Upload(std::unique_ptr<Store> from, std::unique_ptr<Store> to, std::shared_ptr<Client> client,
         std::string prefix, std::string journal)
      : from_(std::move(from)),
        to_(std::move(to)),
        client_(std::move(client)),
        prefix_(std::move(prefix)),
        journal_(std::move(journal)) {}

  Status LookWhatIsThere();
  Status ReadJournal();
  // The end of the journal, where the file was sent.
  Status Note(const File& file);
  // Its version now; nothing if it was removed.
  std::optional<Version> VersionOf(const std::string& key) const;
  Result<std::vector<File>> NewFiles(Extent extent);
  Status SendAll(const std::vector<File>& files, Sent* sent);
  Status SendFile(const File& file) const;

  const std::unique_ptr<Store> from_;
  const std::unique_ptr<Store> to_;
  const std::shared_ptr<Client> client_;
  const std::string prefix_;
  const std::string journal_;
  os::UniqueFd journal_end_;
  bool looked_ = false;
  std::map<std::string, ListedObject, std::less<>> there_;  // When it began, by key below prefix.
  std::map<std::string, SentFile, std::less<>> sent_;
  Sent total_;
};

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_UPLOAD_H_
