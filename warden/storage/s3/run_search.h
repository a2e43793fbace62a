#ifndef WARDEN_STORAGE_S3_RUN_SEARCH_H_
#define WARDEN_STORAGE_S3_RUN_SEARCH_H_

#include <functional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/storage/s3/client.h"
#include "warden/storage/s3/profiles.h"

namespace warden::storage::s3 {

// What a search has found.
struct RunsInS3 {
  std::vector<std::string> runs;  // Prefixes of their keys, whole, with '/' at the end.
  bool cut_off = false;           // There are more folders than it looks at.
};

// The runs at the prefix and up to 8 levels below it: folders with what a run has. Asks for one
// folder at a time and never for all objects, several folders at once; nothing is asked of a folder
// that is known to be a run, nor below one. The search ends after 2000 folders. prefix: empty or
// with '/' at the end. Errors are those of Client; one fails the whole search.
Result<RunsInS3> FindRunsInS3(Client* client, const std::string& prefix,
                              const std::function<bool(const std::string& prefix)>& is_known_run);

// The same below "s3://bucket/folder": URLs of the runs, sorted. Errors also as of OpenS3Store.
struct RunsBelow {
  std::vector<std::string> urls;
  bool cut_off = false;
};
Result<RunsBelow> FindRunsBelow(const std::string& url,
                                const Variables& variables = ProcessVariables());

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_RUN_SEARCH_H_
