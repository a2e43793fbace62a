#ifndef WARDEN_JOBS_EVENTS_PATTERN_H_
#define WARDEN_JOBS_EVENTS_PATTERN_H_

#include <memory>

#include "warden/base/json.h"
#include "warden/base/status.h"

namespace warden::jobs {

// Which events somebody wants to hear of, in the language of EventBridge's patterns:
//   {"source": ["aws.sagemaker"], "detail": {"TrainingJobStatus": ["Failed", "Stopped"]}}
// Objects are gone into by their names, and so are the elements of lists; at the leaves stand lists
// of which one must fit:
//   "text", 5, true, null    the value itself
//   {"prefix": "demo-"}, {"suffix": "-test"}, {"equals-ignore-case": "x"}
//   {"anything-but": "x"} or a list of them, or {"anything-but": {"prefix": "x"}}
//   {"exists": true}, {"exists": false}
//   {"numeric": [">", 0, "<=", 5]}
// Safe for many threads.
class EventPattern {
 public:
  // kInvalid names the place and what is accepted.
  static Result<EventPattern> Parse(const Json& json);

  bool Matches(const Json& event) const;

 private:
  explicit EventPattern(std::shared_ptr<const Json> json) : json_(std::move(json)) {}

  std::shared_ptr<const Json> json_;  // Checked.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_PATTERN_H_
