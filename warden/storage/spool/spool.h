#ifndef WARDEN_STORAGE_SPOOL_SPOOL_H_
#define WARDEN_STORAGE_SPOOL_SPOOL_H_

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"

namespace warden::storage::spool {

// A run on its way to S3. Those who write it write to a local folder, as for any run; another
// process sends the files (s3/spool_upload.h) and removes the folder when nobody writes any more
// and all of it is there. Nothing here waits for the network.
//
//   auto run = Join("s3://bucket/run");
//   if (!run.ok()) return run.status();
//   ... write below run.value().run ...
//
// On the disk a spooled run is a folder that only this user may enter, with
//   spool.json   where the files go
//   writers      locked by each process that writes
//   uploader     locked by the process that sends
//   sent         which files were sent; see s3/upload.h
//   state.json   what the uploader says: see UploadError
//   upload.log   its messages
//   NAME/        the files, NAME being the last part of the URL
struct SpooledRun {
  std::string folder;  // Of all of this, absolute.
  std::string files;   // What is sent,
  std::string url;     // and to where.
  // Where the run itself lies in the two: with "debug-output" at the end of the URL, the files are
  // those of the folder above, where rules leave their records.
  std::string run;
  std::string run_url;
  std::map<std::string, std::string> variables;  // See ServerVariables.

  std::string WritersLock() const { return folder + "/writers"; }
  std::string UploaderLock() const { return folder + "/uploader"; }
  std::string SentFile() const { return folder + "/sent"; }
  std::string StateFile() const { return folder + "/state.json"; }
  std::string LogFile() const { return folder + "/upload.log"; }
};

// The spooled run for a URL, made if it is missing, with this process as one of its writers until
// it ends or leaves. Processes of one machine that write to the same URL of the same server share
// it. kInvalid for a URL or variables that are not accepted, kIo if it cannot be made. Safe for
// many threads.
Result<SpooledRun> Join(std::string_view url);
// The same for one that is there. kNotFound if it no longer is.
Status JoinAgain(const SpooledRun& run);
// This process writes no more.
void Leave(const SpooledRun& run);

// The spooled run whose run lies in that local folder, if it is one.
std::optional<SpooledRun> FindByFolder(std::string_view folder);
// The one in that folder of the spool.
std::optional<SpooledRun> Read(const std::string& folder);
// All of this machine and user. kInvalid as ReadSettings.
Result<std::vector<SpooledRun>> All();

}  // namespace warden::storage::spool

#endif  // WARDEN_STORAGE_SPOOL_SPOOL_H_
