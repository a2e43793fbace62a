// <warden/hook.h>: the wrapper for C++.
#include <warden/hook.h>

#include "warden/hook/hook_for_test.h"

namespace warden::hook {
namespace {

using tensorwarden::DTypeOf;
using tensorwarden::Hook;
using tensorwarden::Mode;
using tensorwarden::Options;
using tensorwarden::Tensor;

using WrapperTest = HookTest;

static_assert(DTypeOf<float>() == WD_FLOAT32);
static_assert(DTypeOf<double>() == WD_FLOAT64);
static_assert(DTypeOf<bool>() == WD_BOOL);
static_assert(DTypeOf<int8_t>() == WD_INT8);
static_assert(DTypeOf<uint16_t>() == WD_UINT16);
static_assert(DTypeOf<long long>() == WD_INT64);
static_assert(DTypeOf<std::complex<double>>() == WD_COMPLEX128);
static_assert(DTypeOf<std::string>() == 0);

TEST_F(WrapperTest, EverythingThroughTheWrapper) {
  Options options;
  options.OutDir(Path("run")).Set("save_interval", "1").Include("weights");
  options.AddPattern("mine", "^mine/").Staging(1 << 20, true).Worker(0, 1);
  Hook hook(options);
  ASSERT_TRUE(hook.status().ok()) << hook.status().message();
  EXPECT_TRUE(hook.SetMode(Mode::kTrain).ok());
  const Tensor weight = hook.Register("fc.weight");
  EXPECT_TRUE(hook.BeginStep().ok());
  EXPECT_TRUE(hook.Wants(weight));
  EXPECT_TRUE(hook.Wants(std::string("mine/x")));
  EXPECT_FALSE(hook.Wants("other"));
  EXPECT_TRUE(hook.Save(weight, data_.data(), {2, 3}).ok());
  const double number = 1;
  EXPECT_TRUE(hook.Save("mine/number", &number, {}).ok());
  EXPECT_TRUE(hook.Save("mine/value", Value()).ok());
  EXPECT_TRUE(hook.SaveInto("into", data_.data(), {6}, {"kept"}).ok());
  EXPECT_TRUE(hook.SaveStrings("mine/words", {"a", "b"}).ok());
  EXPECT_TRUE(hook.SaveStrings("words", std::vector<std::string>{"a", "b"}, {"kept"}).ok());
  EXPECT_TRUE(hook.SaveScalar("rate", 0.1).ok());
  EXPECT_TRUE(hook.AddRole("labels", "y").ok());
  {
    const auto span = hook.StartSpan("Loading", "read");
  }
  EXPECT_EQ(hook.step(), 0);
  EXPECT_EQ(hook.mode_step(Mode::kTrain), 0);
  EXPECT_TRUE(hook.EndStep().ok());
  EXPECT_TRUE(hook.Flush().ok());
  EXPECT_EQ(hook.counters().saved_tensors, 7U);
  Hook moved = std::move(hook);
  EXPECT_TRUE(moved.is_active());
  EXPECT_FALSE(moved.is_profiling());
  EXPECT_TRUE(moved.Close().ok());
}

TEST_F(WrapperTest, TheFirstMistakeInOptionsIsKept) {
  Options options;
  options.OutDir(Path("run")).Set("save_interval", "often").Set("nonsense", "1");
  Hook hook(options);
  EXPECT_EQ(hook.status().code(), WD_INVALID);
  EXPECT_NE(hook.status().message().find("often"), std::string::npos);
  EXPECT_FALSE(hook.is_active());
  EXPECT_FALSE(hook.BeginStep().ok());
  EXPECT_FALSE(hook.Save("x", data_.data(), {6}).ok());
  EXPECT_EQ(Hook::FromEnvironment(options).status().code(), WD_INVALID);
}

TEST_F(WrapperTest, ShapesWithTooManyDimensions) {
  Options options;
  options.OutDir(Path("run")).Set("save_all", "true");
  Hook hook(options);
  EXPECT_TRUE(hook.Save("x", data_.data(), std::vector<int64_t>(32, 1)).ok());
  EXPECT_EQ(hook.Save("x", data_.data(), std::vector<int64_t>(33, 1)).code(), WD_INVALID);
}

}  // namespace
}  // namespace warden::hook
