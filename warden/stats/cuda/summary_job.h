#ifndef WARDEN_STATS_CUDA_SUMMARY_JOB_H_
#define WARDEN_STATS_CUDA_SUMMARY_JOB_H_

// What device_summaries.cc tells the kernels in summary_kernel.cu: plain values with the same
// layout on the host and on the GPU. NVRTC compiles this file, too, so it includes nothing and uses
// only types that the compiler has itself.

namespace warden::stats::cuda {

// Types of elements, by number.
enum ElementType : unsigned {
  kElementFloat32,
  kElementFloat16,
  kElementBFloat16,
  kElementFloat8E4M3,
  kElementFloat8E5M2,
  kElementFloat64,
  kElementBool,
  kElementInt8,
  kElementInt16,
  kElementInt32,
  kElementInt64,
  kElementUInt8,
  kElementUInt16,
  kElementUInt32,
  kElementUInt64,
};

inline constexpr unsigned kMostDimensions = 8;

// Where the elements are that do not lie side by side: dimensions from the outermost to the
// innermost, steps in elements. A step may be 0.
struct StridedLayout {
  unsigned long long rank;
  unsigned long long sizes[kMostDimensions];
  long long steps[kMostDimensions];
};

struct TensorEntry {
  unsigned long long address;  // Of the first element, aligned to it.
  unsigned long long count;
  unsigned type;    // ElementType.
  unsigned layout;  // Number of its StridedLayout plus one; 0: the elements lie side by side.
};

// Tensors are cut into tiles: of so many elements for each thread of a block. A tile begins at the
// 16 bytes that have the first element, except in strided tensors.
inline constexpr unsigned kElementsOfThread = 32;
inline constexpr unsigned kDoublesOfThread = 8;  // Of kElementFloat64.
inline constexpr unsigned kVectorBytes = 16;

// Threads of a block, and of a block of the second launch.
inline constexpr unsigned kBlockThreads = 256;
inline constexpr unsigned kFinishThreads = 64;

// What a block knows of its share of a tensor: kPartFields numbers.
enum PartField : unsigned {
  kPartNan,
  kPartPosInf,
  kPartNegInf,
  kPartZero,
  kPartNegative,
  kPartSum,
  kPartAbsSum,
  kPartSquares,
  kPartDistances,     // Squared, from the tensor's first element.
  kPartAbsDistances,  // The same for magnitudes.
  kPartExponent,      // The product of all magnitudes but zeros is kPartProduct ...
  kPartProduct,       // ... times two to the power of this. Fields before it are summed.
  kPartMin,
  kPartMax,
  kPartAbsMin,
  kPartFields,
};

// Numbers of a row, as device_summaries.h has it, and of a histogram.
inline constexpr unsigned kRowFields = 18;
inline constexpr unsigned kExponentBins = 256;

// With few tensors the block that ends last finishes all rows, else a second launch does.
inline constexpr unsigned kMostFinishedAtOnce = 16;

// One launch. The table has the entries, then the layouts, then for each tensor the number of its
// first tile, and the number of all tiles at the end.
struct SummaryJob {
  unsigned tensors;
  unsigned layouts;
  unsigned blocks;
  unsigned tiles;
  const unsigned char* table;      // On the GPU; null: it is in inline_table.
  unsigned* ticket;                // Counts blocks that have ended; 0 before and after.
  double* parts;                   // kPartFields for each of up to blocks + tensors parts.
  double* rows;                    // kRowFields for each tensor.
  unsigned long long* histograms;  // kExponentBins for each tensor, zeroed; null: not wanted.
  // The smallest number of a tensor with a NaN or an infinity; null: not wanted. The first tensor
  // has the number sequence, the next ones follow.
  unsigned long long* first_bad;
  unsigned long long sequence;
  unsigned char inline_table[3968];  // The limit of arguments is 4 KiB.
};

}  // namespace warden::stats::cuda

#endif  // WARDEN_STATS_CUDA_SUMMARY_JOB_H_
