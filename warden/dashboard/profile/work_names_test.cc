#include "warden/dashboard/profile/work_names.h"

#include <gtest/gtest.h>

namespace warden::dashboard {
namespace {

TEST(WorkNames, TellKindsOfWork) {
  EXPECT_EQ(GpuWorkOf("Memcpy HtoD (Pageable -> Device)"), GpuWork::kCopy);
  EXPECT_EQ(GpuWorkOf("MemcpyD2H"), GpuWork::kCopy);
  EXPECT_EQ(GpuWorkOf("Memset (Device)"), GpuWork::kFill);
  EXPECT_EQ(GpuWorkOf("ncclKernel_AllReduce_RING_LL_Sum_float"), GpuWork::kCommunication);
  EXPECT_EQ(GpuWorkOf("ampere_sgemm_128x64_nn"), GpuWork::kKernel);
  EXPECT_EQ(GpuWorkOf(""), GpuWork::kKernel);
  EXPECT_EQ(HostCallOf("cudaLaunchKernel"), HostCall::kLaunch);
  EXPECT_EQ(HostCallOf("cuLaunchKernelEx"), HostCall::kLaunch);
  EXPECT_EQ(HostCallOf("hipExtModuleLaunchKernel"), HostCall::kLaunch);
  EXPECT_EQ(HostCallOf("cudaDeviceSynchronize"), HostCall::kWait);
  EXPECT_EQ(HostCallOf("cudaMemcpyAsync"), HostCall::kNone);
  EXPECT_EQ(HostCallOf("aten::conv2d"), HostCall::kNone);
}

TEST(WorkNames, TellMemoryOperations) {
  EXPECT_EQ(MemoryOperationOf("Memcpy HtoD (Pageable -> Device)"), "Host to device");
  EXPECT_EQ(MemoryOperationOf("MemcpyD2H"), "Device to host");
  EXPECT_EQ(MemoryOperationOf("Memcpy DtoD (Device -> Device)"), "Within a device");
  EXPECT_EQ(MemoryOperationOf("Memcpy PtoP (Device -> Device)"), "Device to device");
  EXPECT_EQ(MemoryOperationOf("Memset (Device)"), "Fill");
  EXPECT_EQ(MemoryOperationOf("memcpy"), "Other copies");
}

TEST(WorkNames, TellPrecision) {
  EXPECT_EQ(PrecisionOf("ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_32x6_nn"), "float16");
  EXPECT_EQ(PrecisionOf("volta_h884gemm_64x128_ldg8_nn"), "float16");
  EXPECT_EQ(PrecisionOf("void at::native::vectorized_elementwise_kernel<4, c10::Half>"), "float16");
  EXPECT_EQ(PrecisionOf("sm80_xmma_gemm_bf16bf16_bf16f32_f32_nn_n"), "bfloat16");
  EXPECT_EQ(PrecisionOf("sm80_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x128x16"), "TF32");
  EXPECT_EQ(PrecisionOf("ampere_sgemm_128x64_nn"), "float32");
  EXPECT_EQ(PrecisionOf("void at::native::add_kernel<float, 4>"), "float32");
  EXPECT_EQ(PrecisionOf("void cublas::dgemm<double>"), "float64");
  EXPECT_EQ(PrecisionOf("ampere_int8_i16832gemm_int8_128x128"), "int8");
  EXPECT_EQ(PrecisionOf("void reduce_kernel<long, 512>"), "int32 and int64");
  EXPECT_EQ(PrecisionOf("void cudnn::bn_fw_tr_1C11_kernel_NCHW"), "");
  EXPECT_EQ(PrecisionOf("floating_point_kernel"), "");
}

TEST(WorkNames, AnnotationsThatCountAreOne) {
  EXPECT_EQ(WithoutNumber("step_12"), "step");
  EXPECT_EQ(WithoutNumber("ProfilerStep#3"), "ProfilerStep");
  EXPECT_EQ(WithoutNumber("epoch 7"), "epoch");
  EXPECT_EQ(WithoutNumber("Forward"), "Forward");
  EXPECT_EQ(WithoutNumber("conv2d"), "conv2d");
  EXPECT_EQ(WithoutNumber("1234"), "1234");
  EXPECT_EQ(WithoutNumber("_12"), "_12");
  EXPECT_EQ(WithoutNumber(""), "");
}

}  // namespace
}  // namespace warden::dashboard
