#include "warden/timeline/merge/trace_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "warden/timeline/import/json_cursor.h"
#include "warden/timeline/import/span_table.h"

namespace warden::timeline {
namespace {

constexpr size_t kBlock = size_t{1} << 20;

// The earliest start of what is in a range.
class Earliest {
 public:
  explicit Earliest(const TimeRange& range) : range_(range) {}
  void Take(const TraceSpan& found) {
    if (!range_.Overlaps(found.span.start_us, found.span.end_us())) return;
    at_ = std::min(at_, found.span.start_us);
  }
  // What it was, to begin again.
  int64_t Exchange() { return std::exchange(at_, kNever); }

 private:
  const TimeRange& range_;
  int64_t at_ = kNever;
};

class Scanner {
 public:
  Scanner(const TimeRange& range, const std::function<void(uint64_t)>& progress, BlockScan* scan)
      : progress_(progress), scan_(scan), earliest_(range) {}

  Status Scan(uint32_t number, const TraceFile& file, TraceReader* reader) {
    return file.gzip ? ScanPacked(number, file, reader) : ScanPlain(number, file, reader);
  }

 private:
  void Add(TraceBlock block) {
    scan_->bytes += block.size;
    if (progress_) progress_(scan_->bytes);
    block.first_start = earliest_.Exchange();
    if (block.first_start != kNever) scan_->blocks.push_back(std::move(block));
  }

  // A packed file is one block: there is no way to read it from the middle.
  Status ScanPacked(uint32_t number, const TraceFile& file, TraceReader* reader) {
    bool cut = false;
    const auto text = ReadGzipFile(file, kMostUnpacked, &cut);
    if (!text.ok()) return text.status();
    TraceBlock block{number, 0, text.value().size(), true, 0, reader->state()};
    reader->Read(text.value().text(), true,
                 [this](const TraceSpan& found) { earliest_.Take(found); });
    Add(std::move(block));
    return {};
  }

  Status ScanPlain(uint32_t number, const TraceFile& file, TraceReader* reader) {
    PaddedText text;
    for (uint64_t offset = 0;;) {
      const size_t held = text.size();
      Status status = ReadFileRange(file, offset + held, kBlock, &text);
      if (!status.ok()) return status;
      const bool at_end = text.size() == held;
      const bool last = at_end && file.finished;
      TraceBlock block{number, offset, 0, last, 0, reader->state()};
      block.size = reader->Read(text.text(), last,
                                [this](const TraceSpan& found) { earliest_.Take(found); });
      text.Drop(block.size);
      offset += block.size;
      Add(std::move(block));
      if (at_end) return {};
    }
  }

  const std::function<void(uint64_t)>& progress_;
  BlockScan* const scan_;
  Earliest earliest_;
};

// JSON has no word for what is not finite: null stands for it.
std::string WithoutNonFinite(std::string_view json) {
  std::string out;
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (in_string && json[i] == '\\') {
      out.append(rest.substr(0, 2));
      ++i;
      continue;
    }
    if (json[i] == '"') in_string = !in_string;
    size_t skipped = 0;
    for (const std::string_view word : {"NaN", "Infinity", "-Infinity"}) {
      if (!in_string && rest.starts_with(word)) skipped = word.size();
    }
    if (skipped == 0) {
      out.push_back(json[i]);
      continue;
    }
    out.append("null");
    i += skipped - 1;
  }
  return out;
}

TraceReader ReaderOf(const TraceFile& file, Names* names) {
  return TraceReader({file.node, file.source, file.base_us, /*want_names=*/false, file.ahead_us},
                     names);
}

}  // namespace

BlockScan ScanBlocks(const std::vector<TraceFile>& files, const TimeRange& range, Names* names,
                     const std::function<void(uint64_t)>& progress) {
  BlockScan scan;
  Scanner scanner(range, progress, &scan);
  TraceReaders readers(names, /*want_names=*/false);
  for (uint32_t i = 0; i < files.size(); ++i) {
    TraceReader* const reader = readers.Of(files[i]);
    const TraceProblems before = reader->problems();
    const Status status = scanner.Scan(i, files[i], reader);
    if (!status.ok()) scan.problems.push_back(status.message());
    const std::string problem = ProblemsSince(before, reader->problems());
    if (!problem.empty()) scan.problems.push_back(fmt::format("{}: {}", files[i].path, problem));
  }
  std::sort(scan.blocks.begin(), scan.blocks.end(), [](const TraceBlock& a, const TraceBlock& b) {
    return std::tie(a.first_start, a.file, a.offset) < std::tie(b.first_start, b.file, b.offset);
  });
  return scan;
}

Status LoadedBlock::Load(const TraceBlock& block, const TraceFile& file, const TimeRange& range,
                         Names* names) {
  file_ = block.file;
  if (file.gzip) {
    bool cut = false;
    auto text = ReadGzipFile(file, kMostUnpacked, &cut);
    if (!text.ok()) return text.status();
    text_ = std::move(text.value());
  } else if (Status status = ReadFileRange(file, block.offset, block.size, &text_); !status.ok()) {
    return status;
  }
  TraceReader reader = ReaderOf(file, names);
  reader.Resume(block.state);
  reader.Read(text_.text(), block.last, [&](const TraceSpan& found) {
    if (range.Overlaps(found.span.start_us, found.span.end_us())) Take(found, *names);
  });
  for (uint32_t i = 0; i < spans_.size(); ++i) order_.emplace_back(spans_[i].start_us, i);
  std::sort(order_.begin(), order_.end());
  return {};
}

void LoadedBlock::Take(const TraceSpan& found, const Names& names) {
  MergeSpan span;
  span.start_us = found.span.start_us;
  span.duration_us = found.span.duration_us;
  span.tid = found.span.tid;
  span.phase = found.span.phase;
  span.phase_name = &names.Text(found.span.phase);
  span.node_name = &names.Text(found.span.node);
  span.name = found.name_json;
  span.args = found.args;
  const std::less<const char*> before;
  const char* const end = text_.text().data() + text_.size();
  // What began in an earlier block has its name there.
  if (before(span.name.data(), text_.text().data()) || !before(span.name.data(), end)) {
    span.name = copies_.emplace_back(span.name);
  }
  if (found.args_non_finite) span.args = copies_.emplace_back(WithoutNonFinite(span.args));
  spans_.push_back(span);
}

}  // namespace warden::timeline
