#ifndef WARDEN_JOBS_EVENTS_FINDINGS_FILE_H_
#define WARDEN_JOBS_EVENTS_FINDINGS_FILE_H_

// What a rule's agent has found, on its way to the actions and into mails.

#include <cstdint>
#include <string>
#include <vector>

#include "warden/actions/event.h"
#include "warden/os/posix.h"

namespace warden::jobs {

// The file in an agent's folder, findings.jsonl: actions::Firing as JSON (actions/event.h), one on
// a line; findings of one step are written together. An agent that was restarted starts it again.
std::string FindingsIn(const std::string& folder);

// Reads such a file while it grows. For one thread. Opens the file for each call, so that it costs
// nothing between them. A service that was restarted reads all findings again: actions tell
// repetitions by the finding's ID.
class FindingsReader {
 public:
  // folder: of the rule's agent. Begins with the first finding.
  explicit FindingsReader(const std::string& folder) : path_(FindingsIn(folder)) {}

  // Returns what was added since the last call, complete lines only; from the beginning if the file
  // became shorter. At most 4 MB a call: the rest comes with the next. Invalid lines are logged and
  // skipped; a missing file has none.
  std::vector<actions::Firing> Next();

 private:
  const std::string path_;
  uint64_t position_ = 0;  // Of the first byte that was not read as a line.
};

// Writes such a file, emptied at the start. For one thread. Readable for its owner alone.
class FindingsWriter {
 public:
  // folder: of the rule's agent. A file that cannot be opened is logged with the first finding.
  explicit FindingsWriter(const std::string& folder);

  // All in one piece; on the disk when it returns. An error is logged. A rule keeps running if its
  // findings cannot be written; they are then missing from actions and mails.
  void Write(const std::vector<actions::Firing>& firings);

 private:
  const std::string path_;
  const os::UniqueFd file_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_FINDINGS_FILE_H_
