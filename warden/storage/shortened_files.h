#ifndef WARDEN_STORAGE_SHORTENED_FILES_H_
#define WARDEN_STORAGE_SHORTENED_FILES_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace warden::storage {

// If somebody shortens a file in place while it is mapped, the next look beyond its new end is a
// SIGBUS, which by default ends the process. So the local store (local_object.cc) maps files only
// in processes that asked to survive that: our own programs. In a process that is not ours, such as
// a Python interpreter with its own handlers, files are copied, which costs more for large ones but
// touches no signal.

// From now on large files are mapped, and this process survives that somebody shortens one of them
// in place: what is missing reads as zeros, and is reported (ReportIfShortened). A SIGBUS at any
// other address is handled as before the call. Later calls do nothing. Safe for many threads.
void SurviveShortenedFiles();

// Whether SurviveShortenedFiles was called, and files may be mapped.
bool SurvivesShortenedFiles();

// A mapping that is looked after as long as this lives. Safe for many threads, each with its own.
class MappingGuard {
 public:
  // The mapping [start, start + size), which must outlive this. Takes no lock and allocates
  // nothing.
  MappingGuard(const void* start, size_t size);
  ~MappingGuard();
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  // False: the mapping is not looked after, so the file is to be copied instead. Nobody called
  // SurviveShortenedFiles, or there are too many mappings (4096 are looked after at a time).
  bool ok() const { return place_ != kNone; }

 private:
  static constexpr int kNone = -1;
  int place_ = kNone;
};

// Which file was mapped, how far.
struct MappedFile {
  std::string path;
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t end = 0;  // The byte after the last one that was mapped.
};

// Logs and counts if the file is now shorter than what was mapped of it: then zeros may have been
// read in place of what is missing. A file that was replaced or removed meanwhile was not
// shortened. Safe for many threads.
void ReportIfShortened(const MappedFile& file);

// How many mappings were reported so far: what was read of those files cannot be trusted.
uint64_t ShortenedFiles();

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_SHORTENED_FILES_H_
