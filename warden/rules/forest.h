#ifndef WARDEN_RULES_FOREST_H_
#define WARDEN_RULES_FOREST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warden::rules {

// Decision trees as XGBoost's tables have them: nodes have ids "<tree>-<node>".
struct DeepestTree {
  int64_t depth = 0;  // Of a tree that is only its root: 0.
  std::string tree;
  bool at_least = false;  // It may be deeper than that.
};

// By the links of each node to its two children; a leaf has something there that is no id. Nothing
// without nodes, or if the links make no trees.
std::optional<DeepestTree> DepthByLinks(const std::vector<std::string>& ids,
                                        const std::vector<std::string>& yes,
                                        const std::vector<std::string>& no);

// By the numbers of the nodes alone: a tree that has node n has a depth of at least log2(n + 1),
// rounded down. Nothing if there are none.
std::optional<DeepestTree> DepthByNumbers(const std::vector<std::string>& ids);

}  // namespace warden::rules

#endif  // WARDEN_RULES_FOREST_H_
