#ifndef WARDEN_JOBS_EVENTS_EVENT_PATTERN_H_
#define WARDEN_JOBS_EVENTS_EVENT_PATTERN_H_

// Filters of receivers ("pattern" in events.json), in Amazon's language, so that patterns can be
// taken over from EventBridge.

#include <memory>

#include "warden/base/json.h"
#include "warden/base/status.h"

namespace warden::jobs {

// Which events a receiver gets, in the language of EventBridge's patterns:
//   {"source": ["aws.sagemaker"], "detail": {"TrainingJobStatus": ["Failed", "Stopped"]}}
// Objects are matched member by member, lists of the event element by element; the leaves of a
// pattern are lists of which one must match:
//   "text", 5, true, null    the value itself
//   {"prefix": "demo-"}, {"suffix": "-test"}, {"equals-ignore-case": "x"}
//   {"anything-but": "x"} or a list of them, or {"anything-but": {"prefix": "x"}}
//   {"exists": true}, {"exists": false}
//   {"numeric": [">", 0, "<=", 5]}
// Safe for many threads; cheap to copy.
class EventPattern {
 public:
  // kInvalid names the place in the pattern and what is accepted.
  static Result<EventPattern> Parse(const Json& json);

  // Any JSON is accepted as an event.
  bool Matches(const Json& event) const;

 private:
  explicit EventPattern(std::shared_ptr<const Json> json) : json_(std::move(json)) {}

  std::shared_ptr<const Json> json_;  // Checked.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_EVENT_PATTERN_H_
