#ifndef WARDEN_ACTIONS_JOURNAL_H_
#define WARDEN_ACTIONS_JOURNAL_H_

#include <memory>
#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/os/posix.h"

namespace warden::actions {

// An append-only file of JSON objects, one per line: the memory of Dispatcher across restarts. For
// one process at a time (it is locked while this exists), and created so that only its owner can
// read it, since a webhook's address may be a secret. For one thread at a time.
class Journal {
 public:
  // Creates the file and its folder if missing, and reads what is there. kUnavailable if another
  // process has it, kInvalid if it is not a regular file, kIo if the system refuses. The
  // permissions of an existing file are kept.
  static Result<std::unique_ptr<Journal>> Open(const std::string& path);

  // The lines from before it was opened; empty when called again. A line that is not a JSON object,
  // as a killed process may leave, is skipped with a warning.
  std::vector<Json> TakeLines();

  // Survives the end of the process from then on, though not always that of the machine: it is not
  // synchronized to the disk. kIo if it could not be written; a line that was written in part does
  // not harm the next one.
  Status Append(const Json& line);

 private:
  Journal(std::string path, os::UniqueFd file);
  Status Read();

  const std::string path_;
  os::UniqueFd file_;
  std::vector<Json> lines_;
  bool torn_ = false;  // The file does not end with the end of a line.
};

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_JOURNAL_H_
