#include "warden/format/crc32c.h"

#include "warden/format/crc32c_kernels.h"

namespace warden::format {

uint32_t Crc32c(Bytes bytes, uint32_t crc) {
  static const auto kernel = HasSse42() ? &Crc32cSse42 : &Crc32cPortable;
  return kernel(bytes, crc);
}

}  // namespace warden::format
