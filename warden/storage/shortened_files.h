#ifndef WARDEN_STORAGE_SHORTENED_FILES_H_
#define WARDEN_STORAGE_SHORTENED_FILES_H_

#include <cstddef>
#include <cstdint>

namespace warden::storage {

// From now on this process survives that somebody shortens a file in place while it is mapped here:
// what is missing reads as zeros, which the checksums of records tell. Without it the system ends
// the process (SIGBUS). For services, which others' files must not end; a training's process is not
// ours to set handlers in. May be called more than once.
void SurviveShortenedFiles();

// A mapping that is looked after as long as this lives. Safe for many threads, each with its own.
class MappingGuard {
 public:
  MappingGuard(const void* start, size_t size);
  ~MappingGuard();
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  // False: there are too many; the file is to be copied instead. True where nobody asked to
  // survive.
  bool ok() const { return ok_; }

 private:
  static constexpr int kNone = -1;
  int place_ = kNone;
  bool ok_ = true;
};

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_SHORTENED_FILES_H_
