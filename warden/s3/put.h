#ifndef WARDEN_S3_PUT_H_
#define WARDEN_S3_PUT_H_

// PutObject, and the way in which all large bodies are received.

#include <functional>
#include <memory>
#include <string>

#include "warden/http/message.h"
#include "warden/s3/body.h"
#include "warden/s3/request.h"
#include "warden/s3/upload_file.h"

namespace warden::s3 {

// Bytes of one body, as at Amazon: 5 GiB. Larger objects are uploaded in parts.
inline constexpr uint64_t kMaxPut = 5ull << 30;

// Called when a body has arrived and was checked. Must Finish() the file and move it from its path;
// the file is still the exchange's, and is removed if it is left there.
using Received = std::function<http::Response(UploadFile* file, const S3Body& body)>;

// Returns an exchange that writes the body to a new file in the folder of uploads and then calls
// received, once, on a thread of the server. If the body is not what the request says, it answers
// the error and received is not called.
std::unique_ptr<http::Exchange> ReceiveFile(const S3Request& request, Received received);

// Stores the body as the object, in one step: readers see the old object or the new one. With
// "If-None-Match: *" only if there is none, else 412. Errors: 400 MetadataTooLarge, 409
// InvalidRequest (see ObjectFiles::Place), and those of S3Body.
std::unique_ptr<http::Exchange> PutObject(const S3Request& request);

}  // namespace warden::s3

#endif  // WARDEN_S3_PUT_H_
