#ifndef WARDEN_STATS_CUDA_SUMMARY_KERNEL_H_
#define WARDEN_STATS_CUDA_SUMMARY_KERNEL_H_

#include "warden/base/asset.h"

namespace warden::stats::cuda {

// The source of DeviceSummaries' kernels, as NVRTC gets it: summary_kernel.cu, and summary_job.h,
// which it includes.
Asset SummaryKernelSource();
Asset SummaryJobSource();

}  // namespace warden::stats::cuda

#endif  // WARDEN_STATS_CUDA_SUMMARY_KERNEL_H_
