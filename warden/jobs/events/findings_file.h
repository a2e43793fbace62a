#ifndef WARDEN_JOBS_EVENTS_FINDINGS_FILE_H_
#define WARDEN_JOBS_EVENTS_FINDINGS_FILE_H_

// What a rule's agent has found, on its way to the actions and into mails.

#include <cstdint>
#include <string>
#include <vector>

#include "warden/actions/event.h"

namespace warden::jobs {

// The file in an agent's folder, findings.jsonl: actions::Firing as JSON (actions/event.h), one on
// a line; findings of one step are written together. An agent that was restarted starts it again.
std::string FindingsIn(const std::string& folder);

// Reads such a file while it grows. For one thread.
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

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_FINDINGS_FILE_H_
