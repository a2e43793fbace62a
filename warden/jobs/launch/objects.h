#ifndef WARDEN_JOBS_LAUNCH_OBJECTS_H_
#define WARDEN_JOBS_LAUNCH_OBJECTS_H_

// Finds the files that an address of a request stands for. Used for channels and for code.

#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

// A file that a job is given.
struct GivenFile {
  std::string folder;  // The file is folder/path; no part of path is a link.
  std::string path;    // Relative to folder.
  std::string key;     // Its name where it comes from; files are sorted by it.
  std::string name;    // Its name for the job: relative, without "..".
};

// Returns the files of an address: the objects whose keys begin so ("s3://bucket/prefix"), or a
// file or all files of a folder on this machine ("file:///path" or "/path"). Names are relative to
// the prefix where it ends at a '/', else to the folder it is in. Sorted by key, as S3 does.
// objects: the folder of all buckets.
//
// Nothing of the service's own folder is given away: kInvalid for the folder above objects and what
// is in it, but for the buckets.
//
// kInvalid if the address is malformed or a key cannot be the name of a file, kNotFound if there is
// nothing, kIo.
Result<std::vector<GivenFile>> FilesAt(const std::string& objects, const std::string& address);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_OBJECTS_H_
