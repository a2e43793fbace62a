#ifndef WARDEN_ACTIONS_JOURNAL_H_
#define WARDEN_ACTIONS_JOURNAL_H_

#include <memory>
#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/storage/posix.h"

namespace warden::actions {

// A file of JSON objects, one to a line, that is only ever added to. Of one process at a time, and
// readable by its owner only, for a webhook's address may be a secret. For one thread at a time.
class Journal {
 public:
  // Makes the file and its folder where they are missing. kUnavailable if another process has it,
  // kInvalid if there is something else than a file in its place.
  static Result<std::unique_ptr<Journal>> Open(const std::string& path);

  // What it held when it was opened. A line that is no JSON object, as a killed process leaves, is
  // passed over with a warning.
  std::vector<Json> TakeLines();

  // Survives the end of the process from then on, though not always that of the machine.
  Status Append(const Json& line);

 private:
  Journal(std::string path, storage::UniqueFd file);
  Status Read();

  const std::string path_;
  storage::UniqueFd file_;
  std::vector<Json> lines_;
  bool torn_ = false;  // The file does not end with the end of a line.
};

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_JOURNAL_H_
