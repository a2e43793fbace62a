#include "warden/rules/class_tally.h"

#include <algorithm>
#include <utility>

#include "warden/rules/class_ids.h"

namespace warden::rules {
namespace {

constexpr int64_t kIgnoredByPyTorch = -100;

// The class with the least of what `key` gives.
template <class Classes, class Key>
const ClassTally::Class& LeastBy(const Classes& classes, Key key) {
  return std::min_element(classes.begin(), classes.end(),
                          [&](const auto& a, const auto& b) {
                            return std::pair(key(a.second), a.first) <
                                   std::pair(key(b.second), b.first);
                          })
      ->second;
}

}  // namespace

double ClassTally::Class::wrong_share() const {
  return labels == 0 ? 0 : static_cast<double>(wrong) / static_cast<double>(labels);
}

void ClassTally::Add(std::span<const int64_t> labels, std::span<const int64_t> predicted) {
  for (size_t i = 0; i < labels.size() && !too_many(); ++i) {
    if (labels[i] == kNoClass || labels[i] == kIgnoredByPyTorch) continue;
    Class& seen = classes_[labels[i]];
    seen.id = labels[i];
    ++seen.labels;
    ++labels_;
    if (predicted.empty() || predicted[i] == kNoClass) continue;
    seen.wrong += predicted[i] != labels[i] ? 1 : 0;
  }
}

const ClassTally::Class& ClassTally::Rarest() const {
  return LeastBy(classes_, [](const Class& c) { return c.labels; });
}

const ClassTally::Class& ClassTally::Commonest() const {
  return LeastBy(classes_, [](const Class& c) { return -c.labels; });
}

const ClassTally::Class& ClassTally::Worst() const {
  return LeastBy(classes_, [](const Class& c) { return -c.wrong_share(); });
}

}  // namespace warden::rules
