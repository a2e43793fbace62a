#include "warden/timeline/kernels/kernel_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>

#include "warden/format/kernel_block.h"
#include "warden/format/little_endian.h"
#include "warden/format/record.h"
#include "warden/timeline/file_text.h"

namespace warden::timeline {
namespace {

using format::GpuEvent;
using format::kRecordFooterSize;
using format::kRecordHeaderSize;

// At 56 bytes each.
constexpr size_t kMostLoadedEvents = size_t{4} << 20;
constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

// The record at an offset; empty at the end of the file. kTruncated for one that is being written.
Result<PaddedText> ReadBlock(const FilePlace& file, uint64_t offset) {
  PaddedText text;
  Status read = ReadFileRange(file, offset, kRecordHeaderSize, &text);
  if (!read.ok() || text.size() == 0) return read.ok() ? Result<PaddedText>(std::move(text)) : read;
  if (text.size() < kRecordHeaderSize) return Status(Code::kTruncated, "header cut off");
  const auto size =
      format::LoadLittleEndian<uint64_t>(reinterpret_cast<const std::byte*>(text.text().data()));
  if (size > format::kMostBlockBytes) {
    return Status(Code::kCorrupt, fmt::format("block of {} bytes", size));
  }
  read = ReadFileRange(file, offset + kRecordHeaderSize, size + kRecordFooterSize, &text);
  if (!read.ok()) return read;
  return text;
}

Result<Bytes> PayloadOf(const PaddedText& record, uint64_t offset) {
  return format::ParseRecord(AsBytes(record.text()), offset, format::Check::kFull);
}

bool StartsEarlier(const GpuEvent& a, const GpuEvent& b) { return a.start_ns < b.start_ns; }

// Sorts by start. A block has a sorted run for each kind, so that merging is enough.
void SortEvents(std::vector<GpuEvent>* events) {
  std::vector<ptrdiff_t> ends;
  for (auto at = events->begin(); at != events->end();) {
    at = std::is_sorted_until(at, events->end(), StartsEarlier);
    ends.push_back(at - events->begin());
  }
  if (ends.size() > format::kGpuWorks) {
    return std::sort(events->begin(), events->end(), StartsEarlier);
  }
  std::vector<GpuEvent> merged;
  for (size_t i = 1; i < ends.size(); ++i) {
    const auto middle = events->begin() + ends[i - 1];
    merged.clear();
    std::merge(events->begin(), middle, middle, events->begin() + ends[i],
               std::back_inserter(merged), StartsEarlier);
    std::copy(merged.begin(), merged.end(), events->begin());
  }
}

// How far the times of a file are moved, so that they are by the clock that is wanted.
int64_t MovedNs(const ActivityFile& file) {
  constexpr int64_t kMost = int64_t{365} * 24 * 3600 * 1'000'000;
  return -std::clamp(file.ahead_us, -kMost, kMost) * 1000;
}

}  // namespace

KernelStream::KernelStream(std::vector<ActivityFile> files) {
  sources_.resize(files.size());
  for (size_t i = 0; i < files.size(); ++i) {
    sources_[i].file = std::move(files[i]);
    Scan(i);
  }
  std::sort(places_.begin(), places_.end(), [](const BlockPlace& a, const BlockPlace& b) {
    return std::pair(a.first_ns, a.source) > std::pair(b.first_ns, b.source);
  });
  Choose();
}

void KernelStream::Scan(size_t index) {
  Source& source = sources_[index];
  const auto problem = [&](std::string_view what) {
    problems_.push_back(fmt::format("{}: {}", source.file.path, what));
  };
  PaddedText magic;
  const size_t begin = format::kKernelFileMagic.size();
  if (const Status read = ReadFileRange(source.file, 0, begin, &magic); !read.ok()) {
    return problems_.push_back(read.message());
  }
  if (magic.text() != format::kKernelFileMagic) {
    // One that is being written may have nothing yet.
    if (magic.size() > 0 || source.file.finished) problem("not a file of GPU activity");
    return;
  }
  const int64_t moved_ns = MovedNs(source.file);
  int64_t open_ns = kNoLimit;
  for (uint64_t offset = begin;;) {
    const auto record = ReadBlock(source.file, offset);
    if (record.ok() && record.value().size() == 0) break;
    const auto payload =
        record.ok() ? PayloadOf(record.value(), offset) : Result<Bytes>(record.status());
    format::KernelBlockHead head;
    const Status status = payload.ok()
                              ? format::ScanKernelBlock(payload.value(), &source.dictionary, &head)
                              : payload.status();
    if (!status.ok()) {
      const bool growing = status.code() == Code::kTruncated && !source.file.finished;
      if (!growing) problem(fmt::format("cut off after {} bytes: {}", offset, status.message()));
      break;
    }
    head.first_ns += moved_ns;
    for (format::KernelWindow& window : head.windows) {
      window.start_ns += moved_ns;
      window.end_ns += moved_ns;
    }
    for (format::StepMark& step : head.steps) step.start_ns += moved_ns;
    if (head.events > 0) {
      places_.push_back({index, offset, record.value().size(), head.first_ns});
      source.first_ns =
          source.events == 0 ? head.first_ns : std::min(source.first_ns, head.first_ns);
      source.events += head.events;
      open_ns = std::min(open_ns, head.first_ns);
    }
    source.windows.insert(source.windows.end(), head.windows.begin(), head.windows.end());
    source.steps.insert(source.steps.end(), head.steps.begin(), head.steps.end());
    if (!head.windows.empty()) open_ns = kNoLimit;
    offset += record.value().size();
    source.bytes = offset;
  }
  // The end is that of the last event, which is not known yet.
  if (open_ns != kNoLimit) source.windows.push_back({open_ns, kNoLimit, 0});
  std::sort(source.windows.begin(), source.windows.end(),
            [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
  std::sort(source.steps.begin(), source.steps.end(),
            [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
}

void KernelStream::LoadNext() {
  const BlockPlace place = places_.back();
  places_.pop_back();
  LoadedPointer loaded;
  if (spare_.empty()) {
    loaded = std::make_unique<Loaded>();
  } else {
    loaded = std::move(spare_.back());
    spare_.pop_back();
  }
  loaded->source = place.source;
  loaded->next = 0;
  const Source& source = sources_[place.source];
  const auto record = ReadBlock(source.file, place.offset);
  const auto payload =
      record.ok() ? PayloadOf(record.value(), place.offset) : Result<Bytes>(record.status());
  const Status status = payload.ok() ? format::ParseKnownKernelBlock(
                                           payload.value(), source.dictionary, &loaded->block)
                                     : payload.status();
  if (!status.ok()) {
    problems_.push_back(fmt::format("{}: {}", source.file.path, status.message()));
    spare_.push_back(std::move(loaded));
    return;
  }
  std::vector<GpuEvent>& events = loaded->block.events;
  for (GpuEvent& event : events) event.start_ns += MovedNs(source.file);
  SortEvents(&events);
  if (events.empty()) return;
  loaded_events_ += events.size();
  loaded_.push_back(std::move(loaded));
  std::push_heap(loaded_.begin(), loaded_.end(), ComesLater);
}

void KernelStream::Choose() {
  const auto is_needed = [&] {
    if (places_.empty()) return false;
    return loaded_.empty() || (places_.back().first_ns <= loaded_.front()->start_ns() &&
                               loaded_events_ < kMostLoadedEvents);
  };
  while (is_needed()) LoadNext();
  if (loaded_.empty()) return current_.reset();
  std::pop_heap(loaded_.begin(), loaded_.end(), ComesLater);
  current_ = std::move(loaded_.back());
  loaded_.pop_back();
  limit_ns_ = kNoLimit;
  if (!loaded_.empty()) limit_ns_ = loaded_.front()->start_ns();
  if (!places_.empty()) limit_ns_ = std::min(limit_ns_, places_.back().first_ns);
}

void KernelStream::Next() {
  if (++current_->next == current_->block.events.size()) {
    loaded_events_ -= current_->block.events.size();
    spare_.push_back(std::move(current_));
    return Choose();
  }
  if (current_->start_ns() < limit_ns_) return;
  loaded_.push_back(std::move(current_));
  std::push_heap(loaded_.begin(), loaded_.end(), ComesLater);
  Choose();
}

}  // namespace warden::timeline
