#ifndef WARDEN_TIMELINE_FEED_TAPPED_FEED_H_
#define WARDEN_TIMELINE_FEED_TAPPED_FEED_H_

#include <functional>
#include <memory>

#include "warden/timeline/feed/profile_feed.h"

namespace warden::timeline {

// Sees a piece of a profile on its way to whoever reads the feed, with the names of its ids. Both
// are valid during the call, which is on the reader's thread.
using SeeBatch = std::function<void(const ProfileBatch&, const Names&)>;

// The same feed, which shows each piece to `see` before Next returns it, empty pieces too. What
// `see` refers to outlives the feed.
//
//   engine->SetProfile(Tap(OpenProfileFeed(folder), [&](const ProfileBatch& batch, const Names&) {
//     samples += batch.samples.size();
//   }));
std::unique_ptr<ProfileFeed> Tap(std::unique_ptr<ProfileFeed> feed, SeeBatch see);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_FEED_TAPPED_FEED_H_
