#ifndef WARDEN_VIEW_TIMELINE_SPAN_FILTER_H_
#define WARDEN_VIEW_TIMELINE_SPAN_FILTER_H_

// The filter language of the search field above the dashboard's timeline.
// web/src/panels/timeline/model/span_filter.ts reads the same language, to dim what does not match.
//
//   conv                         the name contains it, ignoring case
//   name~^aten::(mm|conv)        a regular expression finds something in the name, ignoring case
//   name!~backward               ... does not
//   dur>5ms dur<=1s              ns, us, ms or s
//   thread=11 process=88         the last number of the name, or a part of it
//   host=algo-1 gpu=0
//
// Conditions are separated by spaces, and all of them hold. Values with spaces are quoted:
// name~"a b". Other words are taken together, with the spaces between them.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/pattern.h"
#include "warden/base/status.h"
#include "warden/view/timeline/tracks.h"

namespace warden::view {

// What a search looks for. Safe for many threads once it is made.
class SpanFilter {
 public:
  // kInvalid names the condition, its value and what is accepted.
  static Result<SpanFilter> Parse(std::string_view text);

  bool MatchesName(std::string_view name) const;
  bool MatchesTrack(const TrackName& track) const;
  bool MatchesDuration(int64_t ns) const { return ns >= least_ns_ && ns <= most_ns_; }

 private:
  enum class Field : uint8_t { kThread, kProcess, kHost, kGpu };
  struct Where {
    Field field;
    std::string value;  // In lower case.
  };

  Status Add(std::string_view key, std::string_view sign, std::string_view value);
  Status AddDuration(std::string_view sign, std::string_view value);

  std::string words_;  // In lower case.
  std::vector<std::string> names_;
  std::vector<Pattern> found_;
  std::vector<Pattern> not_found_;
  std::vector<Where> where_;
  int64_t least_ns_ = std::numeric_limits<int64_t>::min();
  int64_t most_ns_ = std::numeric_limits<int64_t>::max();
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_SPAN_FILTER_H_
