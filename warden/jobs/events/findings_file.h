#ifndef WARDEN_JOBS_EVENTS_FINDINGS_FILE_H_
#define WARDEN_JOBS_EVENTS_FINDINGS_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "warden/actions/event.h"

namespace warden::jobs {

// What a rule's agent has found, as a file in its folder: actions::Firing as JSON, one to a line,
// findings of the same step written together. An agent that was started again begins it anew.
std::string FindingsIn(const std::string& folder);

// Reads such a file as it grows. For one thread.
class FindingsReader {
 public:
  explicit FindingsReader(const std::string& folder) : path_(FindingsIn(folder)) {}

  // What has come since the last call, whole lines only. What cannot be understood is passed over.
  std::vector<actions::Firing> Next();

 private:
  const std::string path_;
  uint64_t position_ = 0;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_FINDINGS_FILE_H_
