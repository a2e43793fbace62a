#include "warden/view/timeline/timeline_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "warden/base/strings.h"
#include "warden/timeline/summary/step_breakdown.h"

namespace warden::view {
namespace {

constexpr int64_t kMicrosecond = 1000;
// Of a row: only events without length can begin at the same moment.
constexpr size_t kMostAtOnce = 16;
// What people and profilers mark on a CPU; PyTorch's profiler marks its steps on GPUs too.
constexpr std::string_view kAnnotation = "Annotation";

int64_t WholeMicroseconds(int64_t time_ns) {
  const int64_t rest = time_ns % kMicrosecond;
  return time_ns - (rest < 0 ? rest + kMicrosecond : rest);
}

}  // namespace

TimelineBuilder::TimelineBuilder(const std::string& folder, ArgumentFinder* arguments,
                                 timeline::HostClocks clocks)
    : clocks_(std::move(clocks)),
      feed_(
          folder, &kept_->names, arguments,
          [this](const timeline::TraceSpan& span, const SpanTimes& times) { Take(span, times); },
          [this] { finder_.BeginFile(); }) {}

int64_t TimelineBuilder::AheadNs(timeline::NameId node) {
  if (clocks_.empty()) return 0;
  if (node >= ahead_ns_.size()) ahead_ns_.resize(node + 1);
  std::optional<int64_t>& ahead = ahead_ns_[node];
  if (!ahead) {
    const std::string_view host = timeline::SplitNode(kept_->names.Text(node)).first;
    ahead = kMicrosecond * timeline::AheadUs(clocks_, host);
  }
  return *ahead;
}

void TimelineBuilder::Take(const timeline::TraceSpan& span, const SpanTimes& written) {
  if (store_.size() >= EventStore::kMost) {
    ++left_out_;
    return;
  }
  const SpanTimes times{written.start_ns - AheadNs(span.span.node), written.duration_ns};
  const SpanArgs args = ReadSpanArgs(span.args);
  const TrackId track = tracks_.Of(span, args);
  const LabelId label = store_.LabelOf(span.event_name, span.span.phase);
  const EventId id = store_.Add({times.start_ns, times.duration_ns, label, track});
  if (track >= added_.size()) added_.resize(track + 1);
  added_[track].push_back(id);
  start_ns_ = std::min(start_ns_, times.start_ns);
  end_ns_ = std::max(end_ns_, times.start_ns + times.duration_ns);
  NoteLinks(span, args, id, track);
  if (!tracks_.OnGpu(track)) NoteStep(span, id);
}

void TimelineBuilder::NoteStep(const timeline::TraceSpan& span, EventId id) {
  const std::string_view phase = kept_->names.Text(span.span.phase);
  if (timeline::ModeOfStepPhase(phase)) {
    if (span.span.step >= 0) store_.AddStep({id, span.span.step});
    return;
  }
  const std::string_view name = kept_->names.Text(span.event_name);
  if (phase != kAnnotation || !IsTorchStep(name)) return;
  const auto step = ParseInt(name.substr(kTorchStep.size()));
  if (step && *step >= 0) store_.AddStep({id, *step});
}

void TimelineBuilder::NoteLinks(const timeline::TraceSpan& span, const SpanArgs& args, EventId id,
                                TrackId track) {
  const bool on_gpu = tracks_.OnGpu(track);
  if (args.correlation && *args.correlation != 0) {
    finder_.AddCorrelated(id, on_gpu, *args.correlation);
  } else if (on_gpu && args.launch_thread && args.launch_us) {
    const auto times = TimesOf(*args.launch_us, 0, 0);
    if (!times) return;
    const timeline::NameId name = kept_->names.IdOf(args.launch_name);
    finder_.AddNamed(
        {id, span.span.node, name, *args.launch_thread, times->start_ns - AheadNs(span.span.node)});
  }
}

std::shared_ptr<const TimelineSnapshot> TimelineBuilder::Publish(bool done) {
  BuildTracks();
  std::vector<Link> found = finder_.Take(
      [this](const LinkFinder::Wanted& wanted, EventId* id) { return FindLaunch(wanted, id); });
  if (!found.empty()) {
    found.insert(found.end(), links_->links().begin(), links_->links().end());
    links_ = std::make_shared<LinkTable>(store_, std::move(found));
  }
  auto snapshot = std::make_shared<TimelineSnapshot>();
  snapshot->store = std::shared_ptr<const EventStore>(kept_, &store_);
  for (size_t i = 0; i < indexes_.size(); ++i) {
    snapshot->tracks.push_back({tracks_.all()[i], indexes_[i]});
  }
  snapshot->order = InOrder(tracks_.all());
  snapshot->links = links_;
  snapshot->events = published_ = store_.size();
  snapshot->labels = store_.labels();
  snapshot->steps = store_.steps();
  if (published_ > 0) {
    snapshot->start_ns = WholeMicroseconds(start_ns_);
    snapshot->end_ns = WholeMicroseconds(end_ns_ + kMicrosecond - 1);
  }
  snapshot->done = done;
  snapshot->bytes_read = feed_.bytes_read();
  snapshot->bytes_known = done ? feed_.bytes_read() : feed_.bytes_known();
  snapshot->clocks = clocks_;
  snapshot->problems = feed_.problems();
  if (left_out_ > 0) {
    snapshot->problems.push_back(fmt::format("There are more than {} events; {} are not shown",
                                             EventStore::kMost, left_out_));
  }
  return snapshot;
}

void TimelineBuilder::BuildTracks() {
  indexes_.resize(tracks_.all().size());
  added_.resize(indexes_.size());
  for (size_t track = 0; track < indexes_.size(); ++track) {
    std::shared_ptr<const TrackIndex>& index = indexes_[track];
    if (index != nullptr && added_[track].empty()) continue;
    std::vector<EventId> ids = std::exchange(added_[track], {});
    if (index != nullptr) {
      const std::vector<EventId> before = index->Ids();
      ids.insert(ids.end(), before.begin(), before.end());
    }
    index = std::make_shared<TrackIndex>(store_, ids);
  }
}

// The operator of that name that begins then; the innermost, if the name is not said.
bool TimelineBuilder::FindLaunch(const LinkFinder::Wanted& wanted, EventId* launch) const {
  const auto track = tracks_.OperatorsOf(wanted.node, wanted.thread);
  if (!track) return false;
  bool any = false;
  for (const Row& row : indexes_[*track]->rows()) {
    const size_t first = row.FirstFrom(store_, 0, wanted.start_ns);
    const size_t last = std::min(first + kMostAtOnce, row.size());
    for (size_t i = first; i < last && store_.start(row[i]) == wanted.start_ns; ++i) {
      const bool same = &store_.name(row[i]) == &kept_->names.Text(wanted.name);
      if (!same && wanted.name != 0) continue;
      *launch = row[i];
      any = true;
    }
  }
  return any;
}

}  // namespace warden::view
