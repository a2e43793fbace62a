#include "warden/timeline/metric_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>
#include <utility>

#include "warden/format/metric_line.h"
#include "warden/timeline/file_text.h"

namespace warden::timeline {
namespace {

constexpr size_t kMetricPiece = size_t{4} << 20;
constexpr size_t kWorthAThread = size_t{8} << 20;  // Bytes.
constexpr double kLatestSecond = 9e12;             // Beyond, microseconds leave 64 bits.

// The four names of a line. Samples repeat the same lines in the same order, so that the names of a
// line are most likely those that followed the line before at the last time.
class NamesOfLines {
 public:
  struct Ids {
    NameId type = 0;
    NameId metric = 0;
    NameId dimension = 0;
    NameId node = 0;
  };

  explicit NamesOfLines(Names* names) : names_(names) {}

  const Ids& Find(const format::MetricLine& line) {
    const size_t expected = last_ + 1 < known_.size() ? last_ + 1 : 0;
    for (const size_t i : {expected, size_t{0}}) {
      if (i < known_.size() && Is(known_[i], line)) return known_[last_ = i];
    }
    return Add(line);
  }

 private:
  static constexpr size_t kMost = 4096;

  bool Is(const Ids& ids, const format::MetricLine& line) const {
    return names_->Text(ids.metric) == line.name && names_->Text(ids.dimension) == line.dimension &&
           names_->Text(ids.type) == line.type && names_->Text(ids.node) == line.node;
  }

  const Ids& Add(const format::MetricLine& line) {
    const Ids ids{names_->IdOf(line.type), names_->IdOf(line.name), names_->IdOf(line.dimension),
                  names_->IdOf(line.node)};
    for (size_t i = 0; i < known_.size(); ++i) {
      if (known_[i].metric == ids.metric && known_[i].dimension == ids.dimension &&
          known_[i].type == ids.type && known_[i].node == ids.node) {
        return known_[last_ = i];
      }
    }
    if (known_.size() == kMost) known_.clear();
    last_ = known_.size();
    return known_.emplace_back(ids);
  }

  Names* const names_;
  std::vector<Ids> known_;
  size_t last_ = 0;
};

class MetricTableBuilder {
 public:
  MetricTableBuilder(const MetricQuery& query, MetricTable* table)
      : query_(query), table_(table), names_(&table->names) {
    for (const std::string& type : query.types) types_.push_back(table->names.IdOf(type));
  }

  // Reads whole lines; returns the bytes of them.
  format::MetricsRead ReadText(std::string_view text) {
    format::MetricsRead read =
        format::ReadMetricLines(text, [this](const format::MetricLine& line) { Take(line); });
    table_->broken += read.broken;
    return read;
  }

  void ReadFile(const MetricFile& file) {
    PaddedText text;
    format::MetricsRead all;
    for (size_t offset = 0;;) {
      const size_t before = text.size();
      Status status = ReadFileRange(file, offset, kMetricPiece, &text);
      if (!status.ok()) return Tell(file.path, status.message());
      offset += text.size() - before;
      const bool last = text.size() == before;
      // The last line of a file that is done counts without its newline, too.
      if (last && file.finished && text.size() > 0) text.Append("\n");
      const format::MetricsRead read = ReadText(text.text());
      if (all.broken == 0) all.first_broken = read.first_broken;
      all.broken += read.broken;
      text.Drop(read.bytes);
      if (last) break;
    }
    if (all.broken == 0) return;
    Tell(file.path,
         fmt::format("skipped {} invalid lines; first: {}", all.broken, all.first_broken));
  }

 private:
  void Tell(const std::string& path, std::string_view what) {
    table_->problems.push_back(fmt::format("{}: {}", path, what));
  }

