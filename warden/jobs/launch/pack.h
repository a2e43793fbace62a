#ifndef WARDEN_JOBS_LAUNCH_PACK_H_
#define WARDEN_JOBS_LAUNCH_PACK_H_

#include <memory>
#include <set>
#include <string>

#include "warden/base/status.h"

struct gzFile_s;  // NOLINT: the name is zlib's own.

namespace warden::jobs {

struct TarHeader;

// Writes a tar archive, compressed by gzip.
class TarWriter {
 public:
  // Makes the file anew. kIo.
  static Result<TarWriter> Create(const std::string& path);

  // Adds what is in a folder, by names relative to it: files, folders and links as such; nothing
  // else, and nothing that was added under the same name before. A folder that is not there adds
  // nothing. The path below root is walked without following a link, which a program may have put
  // there; kInvalid if one leads on. kIo.
  Status AddFolder(const std::string& root, const std::string& path = "");
  // How many files and links were added.
  size_t files() const { return files_; }
  // Nothing is complete before. kIo.
  Status Finish();

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };
  explicit TarWriter(std::string path, gzFile_s* file) : path_(std::move(path)), file_(file) {}

  Status AddAllIn(int folder, const std::string& prefix);
  Status AddEntry(int folder, const std::string& own, const std::string& name);
  Status AddFile(int folder, const std::string& own, const std::string& name);
  Status PutHeader(TarHeader header);
  Status Put(const char* data, size_t size);

  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
  std::set<std::string> names_;
  size_t files_ = 0;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_PACK_H_
