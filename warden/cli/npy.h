#ifndef WARDEN_CLI_NPY_H_
#define WARDEN_CLI_NPY_H_

// NumPy's .npy format, for `warden trial export --format npy`. Pure functions.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/trial/tensor_value.h"

namespace warden::cli {

// A value as the bytes of a .npy file: the header, then the data in C order. Move it, do not copy
// it: data may point into own_data.
struct NpyFile {
  std::string header;
  Bytes data;
  std::vector<std::byte> own_data;  // Values that had to be converted; data points here then.
};

// bfloat16, which NumPy does not have, becomes float32; texts become fixed-width UTF-32. kInvalid
// if that would take far more room than the texts themselves. value must outlive the result.
Result<NpyFile> EncodeNpy(const trial::TensorValue& value);

// "{'descr': '<f4', ...}" with magic and padding (version 1.0). descr is NumPy's name of the type.
std::string NpyHeader(const std::string& descr, std::span<const int64_t> shape);

// A name as part of a file's name: what is not a letter, a digit, '_', '-' or '.' becomes %XX, so
// that different names stay different and none leads to another folder; a leading '.' becomes %2E.
// Names too long for a file system are cut and end in a checksum of the whole.
std::string SafeFileName(std::string_view name);

}  // namespace warden::cli

#endif  // WARDEN_CLI_NPY_H_
