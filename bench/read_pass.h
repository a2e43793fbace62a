#ifndef WARDEN_BENCH_READ_PASS_H_
#define WARDEN_BENCH_READ_PASS_H_

#include <cstdint>

#include "warden/base/types.h"

namespace warden::bench {

// Reads every whole word once, on one thread, and does nothing with it but OR it together: no pass
// over memory can be faster. Which of the two is the faster one depends on the processor.
uint64_t ReadPlain(Bytes bytes);
// Asks for memory ahead of its own loads.
uint64_t ReadAhead(Bytes bytes);

}  // namespace warden::bench

#endif  // WARDEN_BENCH_READ_PASS_H_
