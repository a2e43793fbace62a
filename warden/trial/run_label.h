#ifndef WARDEN_TRIAL_RUN_LABEL_H_
#define WARDEN_TRIAL_RUN_LABEL_H_

#include <optional>
#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::trial {

// What a person says of a run, in warden/label.json of its folder: {"label": "good", "since": null,
// "note": "", "time": seconds}. `warden label` writes it; the back-test and the search for the last
// good run read it. Other readers of runs do not look at it.
struct RunLabel {
  bool good = true;           // Else there is something wrong with it.
  std::optional<Step> since;  // Of a bad run: the global step at which the fault begins.
  std::string note;           // Any text.
  double time = 0;            // When it was labeled, in seconds since 1970.

  // "good" or "bad".
  const char* name() const { return good ? "good" : "bad"; }
};

// {"label", "since", "note", "time"}.
Json ToJson(const RunLabel& label);

// run: the folder of tensors. No value if it has no label. kCorrupt, with the path of the file, if
// it is not what ToJson writes: a label that is wrong must not count as none.
Result<std::optional<RunLabel>> ReadRunLabel(const std::string& run);
// Replaces it, as a whole or not at all. Errors are those of storage::OpenStore and Store::Put.
Status WriteRunLabel(const std::string& run, const RunLabel& label);
// Removing a label that is not there is ok.
Status RemoveRunLabel(const std::string& run);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_RUN_LABEL_H_
