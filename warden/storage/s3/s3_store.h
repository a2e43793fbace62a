#ifndef WARDEN_STORAGE_S3_S3_STORE_H_
#define WARDEN_STORAGE_S3_S3_STORE_H_

#include <memory>
#include <string_view>

#include "warden/base/status.h"
#include "warden/storage/s3/client.h"
#include "warden/storage/s3/profiles.h"
#include "warden/storage/store.h"

namespace warden::storage::s3 {

// Objects below "s3://bucket/folder", of Amazon or of any server that speaks S3. Endpoint, region
// and credentials come from the variables and from AWS's files. What differs from other stores:
//
// - An object that is replaced or removed while it is open can no longer be read beyond its first
//   256 KB: kUnavailable.
// - Create is kUnavailable for a second writer of this process alone. Of writers in several, the
//   last one to commit wins.
// - PutIfAbsent looks first and writes then where the server knows no condition for that.
// - Changes are not reported: WatchPrefix is kUnavailable.
//
// Every call waits for the network, ten seconds or so where the server does not answer; never to be
// used by the thread of a training. kInvalid for a URL or a variable that is not accepted; nothing
// is sent yet.
Result<std::unique_ptr<Store>> OpenS3Store(std::string_view url,
                                           const Variables& variables = ProcessVariables());

// Has OpenStore open "s3://" in this process. Programs that read runs call it first thing.
void UseS3();

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_S3_STORE_H_
