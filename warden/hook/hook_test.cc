// The calls of <warden.h> on hooks: what they do.
#include <sys/wait.h>

#include <thread>
#include <vector>

#include "warden/hook/hook_for_test.h"
#include "warden/hook/hook_handle.h"

namespace warden::hook {
namespace {

TEST_F(HookTest, SavesWhatCollectionsAskFor) {
  wd_options* options = wd_options_new();
  wd_options_set_out_dir(options, Path("run").c_str());
  wd_options_set(options, "save_interval", "2");
  wd_options_include(options, "weights");
  wd_hook* hook = nullptr;
  ASSERT_EQ(wd_hook_create(options, &hook), WD_OK) << wd_last_error();
  wd_options_free(options);
  EXPECT_EQ(wd_hook_is_active(hook), 1);
  EXPECT_EQ(wd_hook_step(hook), -1);
  ASSERT_EQ(wd_hook_set_mode(hook, WD_TRAIN), WD_OK);
  const wd_tensor* weight = wd_hook_register(hook, "fc.weight");
  const wd_tensor* bias = wd_hook_register(hook, "fc.bias");
  EXPECT_EQ(wd_hook_wants_tensor(hook, weight), 0) << "no step has begun";
  const wd_value value = Value();
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(wd_hook_begin_step(hook), WD_OK);
    EXPECT_EQ(wd_hook_wants_tensor(hook, weight), i % 2 == 0 ? 1 : 0);
    EXPECT_EQ(wd_hook_wants(hook, "fc.weight"), i % 2 == 0 ? 1 : 0);
    EXPECT_EQ(wd_hook_wants_tensor(hook, bias), 0);
    EXPECT_EQ(wd_hook_save_tensor(hook, weight, &value), WD_OK);
    EXPECT_EQ(wd_hook_save(hook, "fc.bias", &value), WD_OK);
  }
  EXPECT_EQ(wd_hook_step(hook), 3);
  EXPECT_EQ(wd_hook_mode_step(hook, WD_TRAIN), 3);
  EXPECT_EQ(wd_hook_mode_step(hook, WD_EVAL), -1);
  EXPECT_EQ(wd_hook_close(hook), WD_OK);
  EXPECT_EQ(Saved(hook), 2U);
  EXPECT_TRUE(std::filesystem::exists(Path("run/training_job_end.ts")));
  wd_hook_free(hook);
}

TEST_F(HookTest, EveryTypeIsSaved) {
  wd_hook* hook = SaveAll();
  wd_hook_begin_step(hook);
  const std::array<char, 64> bytes{};
  const int64_t shape[] = {2, 2};
  for (wd_dtype dtype = WD_FLOAT16; dtype <= WD_COMPLEX128; ++dtype) {
    const wd_value value = {sizeof(wd_value), bytes.data(), dtype, 2, shape, nullptr};
    const std::string name = "t" + std::to_string(dtype);
    EXPECT_EQ(wd_hook_save(hook, name.c_str(), &value), WD_OK) << wd_last_error();
  }
  const char* words[] = {"one", "", "dr\xC3\xBC"};
  EXPECT_EQ(wd_hook_save_strings(hook, "words", words, 3, nullptr, 0), WD_OK);
  const char* into[] = {"kept", "weights"};
  const wd_value value = Value();
  EXPECT_EQ(wd_hook_save_into(hook, "by_hand", &value, into, 2), WD_OK);
  EXPECT_EQ(wd_hook_save_scalar(hook, "rate", 0.5), WD_OK);
  const wd_value number = {sizeof(wd_value), bytes.data(), WD_FLOAT64, 0, nullptr, nullptr};
  EXPECT_EQ(wd_hook_save(hook, "number", &number), WD_OK);
  const int64_t nothing[] = {0, 5};
  const wd_value empty = {sizeof(wd_value), nullptr, WD_INT32, 2, nothing, nullptr};
  EXPECT_EQ(wd_hook_save(hook, "empty", &empty), WD_OK);
  EXPECT_EQ(wd_hook_close(hook), WD_OK);
  EXPECT_EQ(Saved(hook), 19U) << "all but the one without elements";
  wd_hook_free(hook);
}

TEST_F(HookTest, WhatTheDiskRefusesIsToldAndTheTrainingGoesOn) {
  Write("run", "a file where the folder should be");
  wd_hook* hook = SaveAll();
  const wd_value value = Value();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(wd_hook_begin_step(hook), WD_OK);
    EXPECT_EQ(wd_hook_save(hook, "t", &value), WD_OK);
  }
  EXPECT_NE(wd_hook_close(hook), WD_OK);
  const std::string why = wd_last_error();
  EXPECT_NE(why.find(Path("run")), std::string::npos) << why;
  EXPECT_NE(wd_hook_close(hook), WD_OK) << "again";
  EXPECT_EQ(why, wd_last_error());
  EXPECT_NE(wd_hook_status(hook), WD_OK);
  wd_hook_free(hook);
}

