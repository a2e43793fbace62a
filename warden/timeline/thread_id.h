#ifndef WARDEN_TIMELINE_THREAD_ID_H_
#define WARDEN_TIMELINE_THREAD_ID_H_

#include <cstdint>
#include <string_view>

namespace warden::timeline {

// A number of 63 bits for a thread that a trace names by a text, or does not name at all: the same
// in every process and on every machine, so that tables and merged timelines agree. The first 8
// bytes of a BLAKE2b digest of that length, without the last bit. The Python package computes the
// same.
int64_t StableThreadId(std::string_view text);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_THREAD_ID_H_
