#ifndef WARDEN_JOBS_LAUNCH_RULE_BOX_H_
#define WARDEN_JOBS_LAUNCH_RULE_BOX_H_

// The box of a custom rule: the rule is a program of whoever made the job, and gets to see the runs
// that it checks. Only the rule's code is in the box; its agent, which asks it about each step, is
// not. Used by Isolation and by the agents of rules.

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/os/box.h"

namespace warden::jobs {

// A custom rule of a job. Paths are absolute.
struct RuleToIsolate {
  std::string folder;  // Of the rule's agent; made if it is missing.
  std::string source;  // The rule's file, on this machine or in a bucket's folder.
  // Folders that the rule reads: those of its job, made if they are missing, and others.
  std::vector<std::string> own_runs, other_runs;
  std::vector<std::string> programs;  // Folders that its Python needs.
};

struct RuleBox {
  os::Box box;
  std::string source;     // The rule's file as the rule sees it.
  std::string temporary;  // The folder that is /tmp in the box.
};

// Where the rule may write a report; a place in the box, and in `temporary` of RuleBox.
inline constexpr char kRuleOutput[] = "/tmp/output";

// Makes the box of a rule from what all boxes of its job have in common, and a new folder for its
// /tmp with what it needs there. objects: the folder of all buckets.
//
// kInvalid if the rule wants to see the service's own files, or is a shared object from a place
// that jobs can write to: it would run in its agent, outside of the box. kIo.
Result<RuleBox> MakeRuleBox(const RuleToIsolate& rule, const std::string& objects, os::Box common);

// Copies what a rule left in kRuleOutput to a folder below objects, as far as it is files, and
// removes all temporary folders of the rule. Files that the service itself writes about a rule stay
// as they are. REQUIRES: the rule has ended, and output is below objects. kInvalid if there is more
// than a report can be; what was copied before stays. kIo.
Status KeepRuleOutput(const std::string& folder, const std::string& temporary,
                      const std::string& objects, const std::string& output);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_RULE_BOX_H_
