#ifndef WARDEN_TIMELINE_FEED_PROFILE_FEED_H_
#define WARDEN_TIMELINE_FEED_PROFILE_FEED_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/timeline/names.h"
#include "warden/timeline/node_sample.h"
#include "warden/timeline/span.h"

namespace warden::timeline {

// What a profiler's folder has come to hold: pieces of it, each read once.
struct ProfileBatch {
  std::vector<NodeSample> samples;
  std::vector<Span> spans;

  bool empty() const { return samples.empty() && spans.empty(); }
  void clear() {
    samples.clear();
    spans.clear();
  }
};

// Reads the profiler's folder of a run, finished or growing, in the order of time as far as the
// files allow: unfinished files too, whose lines are not read again when they get their names. For
// one thread.
class ProfileFeed {
 public:
  virtual ~ProfileFeed() = default;

  // The next piece, of a few seconds at most and a few MB; empty if there is nothing new by now.
  // A file that cannot be read is passed over and told in problems().
  virtual Status Next(ProfileBatch* batch) = 0;
  // The next pieces are of all that is there now. Else files that were made a moment ago may not
  // have been noticed yet.
  virtual void LookAgain() = 0;

  // Whether the job has said that it ended; after an empty piece, nothing more will come.
  virtual bool ended() const = 0;
  // Whether any file of the profiler was there so far.
  virtual bool any() const = 0;

  virtual const Names& names() const = 0;
  virtual const std::vector<std::string>& problems() const = 0;
};

// Of a folder with system/ and framework/ in it, which need not exist yet.
std::unique_ptr<ProfileFeed> OpenProfileFeed(std::string folder);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_FEED_PROFILE_FEED_H_
