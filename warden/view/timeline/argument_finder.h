#ifndef WARDEN_VIEW_TIMELINE_ARGUMENT_FINDER_H_
#define WARDEN_VIEW_TIMELINE_ARGUMENT_FINDER_H_

// Arguments of single events, read again from their files. Shared by the thread that reads a
// timeline, which adds pieces, and those that answer requests, which search.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "warden/timeline/profile_files.h"

namespace warden::view {

// The start of a span in nanoseconds since 1970, and its length. Signed: traces may begin before
// 1970 where a clock is wrong.
struct SpanTimes {
  int64_t start_ns = 0;
  int64_t duration_ns = 0;
};
// From what a trace has: its base time, the start counted from there, and the duration, in
// microseconds. Exact to the nanosecond. Nothing if a time is outside of 1938 to 2096 or longer
// than 63 years. Start and base are added as integers, since a double has too few digits for
// nanoseconds since 1970.
std::optional<SpanTimes> TimesOf(int64_t base_us, double ts_us, double duration_us);

// Arguments of events take most of a timeline's bytes and are seldom asked for: they are read again
// from the file, of which it is known which piece holds what time. Safe for many threads.
class ArgumentFinder {
 public:
  // A stretch of a file, from the beginning of an event to the end of another. At most 256 KB after
  // joining, unless one event is longer.
  struct Piece {
    size_t file = 0;
    uint64_t offset = 0;  // In bytes, uncompressed.
    uint64_t length = 0;
    int64_t base_us = 0;   // What times count from where it begins.
    int64_t first_ns = 0;  // Smallest start of its spans, since 1970, ...
    int64_t last_ns = 0;   // ... and the largest.
  };
  // The event whose arguments are asked for.
  struct Wanted {
    std::string node;  // Empty: any.
    std::string name;
    int64_t start_ns = 0;
    int64_t duration_ns = 0;
  };
  // What its event says.
  struct Found {
    std::string args;   // A JSON object, or empty.
    int64_t step = -1;  // -1: not said.
  };

  // Adds a file of which pieces will come; returns its number.
  size_t AddFile(const timeline::TraceFile& file);
  // A file that was being written has got its final name.
  void Rename(size_t file, const std::string& path);
  // Adds a piece; small ones that follow each other are joined. REQUIRES: it has a span.
  void AddPiece(const Piece& piece);

  // The first span with that name, start and duration. Nothing if there is none, if its file is
  // gone, or if it is in none of the first 64 pieces that have its time. Reads files without
  // holding the lock. Durations are compared as the timeline keeps them, rounded (PackDuration). A
  // gzip file is unpacked as a whole for each piece of it.
  std::optional<Found> Find(const Wanted& wanted) const;

 private:
  std::optional<Found> FindIn(const timeline::TraceFile& file, const Piece& piece,
                              const Wanted& wanted) const;

  mutable std::mutex mutex_;
  std::vector<timeline::TraceFile> files_;
  std::vector<Piece> pieces_;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_ARGUMENT_FINDER_H_
