#include "warden/timeline/import/span_table.h"

#include <fmt/format.h>

#include <filesystem>

#include "warden/timeline/file_text.h"

namespace warden::timeline {
namespace {

constexpr size_t kSpanPiece = size_t{1} << 20;

class SpanTableBuilder {
 public:
  SpanTableBuilder(const SpanQuery& query, SpanTable* table) : query_(query), table_(table) {}

  void Take(const TraceSpan& found) {
    if (!query_.range.Overlaps(found.span.start_us, found.span.end_us())) return;
    table_->spans.push_back(found.span);
    table_->starts_us.push_back(found.start_us);
    table_->durations_us.push_back(found.duration_us);
    table_->event_names.push_back(found.event_name);
    table_->phase_pids.push_back(found.phase_pid);
    table_->phase_tids.push_back(found.phase_tid);
    if (!query_.args) return;
    table_->args_text.append(found.args);
    table_->args_ends.push_back(table_->args_text.size());
  }

  Status ReadFile(const TraceFile& file, TraceReader* reader) {
    const TraceProblems before = reader->problems();
    const Status status =
        ReadTraceFile(file, reader, [this](const TraceSpan& span) { Take(span); });
    if (!status.ok()) return status;
    table_->broken += reader->problems().broken - before.broken;
    const std::string problem = ProblemsSince(before, reader->problems());
    if (!problem.empty()) table_->problems.push_back(fmt::format("{}: {}", file.path, problem));
    return {};
  }

 private:
  const SpanQuery& query_;
  SpanTable* const table_;
};

// A plain trace: what is in it is all that is known of it.
TraceFile PlainTrace(const std::string& path) {
  TraceFile file;
  file.path = path;
  file.gzip = path.ends_with(".gz");
  file.finished = !path.ends_with(".tmp");
  const std::string name = std::filesystem::path(path).filename();
  file.node = name.substr(0, name.find('.'));
  return file;
}

}  // namespace

TraceFile TraceFileAt(const std::string& path) {
  auto known = ToTraceFile("", path, {});
  if (!known) return PlainTrace(path);
  known->path = path;
  known->root = std::string::npos;  // The user named it.
  return *std::move(known);
}

Status ReadTraceFile(const TraceFile& file, TraceReader* reader, const TakeSpan& take) {
  if (file.gzip) {
    bool cut = false;
    const auto text = ReadGzipFile(file, kMostUnpacked, &cut);
    if (!text.ok()) return text.status();
    reader->Read(text.value().text(), /*last=*/true, take);
    return {};
  }
  PaddedText text;
  for (size_t offset = 0;;) {
    const size_t before = text.size();
    if (Status status = ReadFileRange(file, offset, kSpanPiece, &text); !status.ok()) {
      return status;
    }
    const bool at_end = text.size() == before;
    offset += text.size() - before;
    // The last event of a file that is being written may not be whole yet, which is no problem.
    text.Drop(reader->Read(text.text(), at_end && file.finished, take));
    if (at_end) return {};
  }
}

TraceReader* TraceReaders::Of(const TraceFile& file) {
  const TraceReader::Options options{file.node, file.source, file.base_us, want_names_,
                                     file.ahead_us};
  const auto [found, made] = readers_.try_emplace({file.node, file.suffix}, options, names_);
  if (!made) found->second.BeginFile(file.base_us);
  return &found->second;
}

std::string ProblemsSince(const TraceProblems& before, const TraceProblems& now) {
  const int64_t broken = now.broken - before.broken;
  if (broken == 0) return {};
  if (before.broken > 0) return fmt::format("skipped {} invalid events", broken);
  return fmt::format("skipped {} invalid events; first: {}", broken, now.first);
}

Result<SpanTable> ReadSpans(const std::string& folder, const SpanQuery& query) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return Status(Code::kNotFound, fmt::format("cannot open {}: no such folder", folder));
  }
  SpanTable table;
  SpanTableBuilder builder(query, &table);
  TraceReaders readers(&table.names, /*want_names=*/true);
  for (const TraceFile& file :
       TraceFiles(folder, query.range, query.buffer_us, query.unfinished, query.suffixes)) {
    const Status status = builder.ReadFile(file, readers.Of(file));
    if (!status.ok()) table.problems.push_back(status.message());
  }
  return table;
}

Result<SpanTable> ReadSpansOfFile(const std::string& path, const SpanQuery& query) {
  SpanTable table;
  TraceReaders readers(&table.names, /*want_names=*/true);
  const TraceFile file = TraceFileAt(path);
  const Status status = SpanTableBuilder(query, &table).ReadFile(file, readers.Of(file));
  if (!status.ok()) return status;
  return table;
}

}  // namespace warden::timeline
