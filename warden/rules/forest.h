#ifndef WARDEN_RULES_FOREST_H_
#define WARDEN_RULES_FOREST_H_

// Depth of decision trees in XGBoost's tables, in which nodes have ids "<tree>-<node>". Used by the
// rule TreeDepth.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warden::rules {

// The deepest tree of a table.
struct DeepestTree {
  int64_t depth =
      0;             // Edges from the root to the deepest leaf; 0 for a tree that is only its root.
  std::string tree;  // The part of the id before the last dash.
  bool at_least = false;  // It may be deeper than that.
};

// By the links of each node to its two children; a leaf has texts there that are not ids of the
// table. Nothing without nodes, if the columns differ in length, or if the links do not form trees:
// a node with two parents, or a cycle.
std::optional<DeepestTree> DepthByLinks(const std::vector<std::string>& ids,
                                        const std::vector<std::string>& yes,
                                        const std::vector<std::string>& no);

// By the numbers of the nodes alone: a tree that has node n has a depth of at least log2(n + 1),
// rounded down. Ids without a number are ignored. Nothing if there are none.
std::optional<DeepestTree> DepthByNumbers(const std::vector<std::string>& ids);

}  // namespace warden::rules

#endif  // WARDEN_RULES_FOREST_H_
