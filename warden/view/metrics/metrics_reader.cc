#include "warden/view/metrics/metrics_reader.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "warden/format/profiler_layout.h"
#include "warden/timeline/profile_files.h"

namespace warden::view {
namespace {

constexpr size_t kMostNodes = 512;
constexpr size_t kMostProblems = 100;
constexpr size_t kSpansAtOnce = 20'000;

uint64_t SizeOf(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 ? static_cast<uint64_t>(info.st_size) : 0;
}

}  // namespace

MetricsReader::MetricsReader(const std::string& folder) : folder_(folder), scan_(folder) {}

void MetricsReader::List() {
  const std::vector<timeline::FoundFile> found = scan_.List();
  std::vector<std::string> keys;
  for (const timeline::FoundFile& file : found) keys.push_back(file.key);
  for (const timeline::FoundFile& file : found) {
    if (file.key.starts_with(format::kSystemPrefix)) {
      AddMetrics(file);
    } else {
      AddTimeline(file, keys);
    }
  }
  bytes_total_ = 0;
  for (const auto& [node, fed] : metrics_) {
    for (const auto& [id, bytes] : fed.sizes) bytes_total_ += bytes;
  }
}

// A file keeps its inode when it gets its final name.
bool MetricsReader::IsNew(const timeline::FoundFile& found) {
  std::string& key = known_[found.id];
  if (key == found.key) return false;
  key = found.key;
  return true;
}

void MetricsReader::AddMetrics(const timeline::FoundFile& found) {
  const auto name = format::ParseMetricFileKey(found.key);
  const auto file = timeline::ToMetricFile(folder_, found.key);
  if (!name || !file) return;
  const bool is_new = IsNew(found);
  if (!is_new && name->finished) return;
  Fed& fed = metrics_[name->node];
  fed.sizes[found.id] = SizeOf(file->path);
  if (!is_new) return;
  if (fed.stream == nullptr) fed.stream = MakeStream(&fed);
  fed.stream->Add(found.id, file->path, file->time_us, file->finished);
}

// Steps are in the hooks' own timelines alone.
void MetricsReader::AddTimeline(const timeline::FoundFile& found,
                                const std::vector<std::string>& keys) {
  const auto file = timeline::ToTraceFile(folder_, found.key, keys);
  if (!file || file->source != timeline::Source::kPython || !IsNew(found)) return;
  auto& stream = timelines_[file->node];
  if (stream == nullptr) {
    stream = std::make_unique<timeline::SpanStream>(*file, &names_, &stream_problems_);
  }
  stream->Add(found.id, file->path, file->time_us, file->finished);
}

std::unique_ptr<LineStream> MetricsReader::MakeStream(Fed* fed) {
  LineStream::Takers takers;
  takers.line = [this, fed](const format::MetricLine& line) { Take(fed, line); };
  takers.read = [this](uint64_t bytes) { bytes_read_ += bytes; };
  takers.broken = [this](std::string_view path, int64_t broken, const std::string& first) {
    if (stream_problems_.size() >= kMostProblems) return;
    stream_problems_.push_back(
        fmt::format("{}: skipped {} invalid lines; first: {}", path, broken, first));
  };
  takers.pause = [fed] {
    for (NodeTable* const node : fed->nodes) node->Pause();
  };
  return std::make_unique<LineStream>(std::move(takers), &stream_problems_);
}

void MetricsReader::Take(Fed* fed, const format::MetricLine& line) {
  if (fed->last == nullptr || fed->last->name() != line.node) fed->last = NodeOf(line.node);
  if (fed->last == nullptr) return;
  fed->nodes.insert(fed->last);
  if (!fed->last->Add(line)) ++passed_over_[fed->last->name()];
}

NodeTable* MetricsReader::NodeOf(std::string_view name) {
  const auto found = target_.nodes->find(name);
  if (found != target_.nodes->end()) return found->second.get();
  if (target_.nodes->size() == kMostNodes) return nullptr;
  size_t columns = 0;
  for (const auto& [other, node] : *target_.nodes) columns += node->metrics().size();
  auto made = std::make_unique<NodeTable>(std::string(name), columns);
  return target_.nodes->emplace(name, std::move(made)).first->second.get();
}

bool MetricsReader::Advance(const MetricsTarget& target) {
  target_ = target;
  // Timelines may be long; the machine is what people look at first.
  const bool more = AdvanceMetrics() || AdvanceSteps();
  for (const auto& [name, node] : *target.nodes) {
    if (node->size() == 0) continue;
    last_time_ = std::max(last_time_.value_or(0), node->TimeAt(node->size() - 1));
  }
  *target.problems = stream_problems_;
  for (const auto& [node, lines] : passed_over_) {
    target.problems->push_back(
        fmt::format("skipped {} lines of {}: out of order, or not system metrics", lines, node));
  }
  return more;
}

// One node at a time, in turn: others wait for the tables meanwhile.
bool MetricsReader::AdvanceMetrics() {
  for (size_t i = 0; i < metrics_.size(); ++i) {
    auto at = metrics_.upper_bound(last_node_);
    if (at == metrics_.end()) at = metrics_.begin();
    last_node_ = at->first;
    if (at->second.stream->Advance()) return true;
  }
  return false;
}

bool MetricsReader::AdvanceSteps() {
  batch_.clear();
  for (const auto& [node, stream] : timelines_) {
    while (batch_.spans.size() < kSpansAtOnce && stream->Fill()) stream->TakeNext(&batch_);
  }
  for (const timeline::Span& span : batch_.spans) target_.steps->Add(span, names_);
  return !batch_.empty();
}

}  // namespace warden::view
