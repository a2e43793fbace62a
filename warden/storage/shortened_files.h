#ifndef WARDEN_STORAGE_SHORTENED_FILES_H_
#define WARDEN_STORAGE_SHORTENED_FILES_H_

#include <cstddef>
#include <cstdint>

namespace warden::storage {

// Large files are read through mappings (local_object.h). If somebody shortens such a file in
// place, the next look beyond its new end is a SIGBUS, which by default ends the process. The
// service and the viewer ask here to survive that; the local store registers its mappings.

// From now on this process survives that somebody shortens a file in place while it is mapped here:
// what is missing reads as zeros, which the checksums of records reveal. For services, which
// others' files must not end; a training's process is not ours to set handlers in. A SIGBUS at any
// other address is handled as before the call. Call it before other threads read runs: mappings
// made earlier are not looked after. Later calls do nothing. Safe for many threads.
void SurviveShortenedFiles();

// A mapping that is looked after as long as this lives. Safe for many threads, each with its own.
class MappingGuard {
 public:
  // The mapping [start, start + size), which must outlive this. Does nothing unless
  // SurviveShortenedFiles was called. Takes no lock and allocates nothing.
  MappingGuard(const void* start, size_t size);
  ~MappingGuard();
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  // False: there are too many mappings (4096 are looked after at a time), so the file is to be
  // copied instead. True if nobody called SurviveShortenedFiles.
  bool ok() const { return ok_; }

 private:
  static constexpr int kNone = -1;
  int place_ = kNone;
  bool ok_ = true;
};

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_SHORTENED_FILES_H_
