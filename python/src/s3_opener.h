#ifndef PYTHON_SRC_S3_OPENER_H_
#define PYTHON_SRC_S3_OPENER_H_

namespace warden::python {

// Names the capsule in which tensorwarden._s3 hands its storage::S3Opener to tensorwarden._core.
// Both modules are of one build, so that a store of one can be used by the other.
inline constexpr const char* kS3OpenerName = "tensorwarden.S3Opener";

}  // namespace warden::python

#endif  // PYTHON_SRC_S3_OPENER_H_