  void Take(const format::MetricLine& line) {
    if (std::abs(line.time_s) > kLatestSecond) {
      ++table_->broken;
      return;
    }
    const auto time_us = static_cast<int64_t>(std::llround(line.time_s * 1e6));
    if (!query_.range.Has(time_us)) return;
    const NamesOfLines::Ids& ids = names_.Find(line);
    if (!types_.empty() && std::find(types_.begin(), types_.end(), ids.type) == types_.end()) {
      return;
    }
    table_->times_us.push_back(time_us);
    table_->times_s.push_back(line.time_s);
    table_->values.push_back(line.value);
    table_->types.push_back(ids.type);
    table_->metrics.push_back(ids.metric);
    table_->dimensions.push_back(ids.dimension);
    table_->nodes.push_back(ids.node);
  }

  const MetricQuery& query_;
  MetricTable* const table_;
  NamesOfLines names_;
  std::vector<NameId> types_;
};

template <class T>
void Append(const std::vector<T>& from, std::vector<T>* to) {
  to->insert(to->end(), from.begin(), from.end());
}

// Adds the rows of one table to another, whose names may have other numbers.
void AppendTable(const MetricTable& from, MetricTable* to) {
  std::vector<NameId> ids(from.names.size());
  for (NameId i = 0; i < ids.size(); ++i) ids[i] = to->names.IdOf(from.names.Text(i));
  const auto append_ids = [&](const std::vector<NameId>& column, std::vector<NameId>* out) {
    out->reserve(out->size() + column.size());
    for (const NameId id : column) out->push_back(ids[id]);
  };
  Append(from.times_us, &to->times_us);
  Append(from.times_s, &to->times_s);
  Append(from.values, &to->values);
  append_ids(from.types, &to->types);
  append_ids(from.metrics, &to->metrics);
  append_ids(from.dimensions, &to->dimensions);
  append_ids(from.nodes, &to->nodes);
  to->broken += from.broken;
  Append(from.problems, &to->problems);
}

// How much each file has to say, as far as it can be told.
std::vector<uintmax_t> SizesOf(const std::vector<MetricFile>& files) {
  std::vector<uintmax_t> sizes;
  for (const MetricFile& file : files) {
    std::error_code error;
    const uintmax_t size = std::filesystem::file_size(file.path, error);
    sizes.push_back(error ? 0 : size);
  }
  return sizes;
}

// Where a second thread takes over, for both to have as much to do; the end if it is not worth it.
size_t SecondHalf(const std::vector<MetricFile>& files, int threads) {
  const std::vector<uintmax_t> sizes = SizesOf(files);
  uintmax_t all = 0;
  for (const uintmax_t size : sizes) all += size;
  const bool two = threads == 0 ? std::thread::hardware_concurrency() > 1 : threads > 1;
  if (!two || all < kWorthAThread) return files.size();
  uintmax_t before = 0;
  size_t i = 0;
  while (i < files.size() && before < all / 2) before += sizes[i++];
  return i;
}

}  // namespace

MetricTable ReadMetricText(std::string_view text, const MetricQuery& query) {
  MetricTable table;
  MetricTableBuilder(query, &table).ReadText(text);
  return table;
}

Result<MetricTable> ReadMetrics(const std::string& folder, const MetricQuery& query) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return Status(Code::kNotFound, fmt::format("cannot open {}: no such folder", folder));
  }
  const std::vector<MetricFile> files =
      MetricFiles(folder, query.range, query.buffer_us, query.unfinished);
  const auto read = [&](size_t from, size_t to, MetricTable* table) {
    MetricTableBuilder builder(query, table);
    for (size_t i = from; i < to; ++i) builder.ReadFile(files[i]);
  };
  const size_t half = SecondHalf(files, query.threads);
  MetricTable table;
  if (half == files.size()) {
    read(0, half, &table);
    return table;
  }
  MetricTable second;
  std::thread other([&] { read(half, files.size(), &second); });
  read(0, half, &table);
  other.join();
  AppendTable(second, &table);
  return table;
}

}  // namespace warden::timeline
