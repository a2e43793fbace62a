#ifndef WARDEN_TIMELINE_FEED_PROFILE_FEED_H_
#define WARDEN_TIMELINE_FEED_PROFILE_FEED_H_

// A stream of what a profiler saves, for evaluation while a run trains. The rule engine reads from
// it; tapped_feed.h lets others see what passes.
//
//   auto feed = OpenProfileFeed("runs/1/profiler-output");
//   ProfileBatch batch;
//   while (feed->Next(&batch).ok() && !batch.empty()) Use(batch, feed->names());

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/timeline/names.h"
#include "warden/timeline/node_sample.h"
#include "warden/timeline/span.h"

namespace warden::timeline {

// A piece of what a profiler's folder holds. Samples are in the order of their times, spans in that
// of their ends, as far as the files have them so.
struct ProfileBatch {
  std::vector<NodeSample> samples;
  std::vector<Span> spans;

  bool empty() const { return samples.empty() && spans.empty(); }
  void clear() {
    samples.clear();
    spans.clear();
  }
};

// Reads the profiler's folder of a run, finished or growing, each sample and span once, in the
// order of time as far as the files allow. Unfinished files too, whose lines are not read again
// when they get their final names. For one thread; never waits for data.
class ProfileFeed {
 public:
  virtual ~ProfileFeed() = default;

  // Replaces *batch by the next piece: at most about two seconds of the run, 20,000 spans and 5,000
  // samples. Empty if there is nothing new by now; call it again later. A file that cannot be read
  // is skipped and reported in problems().
  virtual Status Next(ProfileBatch* batch) = 0;
  // Makes the next call of Next list the folder. Otherwise files that were created within the last
  // 0.1 s may not have been noticed yet.
  virtual void LookAgain() = 0;

  // Whether the job has said that it ended; after an empty piece, nothing more will come.
  virtual bool ended() const = 0;
  // Whether any file of the profiler was there so far.
  virtual bool any() const = 0;

  // What the ids in batches refer to; valid as long as the feed, and grows with it. problems() are
  // texts for users: files and lines that were skipped.
  virtual const Names& names() const = 0;
  virtual const std::vector<std::string>& problems() const = 0;
};

// Of a folder with system/ and framework/ in it, which need not exist yet. Does not fail.
std::unique_ptr<ProfileFeed> OpenProfileFeed(std::string folder);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_FEED_PROFILE_FEED_H_
