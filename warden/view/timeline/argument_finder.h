#ifndef WARDEN_VIEW_TIMELINE_ARGUMENT_FINDER_H_
#define WARDEN_VIEW_TIMELINE_ARGUMENT_FINDER_H_

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "warden/timeline/profile_files.h"

namespace warden::view {

// The moment of a span in nanoseconds since 1970, and its length; nothing if that is beyond all
// that can be meant.
struct SpanTimes {
  int64_t start_ns = 0;
  int64_t duration_ns = 0;
};
std::optional<SpanTimes> TimesOf(int64_t base_us, double ts_us, double duration_us);

// Arguments of events take most of a timeline's bytes and are seldom asked for: they are read again
// from the file, of which it is known which piece holds what time. Safe for many threads.
class ArgumentFinder {
 public:
  // A stretch of a file, from the beginning of an event to the end of another.
  struct Piece {
    size_t file = 0;
    uint64_t offset = 0;
    uint64_t length = 0;
    int64_t base_us = 0;   // What times count from where it begins.
    int64_t first_ns = 0;  // Starts of its spans.
    int64_t last_ns = 0;
  };
  struct Wanted {
    std::string node;  // Empty: any.
    std::string name;
    int64_t start_ns = 0;
    int64_t duration_ns = 0;
  };
  struct Found {
    std::string args;  // A JSON object, or empty.
    int64_t step = -1;
  };

  // A file of which pieces will come; tells its number.
  size_t AddFile(const timeline::TraceFile& file);
  // A file that was being written has got its name.
  void Rename(size_t file, const std::string& path);
  // REQUIRES: it has a span.
  void AddPiece(const Piece& piece);

  // The first span like that.
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
