#include "warden/rules/forest.h"

#include <bit>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "warden/base/strings.h"

namespace warden::rules {
namespace {

std::string TreeOf(std::string_view id) { return std::string(id.substr(0, id.rfind('-'))); }

struct Links {
  std::vector<std::vector<size_t>> children;
  std::vector<bool> is_child;
};

// Nothing if a node is the child of two.
std::optional<Links> FollowLinks(const std::vector<std::string>& ids,
                                 const std::vector<std::string>& yes,
                                 const std::vector<std::string>& no) {
  std::unordered_map<std::string_view, size_t> rows;
  for (size_t i = 0; i < ids.size(); ++i) rows.emplace(ids[i], i);
  Links links{std::vector<std::vector<size_t>>(ids.size()), std::vector<bool>(ids.size(), false)};
  for (size_t i = 0; i < ids.size(); ++i) {
    for (const std::string* link : {&yes[i], &no[i]}) {
      const auto child = rows.find(*link);
      if (child == rows.end()) continue;
      if (links.is_child[child->second]) return std::nullopt;
      links.is_child[child->second] = true;
      links.children[i].push_back(child->second);
    }
  }
  return links;
}

}  // namespace

std::optional<DeepestTree> DepthByLinks(const std::vector<std::string>& ids,
                                        const std::vector<std::string>& yes,
                                        const std::vector<std::string>& no) {
  if (ids.empty() || yes.size() != ids.size() || no.size() != ids.size()) return std::nullopt;
  const auto links = FollowLinks(ids, yes, no);
  if (!links) return std::nullopt;
  std::vector<std::pair<size_t, int64_t>> open;  // Row and depth.
  for (size_t i = ids.size(); i-- > 0;) {
    if (!links->is_child[i]) open.emplace_back(i, 0);
  }
  size_t reached = 0;
  DeepestTree deepest{-1, "", false};
  while (!open.empty()) {
    const auto [row, depth] = open.back();
    open.pop_back();
    ++reached;
    if (depth > deepest.depth) deepest = {depth, TreeOf(ids[row]), false};
    for (const size_t child : links->children[row]) open.emplace_back(child, depth + 1);
  }
  if (reached != ids.size()) return std::nullopt;  // The others are in circles.
  return deepest;
}

std::optional<DeepestTree> DepthByNumbers(const std::vector<std::string>& ids) {
  DeepestTree deepest{-1, "", true};
  for (const std::string& id : ids) {
    const auto node = ParseInt(std::string_view(id).substr(id.rfind('-') + 1));
    if (!node || *node < 0) continue;
    const int64_t depth = std::bit_width(static_cast<uint64_t>(*node) + 1) - 1;
    if (depth > deepest.depth) deepest = {depth, TreeOf(id), true};
  }
  return deepest.depth < 0 ? std::nullopt : std::optional(deepest);
}

}  // namespace warden::rules
