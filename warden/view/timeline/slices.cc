#include "warden/view/timeline/slices.h"

#include <algorithm>
#include <cmath>

namespace warden::view {
namespace {

class Slicer {
 public:
  Slicer(const TimelineSnapshot& snapshot, const SlicesQuery& query, double pixel_ns,
         Slices* slices)
      : snapshot_(snapshot),
        store_(*snapshot.store),
        query_(query),
        pixel_ns_(pixel_ns),
        slices_(*slices) {}

  // False if there would be too many.
  bool TakeTrack(TrackId track) {
    const std::vector<Row>& rows = snapshot_.tracks[track].index->rows();
    for (size_t depth = 0; depth < rows.size(); ++depth) {
      if (!TakeRow(rows[depth], track, static_cast<uint32_t>(depth))) return false;
    }
    return true;
  }

 private:
  bool TakeRow(const Row& row, TrackId track, uint32_t depth) {
    const auto& [from_ns, to_ns] = query_.window;
    for (size_t i = row.FirstAt(store_, from_ns); i < row.size();) {
      const int64_t start = row.StartOf(store_, i);
      if (start >= to_ns) break;
      if (slices_.size() >= query_.most) return false;
      size_t end = i + 1;
      int64_t end_ns = 0;
      const int64_t next = NextPixel(start);
      // About half a pixel more is nothing that can be seen; where the window ends it counts.
      const int64_t latest = std::min(Later(next, pixel_ns_ / 2), to_ns);
      if (!row.ShortEvents(i, next, latest, Later(0, pixel_ns_), &end, &end_ns)) {
        end = EndOfRun(row, i, std::min(next, to_ns));
        end_ns = store_.end(row[end - 1]);
      }
      slices_.track.push_back(track);
      slices_.depth.push_back(depth);
      slices_.start.push_back(snapshot_.Us(start));
      slices_.duration.push_back(static_cast<double>(end_ns - start) / 1e3);
      slices_.name.push_back(row.Dominant(store_, i, end));
      slices_.count.push_back(static_cast<uint32_t>(end - i));
      slices_.id.push_back(row[i]);
      i = end;
    }
    return true;
  }

  // Short events up to that time; of those that begin in a pixel only the last can be longer.
  size_t EndOfRun(const Row& row, size_t begin, int64_t time_ns) const {
    size_t end = begin + 1;
    if (!IsShort(row[begin])) return end;
    end = row.FirstFrom(store_, end, time_ns);
    return end > begin + 1 && !IsShort(row[end - 1]) ? end - 1 : end;
  }

  bool IsShort(EventId id) const { return static_cast<double>(store_.duration(id)) < pixel_ns_; }

  int64_t NextPixel(int64_t time_ns) const {
    const auto since = static_cast<double>(time_ns - snapshot_.start_ns);
    const double next = (std::floor(since / pixel_ns_) + 1) * pixel_ns_;
    return std::max(Later(snapshot_.start_ns, std::ceil(next)), time_ns + 1);
  }

  static int64_t Later(int64_t time_ns, double by_ns) {
    if (static_cast<double>(time_ns) + by_ns >= static_cast<double>(kLastNs)) return kLastNs;
    return time_ns + static_cast<int64_t>(by_ns);
  }

  const TimelineSnapshot& snapshot_;
  const EventStore& store_;
  const SlicesQuery& query_;
  const double pixel_ns_;
  Slices& slices_;
};

bool TakeAll(const TimelineSnapshot& snapshot, const SlicesQuery& query, double pixel_ns,
             Slices* slices) {
  Slicer slicer(snapshot, query, pixel_ns, slices);
  slices->pixel_us = pixel_ns / 1e3;
  if (query.tracks.empty()) {
    for (const TrackId track : snapshot.order) {
      if (!slicer.TakeTrack(track)) return false;
    }
  }
  for (const TrackId track : query.tracks) {
    if (track < snapshot.tracks.size() && !slicer.TakeTrack(track)) return false;
  }
  return true;
}

}  // namespace

Slices SlicesOf(const TimelineSnapshot& snapshot, const SlicesQuery& query) {
  const auto length = static_cast<double>(query.window.to_ns - query.window.from_ns);
  double pixel_ns = std::max(length / static_cast<double>(query.width), 1e-3);
  // Each row has at least one, whatever the pixels.
  for (;; pixel_ns *= 2) {
    Slices slices;
    slices.cut = !TakeAll(snapshot, query, pixel_ns, &slices);
    if (!slices.cut || pixel_ns > length) return slices;
  }
}

}  // namespace warden::view
