#include "warden/dashboard/site/run_list.h"

#include <utility>

#include "warden/base/json.h"
#include "warden/dashboard/site/run_json.h"

namespace warden::dashboard {
namespace {

constexpr size_t kAlwaysMade = 20;  // On a slow machine too: most lists are short.

}  // namespace

void RunList::Add(OpenRun* run) {
  if (!text_.empty()) text_ += ',';
  text_ += TextOf(run);
}

std::string RunList::TextOf(OpenRun* run) {
  const RunPlaces places = run->places();
  const std::string stamp = StampOf(places);
  auto [text, current, good] = summaries_->Find(places.id, stamp);
  if (good || (current && patience_ == patience_.zero())) return std::move(text);
  if (made_ < kAlwaysMade || spent_ < patience_) {
    const auto begun = std::chrono::steady_clock::now();
    text = summaries_->Make(places.id, stamp, [&] { return SummaryOf(*options_, run); });
    spent_ += std::chrono::steady_clock::now() - begun;
    ++made_;
    return std::move(text);
  }
  if (!current) ++pending_;
  return text.empty() ? UnreadSummaryOf(places) : std::move(text);
}

}  // namespace warden::dashboard
