#ifndef WARDEN_FORMAT_NPY_H_
#define WARDEN_FORMAT_NPY_H_

// NumPy's .npy format, for `warden trial export --format npy`. Pure functions.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "warden/base/dtype.h"
#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::format {

// An array as the bytes of a .npy file: the header, then the data in C order. Move it, do not copy
// it: data may point into own_data. Write header and data one after the other; both together are a
// file that numpy.load reads.
struct NpyFile {
  std::string header;
  Bytes data;
  std::vector<std::byte> own_data;  // Values that had to be converted; data points here then.
};

// Numbers. bfloat16, which NumPy does not have, becomes float32. data, which is in C order and
// little-endian, must outlive the result. REQUIRES: dtype is not kString. Nothing is copied but for
// bfloat16. REQUIRES: data has the size that dtype and shape mean.
NpyFile EncodeNpy(DType dtype, std::span<const int64_t> shape, Bytes data);

// Texts become fixed-width UTF-32. kInvalid if that would take far more room than the texts
// themselves. The limit is 1 GB, for one long text among many short ones makes all of them long.
// Bytes that are not UTF-8 become U+FFFD.
Result<NpyFile> EncodeNpy(std::span<const int64_t> shape, std::span<const std::string> texts);

// "{'descr': '<f4', ...}" with magic and padding (version 1.0). descr is NumPy's name of the type.
// The size of the result is a multiple of 64 bytes, so that the data is aligned when the file is
// mapped.
std::string NpyHeader(const std::string& descr, std::span<const int64_t> shape);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_NPY_H_
