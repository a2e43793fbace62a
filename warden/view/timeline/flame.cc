#include "warden/view/timeline/flame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "warden/base/json.h"
#include "warden/view/timeline/short_name.h"
#include "warden/view/timeline/stack_walk.h"

namespace warden::view {
namespace {

constexpr size_t kMostStacks = 200'000;

// Stacks by their last span, while events are read. Nodes are numbered in the order in which they
// are made: parents before children.
class FlameTree : public StackVisitor {
 public:
  explicit FlameTree(const EventStore& store) : store_(store) {
    nodes_.emplace_back();
    stack_.push_back(0);
  }

  // A thread begins, whose stacks stand below these nodes, if it has any.
  void Begin(std::vector<std::pair<FlameKind, uint32_t>> above) {
    stack_.assign(1, 0);
    above_ = std::move(above);
  }

  void Enter(EventId id, bool first) override {
    for (const auto& [kind, what] : above_) stack_.push_back(ChildOf(stack_.back(), kind, what));
    above_.clear();
    const uint32_t node = ChildOf(stack_.back(), FlameKind::kSpan, LabelOf(id));
    if (first) ++nodes_[node].count;
    stack_.push_back(node);
  }
  void Leave() override { stack_.pop_back(); }
  void Run(int64_t from_ns, int64_t to_ns) override {
    nodes_[stack_.back()].self_ns += static_cast<double>(to_ns - from_ns);
  }

  std::vector<FlameNode> Finish() {
    for (size_t i = nodes_.size(); i-- > 0;) {
      FlameNode& node = nodes_[i];
      node.total_ns += node.self_ns;
      if (i == 0) break;
      FlameNode& parent = nodes_[node.parent];
      parent.total_ns += node.total_ns;
      if (parent.kind < FlameKind::kSpan) parent.count += node.count;
    }
    return std::move(nodes_);
  }

 private:
  struct Key {
    uint32_t parent;
    FlameKind kind;
    uint32_t what;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      const uint64_t both = (uint64_t{key.parent} << 32 | key.what) * 0x9E3779B97F4A7C15;
      return both ^ both >> 29 ^ static_cast<uint64_t>(key.kind);
    }
  };

  // Steps of PyTorch's profiler have their number in their name, and are one all the same.
  LabelId LabelOf(EventId id) {
    const LabelId label = store_.label(id);
    if (!IsTorchStep(*store_.Text(label).name)) return label;
    if (!torch_step_) torch_step_ = label;
    return *torch_step_;
  }

  uint32_t ChildOf(uint32_t parent, FlameKind kind, uint32_t what) {
    if (const auto found = ids_.find({parent, kind, what}); found != ids_.end()) {
      return found->second;
    }
    // What lies in others counts as part of them.
    if (kind == FlameKind::kSpan && nodes_[parent].kind == FlameKind::kOther) return parent;
    if (kind == FlameKind::kSpan && nodes_.size() >= kMostStacks) {
      return ChildOf(parent, FlameKind::kOther, 1);
    }
    const auto id = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({kind, parent, what});
    ids_.emplace(Key{parent, kind, what}, id);
    return id;
  }

  const EventStore& store_;
  std::vector<FlameNode> nodes_;
  std::unordered_map<Key, uint32_t, Hash> ids_;
  std::vector<uint32_t> stack_;                        // Nodes, the root first.
  std::vector<std::pair<FlameKind, uint32_t>> above_;  // To be put onto it.
  std::optional<LabelId> torch_step_;
};

// The largest nodes of a tree with their parents, and what is left of each parent's children as
// one.
class Pruner {
 public:
  Pruner(std::vector<FlameNode> all, size_t most) : all_(std::move(all)), kept_(all_.size(), 1) {
    std::vector<uint32_t> order(all_.size());
    std::iota(order.begin(), order.end(), 0u);
    // By times, and parents before children that take the same: what is kept hangs together.
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return all_[a].total_ns != all_[b].total_ns ? all_[a].total_ns > all_[b].total_ns : a < b;
    });
    for (size_t i = std::max<size_t>(most, 1); i < order.size(); ++i) kept_[order[i]] = 0;
    children_.resize(all_.size());
    for (const uint32_t i : order) {
      if (i != 0) children_[all_[i].parent].push_back(i);
    }
  }

  void Write(Flame* flame) { Add(0, 0, flame); }

 private:
  void Add(uint32_t from, uint32_t parent, Flame* flame) {
    const auto to = static_cast<uint32_t>(flame->nodes.size());
    flame->nodes.push_back(all_[from]);
    flame->nodes.back().parent = parent;
    FlameNode other{FlameKind::kOther, to};
    uint32_t last = 0;
    for (const uint32_t child : children_[from]) {
      if (kept_[child] && all_[child].kind != FlameKind::kOther) {
        Add(child, to, flame);
      } else {
        Merge(child, &other);
        last = child;
      }
    }
    if (other.what == 0) return;
    other.self_ns = other.total_ns;
    // One alone needs no more room than "1 other".
    const bool one = other.what == 1 && children_[last].empty();
    flame->nodes.push_back(one ? all_[last] : other);
    flame->nodes.back().parent = to;
    flame->merged += one ? 0 : other.what;
  }

  void Merge(uint32_t from, FlameNode* other) {
    other->total_ns += all_[from].total_ns;
    other->count += all_[from].count;
    other->what += 1;
  }

  std::vector<FlameNode> all_;
  std::vector<uint8_t> kept_;
  std::vector<std::vector<uint32_t>> children_;  // By time.
};

