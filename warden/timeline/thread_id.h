#ifndef WARDEN_TIMELINE_THREAD_ID_H_
#define WARDEN_TIMELINE_THREAD_ID_H_

#include <cstdint>
#include <string_view>

namespace warden::timeline {

// 63 bits that stand for a thread which a timeline does not name, the same in every process: the
// first 8 bytes of a BLAKE2b of that length, without the last bit. The Python package has the same.
int64_t StableThreadId(std::string_view text);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_THREAD_ID_H_
