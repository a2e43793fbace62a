#include "warden/view/series/problems.h"

#include <fmt/format.h>

#include <utility>

namespace warden::view {

void Problems::Set(std::string_view what, std::string message) {
  if (const auto known = messages_.find(what); known != messages_.end()) {
    known->second = std::move(message);
  } else if (messages_.size() < kMost) {
    messages_.emplace(what, std::move(message));
  } else {
    ++more_;
  }
}

void Problems::Clear(std::string_view what) {
  if (const auto known = messages_.find(what); known != messages_.end()) messages_.erase(known);
}

std::vector<std::string> Problems::Tell() const {
  std::vector<std::string> told;
  for (const auto& [what, message] : messages_) told.push_back(message);
  if (more_ > 0) told.push_back(fmt::format("{} more problems", more_));
  return told;
}

}  // namespace warden::view
