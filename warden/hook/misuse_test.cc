// The calls of <warden.h> on hooks: what they make of mistakes.
#include <limits>
#include <string_view>

#include "warden/hook/hook_for_test.h"
#include "warden/hook/hook_handle.h"

namespace warden::hook {
namespace {

bool Told(std::string_view word) {
  return std::string_view(wd_last_error()).find(word) != std::string_view::npos;
}

using MisuseTest = HookTest;

TEST_F(MisuseTest, ValuesThatAreRefused) {
  wd_hook* hook = SaveAll();
  wd_hook_begin_step(hook);
  const auto refused = [&](const wd_value& value, std::string_view word) {
    EXPECT_EQ(wd_hook_save(hook, "t", &value), WD_INVALID);
    EXPECT_TRUE(Told(word)) << wd_last_error() << " has no " << word;
  };
  wd_value value = Value();
  value.struct_size = 8;
  refused(value, "struct_size is 8");
  value = Value();
  value.data = nullptr;
  refused(value, "data is NULL");
  value = Value();
  for (const wd_dtype dtype : {0, 16, -1, std::numeric_limits<int32_t>::max()}) {
    value.dtype = dtype;
    refused(value, "dtype is " + std::to_string(dtype));
  }
  value = Value();
  for (const int32_t dimensions : {-1, 33, std::numeric_limits<int32_t>::min()}) {
    value.dimensions = dimensions;
    refused(value, "dimensions is " + std::to_string(dimensions));
  }
  value = Value();
  value.shape = nullptr;
  refused(value, "shape is NULL");
  value = Value();
  shape_ = {2, -3};
  refused(value, "shape[1] is -3");
  shape_ = {int64_t{1} << 62, int64_t{1} << 62};
  refused(value, "exceeds the address space");
  shape_ = {int64_t{1} << 61, 1};
  refused(value, "exceeds the address space");
  // Also where another size is 0, for that says nothing of the tensor next to it.
  shape_ = {std::numeric_limits<int64_t>::max(), 0};
  refused(value, "exceeds the address space");
  EXPECT_EQ(wd_hook_save(hook, "t", nullptr), WD_INVALID);
  EXPECT_EQ(wd_hook_close(hook), WD_OK);
  EXPECT_EQ(Saved(hook), 0U);
  wd_hook_free(hook);
}

TEST_F(MisuseTest, OnlyCOrderIsTaken) {
  wd_hook* hook = SaveAll();
  wd_hook_begin_step(hook);
  wd_value value = Value();
  std::array<int64_t, 2> strides = {3, 1};
  value.strides = strides.data();
  EXPECT_EQ(wd_hook_save(hook, "c", &value), WD_OK);
  strides = {1, 2};
  EXPECT_EQ(wd_hook_save(hook, "fortran", &value), WD_INVALID);
  EXPECT_TRUE(Told("tensor 'fortran'") && Told("strides[1] is 2")) << wd_last_error();
  strides = {4, 1};
  EXPECT_EQ(wd_hook_save(hook, "with gaps", &value), WD_INVALID);
  EXPECT_TRUE(Told("strides[0] is 4; expected 3")) << wd_last_error();
  shape_ = {1, 3};
  strides = {77, 1};
  EXPECT_EQ(wd_hook_save(hook, "one row", &value), WD_OK) << wd_last_error();
  wd_hook_free(hook);
}

TEST_F(MisuseTest, NamesThatAreRefused) {
  wd_hook* hook = SaveAll();
  wd_hook_begin_step(hook);
  const wd_value value = Value();
  const std::string longest(WD_MOST_NAME_BYTES, 'x');
  const std::string too_long = longest + "x";
  EXPECT_EQ(wd_hook_save(hook, longest.c_str(), &value), WD_OK);
  for (const char* name : {static_cast<const char*>(nullptr), "", "\xC3", too_long.c_str()}) {
    EXPECT_EQ(wd_hook_save(hook, name, &value), WD_INVALID);
    EXPECT_TRUE(Told("name"));
    EXPECT_EQ(wd_hook_register(hook, name), nullptr);
    EXPECT_EQ(wd_hook_wants(hook, name), 0);
    EXPECT_EQ(wd_hook_save_scalar(hook, name, 1), WD_INVALID);
    EXPECT_EQ(wd_hook_add_role(hook, "labels", name), WD_INVALID);
    EXPECT_EQ(wd_hook_record_span(hook, "Loading", name, 0, 1), WD_INVALID);
  }
  const char* broken[] = {"fine", nullptr};
  EXPECT_EQ(wd_hook_save_into(hook, "t", &value, broken, 2), WD_INVALID);
  EXPECT_TRUE(Told("collections[1] is NULL"));
  EXPECT_EQ(wd_hook_save_into(hook, "t", &value, nullptr, 2), WD_INVALID);
  EXPECT_EQ(wd_hook_save_strings(hook, "t", broken, 2, nullptr, 0), WD_INVALID);
  EXPECT_TRUE(Told("values[1] is NULL"));
  wd_hook_free(hook);
}

TEST_F(MisuseTest, ModesAndStepsThatAreRefused) {
  wd_hook* hook = SaveAll();
  for (const wd_mode mode : {0, 5, -1}) {
    EXPECT_EQ(wd_hook_set_mode(hook, mode), WD_INVALID);
    EXPECT_TRUE(Told("mode is " + std::to_string(mode)));
    EXPECT_EQ(wd_hook_mode_step(hook, mode), -1);
  }
  for (const int64_t step :
       {int64_t{-1}, WD_LARGEST_STEP + 1, std::numeric_limits<int64_t>::max()}) {
    EXPECT_EQ(wd_hook_begin_step_at(hook, step), WD_INVALID);
  }
  EXPECT_EQ(wd_hook_begin_step_at(hook, WD_LARGEST_STEP), WD_OK);
  EXPECT_EQ(wd_hook_step(hook), WD_LARGEST_STEP);
  EXPECT_EQ(wd_hook_begin_step(hook), WD_INVALID) << "there is no next one";
  EXPECT_EQ(wd_hook_record_span(hook, "Loading", "x", -1, 1), WD_INVALID);
  EXPECT_EQ(wd_hook_record_span(hook, "Loading", "x", 1, std::numeric_limits<int64_t>::max()),
            WD_INVALID);
  wd_hook_free(hook);
}

TEST_F(MisuseTest, NoHook) {
  const wd_value value = Value();
  wd_counters counters{};
  EXPECT_EQ(wd_hook_begin_step(nullptr), WD_INVALID);
  EXPECT_TRUE(Told("hook is NULL"));
  EXPECT_EQ(wd_hook_set_mode(nullptr, WD_TRAIN), WD_INVALID);
  EXPECT_EQ(wd_hook_end_step(nullptr), WD_INVALID);
  EXPECT_EQ(wd_hook_register(nullptr, "t"), nullptr);
  EXPECT_EQ(wd_hook_wants(nullptr, "t"), 0);
  EXPECT_EQ(wd_hook_wants_tensor(nullptr, nullptr), 0);
  EXPECT_EQ(wd_hook_save(nullptr, "t", &value), WD_INVALID);
  EXPECT_EQ(wd_hook_save_tensor(nullptr, nullptr, &value), WD_INVALID);
  EXPECT_EQ(wd_hook_save_scalar(nullptr, "t", 1), WD_INVALID);
  EXPECT_EQ(wd_hook_flush(nullptr), WD_INVALID);
  EXPECT_EQ(wd_hook_close(nullptr), WD_INVALID);
  EXPECT_EQ(wd_hook_status(nullptr), WD_INVALID);
  EXPECT_EQ(wd_hook_counters(nullptr, &counters), WD_INVALID);
  EXPECT_EQ(wd_hook_is_active(nullptr), 0);
  EXPECT_EQ(wd_hook_is_profiling(nullptr), 0);
  EXPECT_EQ(wd_hook_step(nullptr), -1);
  wd_hook_free(nullptr);
  EXPECT_EQ(wd_hook_create(nullptr, nullptr), WD_INVALID);
  wd_hook* hook = nullptr;
  EXPECT_EQ(wd_hook_create(nullptr, &hook), WD_INVALID);
  EXPECT_EQ(hook, nullptr);
}

TEST_F(MisuseTest, ATensorThatIsNoneIsRefused) {
  wd_hook* hook = SaveAll();
  wd_hook_begin_step(hook);
  const wd_value value = Value();
  EXPECT_EQ(wd_hook_save_tensor(hook, nullptr, &value), WD_INVALID);
  EXPECT_TRUE(Told("tensor is NULL"));
  EXPECT_EQ(wd_hook_wants_tensor(hook, nullptr), 0);
  wd_hook_free(hook);
}

TEST_F(MisuseTest, AfterItsEnd) {
  wd_hook* hook = SaveAll();
  const wd_tensor* tensor = wd_hook_register(hook, "t");
  wd_hook_begin_step(hook);
  const wd_value value = Value();
  ASSERT_EQ(wd_hook_save_tensor(hook, tensor, &value), WD_OK);
  ASSERT_EQ(wd_hook_close(hook), WD_OK);
  EXPECT_EQ(wd_hook_close(hook), WD_OK) << "again";
  EXPECT_EQ(wd_hook_save_tensor(hook, tensor, &value), WD_CLOSED);
  EXPECT_EQ(wd_hook_save(hook, "t", &value), WD_CLOSED);
  EXPECT_EQ(wd_hook_save_scalar(hook, "s", 1), WD_CLOSED);
  EXPECT_EQ(wd_hook_begin_step(hook), WD_CLOSED);
  EXPECT_EQ(wd_hook_set_mode(hook, WD_EVAL), WD_CLOSED);
  EXPECT_EQ(wd_hook_flush(hook), WD_CLOSED);
  EXPECT_EQ(wd_hook_add_role(hook, "labels", "t"), WD_CLOSED);
  EXPECT_EQ(wd_hook_register(hook, "u"), nullptr);
  EXPECT_EQ(wd_hook_wants_tensor(hook, tensor), 0);
  EXPECT_EQ(wd_hook_is_active(hook), 0);
  EXPECT_EQ(wd_hook_is_profiling(hook), 0);
  EXPECT_EQ(wd_hook_status(hook), WD_OK);
  EXPECT_EQ(Saved(hook), 1U);
  wd_hook_free(hook);
}

TEST_F(MisuseTest, AFinishedRunIsNotWrittenInto) {
  wd_hook_free(SaveAll());
  wd_options* options = wd_options_new();
  wd_options_set_out_dir(options, Path("run").c_str());
  wd_hook* hook = nullptr;
  EXPECT_EQ(wd_hook_create(options, &hook), WD_EXISTS);
  EXPECT_EQ(hook, nullptr);
  EXPECT_TRUE(Told("finished run"));
  wd_options_free(options);
}

}  // namespace
}  // namespace warden::hook
