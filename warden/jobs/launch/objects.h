#ifndef WARDEN_JOBS_LAUNCH_OBJECTS_H_
#define WARDEN_JOBS_LAUNCH_OBJECTS_H_

#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

// A file that a job is given.
struct GivenFile {
  std::string folder;  // It is folder/path on this machine, and no part of path is a link.
  std::string path;
  std::string key;   // What it is called where it comes from; files are sorted by it.
  std::string name;  // What the job calls it, relative to where it gets it.
};

// What an address stands for: the objects whose keys begin so ("s3://bucket/prefix"), or a file or
// all files of a folder on this machine ("file:///path" or "/path"). Names are relative to the
// prefix where it ends at a '/', else to the folder it is in. Sorted by key, as S3 does.
//
// kInvalid if it is no such address or a key cannot be the name of a file, kNotFound if there is
// nothing.
Result<std::vector<GivenFile>> FilesAt(const std::string& objects, const std::string& address);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_OBJECTS_H_
