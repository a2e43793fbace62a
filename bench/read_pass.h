#ifndef WARDEN_BENCH_READ_PASS_H_
#define WARDEN_BENCH_READ_PASS_H_

#include <cstdint>

#include "warden/base/types.h"

namespace warden::bench {

// Read every whole word once, on one thread, and do nothing with it but OR it together: no pass
// over memory can be faster. Which of them is the fastest depends on the processor.
uint64_t ReadInOrder(Bytes bytes);
// In order too, and asks for memory ahead of its own loads.
uint64_t ReadAhead(Bytes bytes);
// Four parts of the memory side by side, which not every computation could do.
uint64_t ReadStreams(Bytes bytes);

}  // namespace warden::bench

#endif  // WARDEN_BENCH_READ_PASS_H_
