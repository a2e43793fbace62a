#ifndef WARDEN_TRIAL_RUN_MARKS_H_
#define WARDEN_TRIAL_RUN_MARKS_H_

#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"

namespace warden::trial {

// What people note about a run to find it again, in warden/marks.json of its folder. The dashboard
// and `warden runs` write it; other readers of runs do not look at it. A run without the file has
// the marks below.
struct RunMarks {
  std::string display_name;       // Shown instead of the run's name; empty: that.
  std::vector<std::string> tags;  // Sorted, each once.
  std::string note;
  bool archived = false;  // Lists leave it out unless asked.
  bool baseline = false;  // Others are compared with it.

  bool operator==(const RunMarks&) const = default;
};

// {"display_name", "tags", "note", "archived", "baseline"}.
Json ToJson(const RunMarks& marks);

// The marks with some of them replaced: changes is an object with any members of ToJson. kInvalid
// names the member, its value and what is accepted: a display name of one line and at most 200
// characters; at most 32 tags of 1 to 64 characters without blanks and commas; a note of at most
// 10,000 characters; nothing else.
Result<RunMarks> ChangeMarks(const RunMarks& marks, const Json& changes);

// folder: of the run's tensors, or of the job. Never fails: what is damaged counts as not marked.
RunMarks ReadRunMarks(const std::string& folder);
// Replaces them, as a whole or not at all. Errors are those of storage::OpenStore and Store::Put.
Status WriteRunMarks(const std::string& folder, const RunMarks& marks);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_RUN_MARKS_H_
