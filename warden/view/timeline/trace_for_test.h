#ifndef WARDEN_VIEW_TIMELINE_TRACE_FOR_TEST_H_
#define WARDEN_VIEW_TIMELINE_TRACE_FOR_TEST_H_

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "warden/timeline/timeline_for_test.h"

// For the tests of the timeline.
namespace warden::view {

inline constexpr int64_t kStartUs = 1'767'268'800'000'000;

// A timeline as hooks write it, event by event.
class TraceForTest {
 public:
  TraceForTest() {
    Line(fmt::format(R"({{"name": "process_name", "ph": "M", "pid": 0, "args": )"
                     R"({{"start_time_since_epoch_in_micros": {}}}}})",
                     kStartUs));
  }

  TraceForTest& Add(const std::string& phase, const std::string& name, int64_t start_us,
                    int64_t duration_us, const std::string& args = "") {
    const auto [pid, made] = phases_.try_emplace(phase, phases_.size() + 1);
    if (made) {
      Line(fmt::format(
          R"({{"name": "process_name", "ph": "M", "pid": {}, "args": {{"name": "{}"}}}})",
          pid->second, phase));
    }
    Line(fmt::format(
        R"({{"name": "{}", "pid": {}, "ph": "X", "ts": {}, "dur": {}, "args": {{{}}}}})", name,
        pid->second, start_us, duration_us, args));
    return *this;
  }

  // What was added since, with the comma that goes before it.
  std::string TakeMore() { return std::exchange(text_, {}); }
  std::string Whole() const { return text_ + "\n]\n"; }

 private:
  void Line(const std::string& line) {
    text_ += any_ ? ",\n" : "[\n";
    text_ += line;
    any_ = true;
  }

  std::map<std::string, size_t> phases_;
  std::string text_;
  bool any_ = false;
};

inline std::string ClosedTrace(std::string_view node, int64_t end_us = kStartUs + 1'000'000) {
  return fmt::format("framework/pevents/2026010112/{}_{}_pythontimeline.json", end_us, node);
}

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_TRACE_FOR_TEST_H_