TEST_F(HookTest, WorkersWriteSideBySide) {
  std::vector<wd_hook*> hooks;
  for (const int32_t rank : {0, 1}) {
    wd_options* options = wd_options_new();
    wd_options_set_out_dir(options, Path("run").c_str());
    wd_options_set(options, "include_workers", "all");
    EXPECT_EQ(wd_options_set_worker(options, rank, 2), WD_OK);
    EXPECT_EQ(wd_options_set_last_step(options, 6), WD_OK);
    hooks.push_back(nullptr);
    EXPECT_EQ(wd_hook_create(options, &hooks.back()), WD_OK) << wd_last_error();
    wd_options_free(options);
  }
  for (wd_hook* hook : hooks) {
    wd_hook_begin_step(hook);
    EXPECT_EQ(wd_hook_step(hook), 7) << "a run is taken up again";
    EXPECT_EQ(wd_hook_save_scalar(hook, "s", 1), WD_OK);
  }
  while (!hooks.empty()) {  // The first worker ends the run.
    EXPECT_EQ(wd_hook_close(hooks.back()), WD_OK) << wd_last_error();
    wd_hook_free(hooks.back());
    hooks.pop_back();
  }
  for (const char* worker : {"worker_0", "worker_1"}) {
    const std::string file = std::string("run/index/000000000/000000000007_") + worker + ".json";
    EXPECT_TRUE(std::filesystem::exists(Path(file))) << file;
  }
}

TEST_F(HookTest, ManyThreadsSave) {
  wd_hook* hook = SaveAll();
  const wd_value value = Value();
  for (int step = 0; step < 5; ++step) {
    wd_hook_begin_step(hook);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        for (int k = 0; k < 25; ++k) {
          const std::string name = std::to_string(i) + "_" + std::to_string(k);
          EXPECT_EQ(wd_hook_save(hook, name.c_str(), &value), WD_OK);
          EXPECT_EQ(wd_hook_save(hook, "", &value), WD_INVALID) << "told to this thread alone";
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(wd_hook_close(hook), WD_OK);
  EXPECT_EQ(Saved(hook), 500U);
  wd_hook_free(hook);
}

TEST_F(HookTest, ThreadsMaySaveWhileItCloses) {
  wd_hook* hook = SaveAll();
  wd_hook_begin_step(hook);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      const wd_value value = Value();
      const char* words[] = {"a"};
      while (wd_hook_save(hook, "t", &value) == WD_OK) {
        (void)wd_hook_save_strings(hook, "w", words, 1, words, 1);
      }
      EXPECT_EQ(wd_hook_save(hook, "t", &value), WD_CLOSED);
    });
  }
  EXPECT_EQ(wd_hook_close(hook), WD_OK);
  for (std::thread& thread : threads) thread.join();
  wd_hook_free(hook);
}

TEST_F(HookTest, DoesNothingInAForkedChild) {
  wd_hook* hook = SaveAll();
  const wd_tensor* tensor = wd_hook_register(hook, "t");
  wd_hook_begin_step(hook);
  const wd_value value = Value();
  const pid_t child = fork();
  if (child == 0) {
    const bool quiet = wd_hook_save_tensor(hook, tensor, &value) == WD_OK &&
                       wd_hook_register(hook, "u") != nullptr && wd_hook_wants(hook, "t") == 0 &&
                       wd_hook_begin_step(hook) == WD_OK && wd_hook_close(hook) == WD_OK &&
                       wd_hook_record_span(hook, "a", "b", 0, 1) == WD_OK &&
                       wd_hook_is_active(hook) == 0 && wd_hook_step(hook) == -1;
    wd_hook_free(hook);
    _exit(quiet ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(std::filesystem::exists(Path("run/training_job_end.ts")));
  EXPECT_EQ(wd_hook_save_tensor(hook, tensor, &value), WD_OK);
  EXPECT_EQ(wd_hook_close(hook), WD_OK);
  EXPECT_EQ(Saved(hook), 1U);
  wd_hook_free(hook);
}

TEST_F(HookTest, CountersForOlderAndNewerCallers) {
  wd_hook* hook = SaveAll();
  wd_hook_begin_step(hook);
  wd_hook_save_scalar(hook, "s", 1);
  wd_hook_end_step(hook);
  EXPECT_EQ(wd_hook_flush(hook), WD_OK);
  struct {
    wd_counters known;
    uint64_t later;
  } newer{};
  newer.known.struct_size = sizeof(newer);
  newer.later = 99;
  EXPECT_EQ(wd_hook_counters(hook, &newer.known), WD_OK);
  EXPECT_EQ(newer.known.saved_tensors, 1U);
  EXPECT_EQ(newer.later, 0U);
  wd_counters older{};
  older.struct_size = offsetof(wd_counters, saved_tensors);
  older.saved_tensors = 77;
  EXPECT_EQ(wd_hook_counters(hook, &older), WD_OK);
  EXPECT_EQ(older.saved_steps, 1U);
  EXPECT_EQ(older.saved_tensors, 77U) << "not the caller's";
  older.struct_size = 0;
  EXPECT_EQ(wd_hook_counters(hook, &older), WD_INVALID);
  EXPECT_EQ(wd_hook_counters(hook, nullptr), WD_INVALID);
  wd_hook_free(hook);
}

TEST(Names, OfStatesAndVersion) {
  EXPECT_STREQ(wd_status_name(WD_CLOSED), "WD_CLOSED");
  EXPECT_STREQ(wd_status_name(99), "unknown");
  EXPECT_STREQ(wd_version(), WARDEN_VERSION);
}

}  // namespace
}  // namespace warden::hook
