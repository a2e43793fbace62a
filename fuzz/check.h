#ifndef FUZZ_CHECK_H_
#define FUZZ_CHECK_H_

#include <cstdint>
#include <cstdlib>
#include <string_view>

// What libFuzzer calls with every input.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace warden::fuzz {

inline std::string_view Text(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the run as a finding if a property does not hold.
inline void Check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace warden::fuzz

#endif  // FUZZ_CHECK_H_
