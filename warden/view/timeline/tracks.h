#ifndef WARDEN_VIEW_TIMELINE_TRACKS_H_
#define WARDEN_VIEW_TIMELINE_TRACKS_H_

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "warden/timeline/import/trace_reader.h"
#include "warden/view/timeline/event_store.h"
#include "warden/view/timeline/span_args.h"

namespace warden::view {

// A track as it is told to people.
struct TrackName {
  std::string node;  // As files tell it; empty: of several.
  std::string host;
  bool gpu = false;
  std::string process;
  std::string name;  // Thread, stream or phase.
};

// Host and process of a node: "algo-1-88", "88-myhost" and, of PyTorch's own traces, "myhost_88".
std::pair<std::string_view, std::string_view> SplitNode(std::string_view node);

// Sorts events into tracks: the phases that hooks record have one each; operators and what a trace
// of the framework has are told apart by thread, what ran on a GPU by stream. For one thread.
class Tracks {
 public:
  // A trace that makes up more of them has the rest in one for each host and device.
  static constexpr size_t kMost = 10'000;

  explicit Tracks(const timeline::Names& names) : names_(names) {}

  TrackId Of(const timeline::TraceSpan& span, const SpanArgs& args);
  const std::vector<TrackName>& all() const { return tracks_; }

  // The track of a thread's operators.
  std::optional<TrackId> OperatorsOf(timeline::NameId node, int64_t thread) const;
  bool OnGpu(TrackId track) const { return tracks_[track].gpu; }

 private:
  struct Key {
    timeline::NameId node = 0;
    timeline::NameId phase = 0;  // 0: of a thread that is told by its number alone.
    int64_t pid = 0;
    int64_t tid = 0;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const;
  };
  struct Kind;  // Of a phase.

  const Kind& KindOf(timeline::NameId phase);
  TrackId Make(const Key& key, const Kind& kind, const timeline::TraceSpan& span);
  TrackId Overflow(const TrackName& name);
  std::string ProcessOf(const Key& key, const timeline::TraceSpan& span);
  std::string Numbered(std::string_view what, const TrackName& where, int64_t number);

  struct Kind {
    bool known = false;
    bool gpu = false;
    bool operators = false;
    std::string device;  // "0"
  };

  const timeline::Names& names_;
  std::vector<TrackName> tracks_;
  std::vector<Kind> kinds_;  // By the phase's name.
  std::unordered_map<Key, TrackId, Hash> ids_;
  std::map<std::pair<timeline::NameId, int64_t>, TrackId> operators_;
  std::map<std::string, int> counts_;  // Of tracks that would have the same name.
  std::map<std::pair<std::string, bool>, TrackId> overflow_;
  Key last_key_;
  TrackId last_ = 0;
};

// The order in which people look at tracks: by host, CPU before GPU, process, then the phases in
// the order of a step, then threads.
std::vector<TrackId> InOrder(const std::vector<TrackName>& tracks);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_TRACKS_H_
