#include "warden/timeline/feed/tapped_feed.h"

#include <string>
#include <utility>
#include <vector>

namespace warden::timeline {
namespace {

class TappedFeed final : public ProfileFeed {
 public:
  TappedFeed(std::unique_ptr<ProfileFeed> feed, SeeBatch see)
      : feed_(std::move(feed)), see_(std::move(see)) {}

  Status Next(ProfileBatch* batch) override {
    Status status = feed_->Next(batch);
    see_(*batch, feed_->names());
    return status;
  }
  void LookAgain() override { feed_->LookAgain(); }
  bool ended() const override { return feed_->ended(); }
  bool any() const override { return feed_->any(); }
  const Names& names() const override { return feed_->names(); }
  const std::vector<std::string>& problems() const override { return feed_->problems(); }

 private:
  const std::unique_ptr<ProfileFeed> feed_;
  const SeeBatch see_;
};

}  // namespace

std::unique_ptr<ProfileFeed> Tap(std::unique_ptr<ProfileFeed> feed, SeeBatch see) {
  return std::make_unique<TappedFeed>(std::move(feed), std::move(see));
}

}  // namespace warden::timeline
