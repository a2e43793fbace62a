// The input as a filter of the timeline's events: its first line is the filter, the rest are names
// to filter.

#include "warden/view/timeline/span_filter.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "fuzz/check.h"

namespace warden::fuzz {
namespace {

using view::SpanFilter;

constexpr size_t kMostText = 4096;

// A name in quotes finds that name and no longer one.
void Equal(std::string_view name) {
  if (name.empty() || name.find('"') != std::string_view::npos) return;
  const auto filter = SpanFilter::Parse("name=\"" + std::string(name) + "\"");
  if (!filter.ok()) return;
  Check(filter.value().MatchesName(name));
  Check(!filter.value().MatchesName(std::string(name) + "x"));
  Check(!filter.value().MatchesName(std::string(name) + "\n"));
}

// Every condition can only leave out more.
void Filter(std::string_view text, std::string_view name) {
  const auto filter = SpanFilter::Parse(text);
  if (!filter.ok()) return;
  const view::TrackName track{"algo-1-88",         "algo-1",          true,
                              "GPU 0, process 88", std::string(name), view::TrackKind::kStream};
  const auto more = SpanFilter::Parse(std::string(text) + " dur>=5ms dur<=7ms host=algo-1");
  // What is appended may belong to a quoted value.
  if (!more.ok()) return;
  Check(filter.value().MatchesName(name) || !more.value().MatchesName(name) ||
        text.find('"') != std::string_view::npos);
  Check(filter.value().MatchesTrack(track) || !more.value().MatchesTrack(track) ||
        text.find('"') != std::string_view::npos);
  for (const int64_t ns : {int64_t{0}, int64_t{5'000'000}, int64_t{7'000'001}}) {
    Check(filter.value().MatchesDuration(ns) || !more.value().MatchesDuration(ns));
  }
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = warden::fuzz::Text(data, size).substr(0, warden::fuzz::kMostText);
  const size_t line = std::min(text.size(), text.find('\n'));
  const std::string_view name = text.substr(std::min(text.size(), line + 1));
  warden::fuzz::Filter(text.substr(0, line), name);
  warden::fuzz::Equal(name);
  return 0;
}
