#ifndef WARDEN_STORAGE_S3_ANSWERS_H_
#define WARDEN_STORAGE_S3_ANSWERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/time.h"
#include "warden/storage/s3/exchange.h"

// Reads S3's documents. Pure functions, safe for many threads; what a server sends may be anything.
namespace warden::storage::s3 {

// Empty fields where the answer has no such document, as with HEAD.
struct S3Error {
  std::string code;  // "NoSuchKey".
  std::string message;
};
S3Error ErrorIn(const Answer& answer);

struct ListedObject {
  std::string key;  // Whole, decoded.
  std::string etag;
  uint64_t size = 0;
  std::optional<Time> modified;  // By the server's clock.
};
struct ListedPage {
  std::vector<ListedObject> objects;
  std::vector<std::string> folders;  // Whole, decoded, with '/' at the end; if it was asked for.
  std::string next;                  // The continuation token; empty on the last page.
};
// A page of ListObjectsV2, asked for with encoding-type=url. kCorrupt if it is none.
Result<ListedPage> PageIn(const Answer& answer);

// The text of the first element of that name in a document's root, such as "UploadId".
std::string LeafIn(const Answer& answer, std::string_view name);

// "2026-01-31T12:00:00Z", with a fraction perhaps, cut to seconds: as AWS's services write times.
std::optional<Time> ParseIsoTime(std::string_view text);

// The size of the whole object in "bytes 0-9/1234".
std::optional<uint64_t> SizeInRange(std::string_view content_range);

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_ANSWERS_H_
