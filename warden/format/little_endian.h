#ifndef WARDEN_FORMAT_LITTLE_ENDIAN_H_
#define WARDEN_FORMAT_LITTLE_ENDIAN_H_

// Numbers as the files of a run have them: records, events and tensors. Used by all readers and
// writers of binary formats. Pure functions; nothing is checked here, so callers compare with the
// size of what they have first.

#include <bit>
#include <cstddef>
#include <cstring>
#include <string>

namespace warden::format {

// Everything on disk is little-endian, tensors included, and those are never touched on their way:
// a big-endian machine would need far more than other versions of these two functions.
static_assert(std::endian::native == std::endian::little);

// Numbers in the bytes of files. T is an arithmetic type of fixed size: uint32_t, uint64_t, double.

// The T whose bytes start at from, at any alignment. REQUIRES: sizeof(T) bytes are readable there.
template <class T>
T LoadLittleEndian(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

// Appends the sizeof(T) bytes of value.
template <class T>
void AppendLittleEndian(T value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

}  // namespace warden::format

#endif  // WARDEN_FORMAT_LITTLE_ENDIAN_H_
