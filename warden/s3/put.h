#ifndef WARDEN_S3_PUT_H_
#define WARDEN_S3_PUT_H_

#include <functional>
#include <memory>
#include <string>

#include "warden/http/message.h"
#include "warden/s3/body.h"
#include "warden/s3/request.h"
#include "warden/s3/upload_file.h"

namespace warden::s3 {

inline constexpr uint64_t kMaxPut = 5ull << 30;

// What becomes of a body that has arrived whole.
using Received = std::function<http::Response(UploadFile* file, const S3Body& body)>;

// An exchange that writes the body into a file of its own and then calls received.
std::unique_ptr<http::Exchange> ReceiveFile(const S3Request& request, Received received);

// PutObject.
std::unique_ptr<http::Exchange> PutObject(const S3Request& request);

}  // namespace warden::s3

#endif  // WARDEN_S3_PUT_H_
