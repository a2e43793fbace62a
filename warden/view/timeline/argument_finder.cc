#include "warden/view/timeline/argument_finder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "warden/timeline/file_text.h"
#include "warden/timeline/import/trace_reader.h"
#include "warden/view/timeline/event_store.h"

namespace warden::view {
namespace {

using timeline::PaddedText;
using timeline::TraceFile;

constexpr uint64_t kPieceBytes = uint64_t{256} << 10;  // Smaller ones are joined.
constexpr size_t kMostPieces = 64;                     // That are looked into for one event.
// From 1938 to 2096, and 63 years long: sums and differences of such times fit into 63 bits.
constexpr double kEarliestUs = -1e15;
constexpr double kLatestUs = 4e15;
constexpr double kLongestUs = 2e15;

// The text of a piece, such that a reader takes it for a file.
Status ReadPiece(const TraceFile& file, const ArgumentFinder::Piece& piece, PaddedText* text) {
  if (piece.offset > 0) text->Append("[");
  if (!file.gzip) return timeline::ReadFileRange(file, piece.offset, piece.length, text);
  bool cut = false;
  const auto whole = timeline::ReadGzipFile(file, timeline::kMostUnpacked, &cut);
  if (!whole.ok()) return whole.status();
  if (piece.offset > whole.value().size()) return {};
  text->Append(whole.value().text().substr(piece.offset, piece.length));
  return {};
}

}  // namespace

std::optional<SpanTimes> TimesOf(int64_t base_us, double ts_us, double duration_us) {
  const double about_us = static_cast<double>(base_us) + ts_us;
  const auto is_time = [](double us) { return us > kEarliestUs && us < kLatestUs; };
  const bool whole_base = is_time(static_cast<double>(base_us));
  if (!whole_base || !is_time(ts_us) || !is_time(about_us) || !(duration_us < kLongestUs)) {
    return std::nullopt;
  }
  // The whole part on its own: a time since 1970 in nanoseconds has more digits than a double.
  const double whole_us = std::floor(ts_us);
  const int64_t start_us = base_us + static_cast<int64_t>(whole_us);
  return SpanTimes{start_us * 1000 + std::llround((ts_us - whole_us) * 1000),
                   std::llround(duration_us * 1000)};
}

size_t ArgumentFinder::AddFile(const TraceFile& file) {
  const std::lock_guard lock(mutex_);
  files_.push_back(file);
  return files_.size() - 1;
}

void ArgumentFinder::Rename(size_t file, const std::string& path) {
  const std::lock_guard lock(mutex_);
  files_[file].path = path;
}

void ArgumentFinder::AddPiece(const Piece& piece) {
  const std::lock_guard lock(mutex_);
  Piece* const last = pieces_.empty() ? nullptr : &pieces_.back();
  const bool joins = last != nullptr && last->file == piece.file &&
                     last->offset + last->length == piece.offset &&
                     last->length + piece.length <= kPieceBytes;
  if (!joins) {
    pieces_.push_back(piece);
    return;
  }
  last->length += piece.length;
  last->first_ns = std::min(last->first_ns, piece.first_ns);
  last->last_ns = std::max(last->last_ns, piece.last_ns);
}

std::optional<ArgumentFinder::Found> ArgumentFinder::Find(const Wanted& wanted) const {
  std::vector<std::pair<TraceFile, Piece>> places;
  {
    const std::lock_guard lock(mutex_);
    for (const Piece& piece : pieces_) {
      if (wanted.start_ns < piece.first_ns || wanted.start_ns > piece.last_ns) continue;
      if (!wanted.node.empty() && files_[piece.file].node != wanted.node) continue;
      if (places.size() == kMostPieces) break;
      places.emplace_back(files_[piece.file], piece);
    }
  }
  for (const auto& [file, piece] : places) {
    if (auto found = FindIn(file, piece, wanted)) return found;
  }
  return std::nullopt;
}

std::optional<ArgumentFinder::Found> ArgumentFinder::FindIn(const TraceFile& file,
                                                            const Piece& piece,
                                                            const Wanted& wanted) const {
  PaddedText text;
  // A file that has gone by now has nothing to tell.
  if (!ReadPiece(file, piece, &text).ok()) return std::nullopt;
  timeline::Names names;
  timeline::TraceReader reader({file.node, file.source, piece.base_us, true}, &names);
  std::optional<Found> found;
  reader.Read(text.text(), /*last=*/true, [&](const timeline::TraceSpan& span) {
    if (found) return;
    const auto times = TimesOf(reader.state().base_us(), span.ts_us, span.duration_us);
    if (!times || times->start_ns != wanted.start_ns) return;
    if (PackDuration(times->duration_ns) != PackDuration(wanted.duration_ns)) return;
    if (names.Text(span.event_name) != wanted.name) return;
    found = Found{std::string(span.args), span.span.step};
  });
  return found;
}

}  // namespace warden::view
