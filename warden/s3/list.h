#ifndef WARDEN_S3_LIST_H_
#define WARDEN_S3_LIST_H_

// Lists the objects of a bucket from its folder. Independent of HTTP; list_answer.h makes it S3's
// ListObjects.

#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/time.h"

namespace warden::s3 {

// What to list. Keys are compared byte by byte.
struct ListOptions {
  std::string prefix;     // Only keys that begin with it.
  std::string delimiter;  // Keys with it behind the prefix are grouped by it; "": none.
  std::string after;      // Only keys greater than this one.
  std::string skip;       // No keys that begin with this, unless it is empty.
  size_t limit = 1000;    // Of objects and common prefixes together; 0: an empty list.
};

// An object as listings show it.
struct ListedObject {
  std::string key;    // UTF-8.
  uint64_t size = 0;  // Bytes.
  Time modified;      // Of the file.
  std::string etag;   // Without quotation marks.
};

// One page.
struct Listing {
  std::vector<ListedObject> objects;  // Sorted by key.
  std::vector<std::string> prefixes;  // Groups, up to and including the delimiter; sorted.
  bool truncated = false;             // There is more than limit.
  // The last of both, to continue after: as `after` and, if it is a prefix, also as `skip`.
  std::string last;
  bool last_is_prefix = false;  // Whether last is one of prefixes.
};

// Lists objects in the order of the bytes of their keys. bucket_folder is an open folder and stays
// the caller's. Only folders that can contain keys of the page are read, each when its turn comes,
// so a page is not a snapshot: files that change meanwhile may be missing or not. Files that are
// not objects (KeyOfPath) and links are skipped. kIo: a folder cannot be read. With keys "a/1",
// "a/2" and "b":
//
//   {.delimiter = "/"}                  objects "b", prefixes "a/"
//   {.prefix = "a/", .delimiter = "/"}  objects "a/1" and "a/2"
//   {.limit = 1}                        objects "a/1", truncated, last "a/1"
Result<Listing> ListObjects(int bucket_folder, const ListOptions& options);

}  // namespace warden::s3

#endif  // WARDEN_S3_LIST_H_
