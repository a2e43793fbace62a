#ifndef WARDEN_JOBS_LAUNCH_PACK_H_
#define WARDEN_JOBS_LAUNCH_PACK_H_

// Packs the outputs of a job (collect.h).
//
//   auto archive = TarWriter::Create(draft);
//   archive.value().AddFolder(agent_folder, "opt/ml/model");
//   archive.value().Finish();  // Then rename the draft.

#include <memory>
#include <set>
#include <string>

#include "warden/base/status.h"

struct gzFile_s;  // NOLINT: the name is zlib's own.

namespace warden::jobs {

struct TarHeader;  // In tar_header.h.

// Writes a tar archive, compressed by gzip. Any length of names is kept. For one thread; calls
// block on the disk. After an error the archive is of no use. Compressed at the fastest level:
// models hardly become smaller by more effort. Names are sorted, so that the same outputs give the
// same order.
class TarWriter {
 public:
  // Creates the file, or empties it. kIo.
  static Result<TarWriter> Create(const std::string& path);

  // Adds what is in a folder, by names relative to it: files, folders and links as such; nothing
  // else, and nothing that was added under the same name before. A missing folder adds nothing. The
  // path below root is walked without following links, which a program may have left there:
  // kInvalid if one is on the way, or folders are nested more than 200 deep. kIo.
  Status AddFolder(const std::string& root, const std::string& path = "");
  // How many files and links were added so far.
  size_t files() const { return files_; }
  // Completes the file; without it the archive is cut off. Nothing can be added after that. kIo.
  Status Finish();

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };
  explicit TarWriter(std::string path, gzFile_s* file) : path_(std::move(path)), file_(file) {}

  Status AddAllIn(int folder, const std::string& prefix);  // Sorted by name.
  Status AddEntry(int folder, const std::string& own, const std::string& name);
  Status AddFile(int folder, const std::string& own, const std::string& name);
  Status PutHeader(TarHeader header);         // With attributes before it, if needed.
  Status Put(const char* data, size_t size);  // Compresses and writes.

  std::string path_;                       // For messages.
  std::unique_ptr<gzFile_s, Close> file_;  // Null after Finish.
  std::set<std::string> names_;            // That were added, to skip repeated ones.
  size_t files_ = 0;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_PACK_H_