bool IsWanted(const TimelineThread& thread, const std::vector<TrackId>& tracks) {
  return tracks.empty() ||
         std::any_of(thread.tracks.begin(), thread.tracks.end(), [&](TrackId track) {
           return std::find(tracks.begin(), tracks.end(), track) != tracks.end();
         });
}

// The first thread of the same process.
uint32_t ProcessOf(const std::vector<TimelineThread>& threads, size_t thread) {
  for (uint32_t i = 0; i < thread; ++i) {
    if (threads[i].node == threads[thread].node && threads[i].process == threads[thread].process) {
      return i;
    }
  }
  return static_cast<uint32_t>(thread);
}

// Passes are named after the model, all of them.
bool IsPass(std::string_view phase) {
  return phase == "Forward" || phase.starts_with("Backward") || phase == "Optimizer";
}

std::string_view FlameKindName(FlameKind kind) {
  switch (kind) {
    case FlameKind::kAll: return "all";
    case FlameKind::kProcess: return "process";
    case FlameKind::kThread: return "thread";
    case FlameKind::kSpan: return "span";
    case FlameKind::kOther: return "other";
  }
  return "";
}

Json ThreadsJson(const std::vector<TimelineThread>& threads) {
  Json list = Json::array();
  for (const TimelineThread& thread : threads) {
    list.push_back({{"host", ShortName(thread.host)},
                    {"process", ShortName(thread.process)},
                    {"name", ShortName(thread.name)},
                    {"tracks", thread.tracks}});
  }
  return list;
}

}  // namespace

std::string Flame::Name(const TimelineSnapshot& snapshot, const FlameNode& node) const {
  switch (node.kind) {
    case FlameKind::kAll: return "all";
    case FlameKind::kProcess:
      return fmt::format("{}, {}", threads[node.what].host, threads[node.what].process);
    case FlameKind::kThread: return threads[node.what].name;
    case FlameKind::kSpan: {
      const auto& [name, category] = snapshot.store->Text(node.what);
      if (IsTorchStep(*name)) return "ProfilerStep";
      return IsPass(*category) && !name->starts_with(*category)
                 ? fmt::format("{}: {}", *category, *name)
                 : *name;
    }
    case FlameKind::kOther: return node.what == 1 ? "1 other" : fmt::format("{} others", node.what);
  }
  return "";
}

Flame FlameOf(const TimelineSnapshot& snapshot, const FlameQuery& query) {
  Flame flame;
  flame.threads = ThreadsOf(snapshot);
  FlameTree tree(*snapshot.store);
  for (size_t i = 0; i < flame.threads.size(); ++i) {
    if (!IsWanted(flame.threads[i], query.tracks)) continue;
    std::vector<std::pair<FlameKind, uint32_t>> above;
    if (query.by != FlameBy::kAll) {
      above.emplace_back(FlameKind::kProcess, ProcessOf(flame.threads, i));
    }
    if (query.by == FlameBy::kThread) above.emplace_back(FlameKind::kThread, i);
    tree.Begin(std::move(above));
    WalkStacks(snapshot, flame.threads[i].tracks, query.window, &tree);
  }
  Pruner(tree.Finish(), query.most).Write(&flame);
  return flame;
}

Json FlameJson(const TimelineSnapshot& snapshot, const FlameQuery& query) {
  const Flame flame = FlameOf(snapshot, query);
  Json nodes = Json::array();
  for (const FlameNode& node : flame.nodes) {
    Json json = {{"name", ShortName(flame.Name(snapshot, node))},
                 {"kind", FlameKindName(node.kind)},
                 {"parent", nodes.empty() ? Json() : Json(node.parent)},
                 {"count", node.count},
                 {"total", node.total_ns / 1e3},
                 {"self", node.self_ns / 1e3}};
    nodes.push_back(std::move(json));
  }
  return Json{{"from", snapshot.Us(query.window.from_ns)},
              {"to", snapshot.Us(query.window.to_ns)},
              {"merged", flame.merged},
              {"threads", ThreadsJson(flame.threads)},
              {"nodes", std::move(nodes)}};
}

std::string CollapsedStacks(const TimelineSnapshot& snapshot, const Flame& flame) {
  std::vector<std::string> stacks;
  std::string text;
  for (size_t i = 0; i < flame.nodes.size(); ++i) {
    const FlameNode& node = flame.nodes[i];
    std::string name = flame.Name(snapshot, node);
    std::replace(name.begin(), name.end(), ';', ',');
    std::replace_if(name.begin(), name.end(), [](unsigned char c) { return c < ' '; }, ' ');
    if (i > 0 && node.parent > 0) name = stacks[node.parent] + ";" + name;
    stacks.push_back(std::move(name));
    const double us = std::round(node.self_ns / 1e3);
    if (i > 0 && us >= 1) text += fmt::format("{} {:.0f}\n", stacks.back(), us);
  }
  return text;
}

}  // namespace warden::view
