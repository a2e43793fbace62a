#ifndef WARDEN_VIEW_TIMELINE_TRACKS_H_
#define WARDEN_VIEW_TIMELINE_TRACKS_H_

// Which track of the timeline an event belongs to, and how tracks are named and ordered.

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

// What lies in a track.
enum class TrackKind : uint8_t {
  kThread,     // Everything that a thread did, as a framework's own trace has it.
  kPhase,      // One phase of what a hook records: "Forward".
  kOperators,  // Operators of one thread.
  kWorker,     // A data loader's worker.
  kStream,     // Of a GPU.
};

// A track as people see it, in three levels: host, process, name.
struct TrackName {
  // As files name it: "algo-1-88"; empty for the track of what is too much.
  std::string node;
  std::string host;     // The machine.
  bool gpu = false;     // It ran on a GPU.
  std::string process;  // "process 88", "GPU 0, process 88".
  std::string name;     // Thread, stream or phase.
  TrackKind kind = TrackKind::kThread;
};

// Sorts events into tracks: the phases that hooks record have one each; operators and the events of
// a framework's own trace are separated by thread, what ran on a GPU by stream. Used by
// TimelineBuilder. For one thread.
//
//   const TrackId track = tracks.Of(span, ReadSpanArgs(span.args));
//   if (tracks.OnGpu(track)) Use(tracks.all()[track].process);
//
// Numbers that are not those of threads of the system, but of texts or addresses, are not shown:
// such tracks are counted, "thread #2".
class Tracks {
 public:
  // A trace that has more of them gets the rest in one track for each host and device.
  static constexpr size_t kMost = 10'000;

  // names: those of the spans; not owned, outlives this.
  explicit Tracks(const timeline::Names& names) : names_(names) {}

  // The track of an event, made if it is new. Fast if it is that of the event before. Never fails:
  // with kMost tracks, new ones share an "others" for each host, CPU and GPU apart.
  TrackId Of(const timeline::TraceSpan& span, const SpanArgs& args);
  // By TrackId. Grows with Of().
  const std::vector<TrackName>& all() const { return tracks_; }

  // The track of a thread's operators in a hook's timeline; nothing if there is none so far.
  // thread: as kernels name it in their arguments.
  std::optional<TrackId> OperatorsOf(timeline::NameId node, int64_t thread) const;
  // REQUIRES: track < all().size().
  bool OnGpu(TrackId track) const { return tracks_[track].gpu; }

 private:
  // What decides about the track: node and phase for what hooks record, the thread or stream
  // besides where work of several lies in one phase.
  struct Key {
    timeline::NameId node = 0;
    timeline::NameId phase = 0;  // 0: of a thread that is known by its number alone.
    int64_t pid = 0;
    int64_t tid = 0;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const;
  };
  struct Kind;  // Of a phase.

  // What a phase is, by its name; remembered.
  const Kind& KindOf(timeline::NameId phase);
  TrackId Make(const Key& key, const Kind& kind, const timeline::TraceSpan& span);
  // The track that takes what is too much for a host and device.
  TrackId Overflow(const TrackName& name);
  std::string ProcessOf(const Key& key, const timeline::TraceSpan& span);
  // "stream 7"; "stream #2" where the number is not one of the system.
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
// the order of a step, then threads; numbers at the end of names count as numbers. All of them,
// each once. Tracks that are alike stay in the order in which they were made.
std::vector<TrackId> InOrder(const std::vector<TrackName>& tracks);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_TRACKS_H_
