#ifndef WARDEN_VIEW_TIMELINE_TIMELINE_BUILDER_H_
#define WARDEN_VIEW_TIMELINE_TIMELINE_BUILDER_H_

// From trace events to what the dashboard draws: events go into columns, tracks and links.
// RunTimeline runs it in the background and publishes a snapshot now and then.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warden/timeline/host_clocks.h"
#include "warden/view/timeline/argument_finder.h"
#include "warden/view/timeline/snapshot.h"
#include "warden/view/timeline/trace_feed.h"

namespace warden::view {

// Reads a profiler's folder piece by piece and makes snapshots of what was read. For one thread,
// that of RunTimeline; the snapshots are for all, and outlive the builder.
//
//   while (builder.ReadMore()) {}
//   std::shared_ptr<const TimelineSnapshot> snapshot = builder.Publish(/*done=*/true);
//
// Beyond EventStore::kMost events nothing is added; a problem of the snapshot says how many are
// missing.
class TimelineBuilder {
 public:
  // folder: need not exist yet. arguments: gets the pieces of files, with the times that the files
  // have; not owned, outlives this. clocks: by how much times of hosts are moved.
  TimelineBuilder(const std::string& folder, ArgumentFinder* arguments,
                  timeline::HostClocks clocks = {});

  // Reads the next piece. False if there is nothing more by now.
  bool ReadMore() { return feed_.Next(); }

  // Whether there is an event that the last snapshot does not have.
  bool changed() const { return kept_->store.size() > published_; }
  // A snapshot of what was read; never null. Indexes again the tracks that have more events than in
  // the last one, so it takes time: call it seldom. done: TimelineSnapshot::done. Start and end of
  // the snapshot are rounded to whole microseconds, outwards.
  std::shared_ptr<const TimelineSnapshot> Publish(bool done);

 private:
  // What snapshots point into; shared with them.
  struct Kept {
    timeline::Names names;
    EventStore store{names};
  };

  // How far the clock of a node is ahead.
  int64_t AheadNs(timeline::NameId node);
  // A span of the feed: adds the event, to its track.
  void Take(const timeline::TraceSpan& span, const SpanTimes& written);
  // Passes what the event says of its launch to the finder.
  void NoteLinks(const timeline::TraceSpan& span, const SpanArgs& args, EventId id, TrackId track);
  // Notes an event that is a whole step, of a hook or of PyTorch's profiler.
  void NoteStep(const timeline::TraceSpan& span, EventId id);
  // Indexes the tracks with new events.
  void BuildTracks();
  // The operator that a kernel names, in the tracks that were built. By node, thread and start; the
  // innermost one if the kernel does not name it.
  bool FindLaunch(const LinkFinder::Wanted& wanted, EventId* launch) const;

  const timeline::HostClocks clocks_;
  std::vector<std::optional<int64_t>> ahead_ns_;  // By node, as far as asked for.
  const std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
  EventStore& store_ = kept_->store;
  Tracks tracks_{kept_->names};  // Which track an event goes to.
  LinkFinder finder_;            // What launched what.
  TraceFeed feed_;               // Calls Take() of this object, so it is not movable.

  std::vector<std::vector<EventId>> added_;                 // By track, since the last snapshot.
  std::vector<std::shared_ptr<const TrackIndex>> indexes_;  // By track; shared with snapshots.
  std::shared_ptr<const LinkTable> links_ = std::make_shared<LinkTable>();
  size_t published_ = 0;          // Events of the last snapshot.
  uint64_t left_out_ = 0;         // Events beyond EventStore::kMost.
  int64_t start_ns_ = INT64_MAX;  // Of all events so far.
  int64_t end_ns_ = INT64_MIN;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_TIMELINE_BUILDER_H_
