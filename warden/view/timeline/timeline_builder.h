#ifndef WARDEN_VIEW_TIMELINE_TIMELINE_BUILDER_H_
#define WARDEN_VIEW_TIMELINE_TIMELINE_BUILDER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "warden/view/timeline/argument_finder.h"
#include "warden/view/timeline/snapshot.h"
#include "warden/view/timeline/trace_feed.h"

namespace warden::view {

// Reads a profiler's folder piece by piece and makes snapshots of what was read. For one thread.
class TimelineBuilder {
 public:
  TimelineBuilder(const std::string& folder, ArgumentFinder* arguments);

  // Reads the next piece. False if there is nothing more by now.
  bool ReadMore() { return feed_.Next(); }

  // Whether there is something that the last snapshot does not have.
  bool changed() const { return kept_->store.size() > published_; }
  // The tracks that have got more since the last one are built anew. done: nothing more is there.
  std::shared_ptr<const TimelineSnapshot> Publish(bool done);

 private:
  // What snapshots point into.
  struct Kept {
    timeline::Names names;
    EventStore store{names};
  };

  void Take(const timeline::TraceSpan& span, const SpanTimes& times);
  void NoteLinks(const timeline::TraceSpan& span, const SpanArgs& args, EventId id, TrackId track);
  void BuildTracks();
  bool FindLaunch(const LinkFinder::Wanted& wanted, EventId* launch) const;

  const std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
  EventStore& store_ = kept_->store;
  Tracks tracks_{kept_->names};
  LinkFinder finder_;
  TraceFeed feed_;

  std::vector<std::vector<EventId>> added_;  // By track, since the last snapshot.
  std::vector<std::shared_ptr<const TrackIndex>> indexes_;
  std::shared_ptr<const LinkTable> links_ = std::make_shared<LinkTable>();
  size_t published_ = 0;
  uint64_t left_out_ = 0;
  int64_t start_ns_ = INT64_MAX;
  int64_t end_ns_ = INT64_MIN;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_TIMELINE_BUILDER_H_
