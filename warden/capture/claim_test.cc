#include "warden/capture/claim.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "warden/capture/host.h"
#include "warden/storage/mem_store.h"
#include "warden/storage/storage_for_test.h"

namespace warden::capture {
namespace {

TEST(Claim, SecondOneIsRefused) {
  auto store = storage::NewMemStore();
  EXPECT_TRUE(Claim::Take(store.get()).ok());
  EXPECT_TRUE(
      storage::Text(*store, "claim.smd").starts_with(fmt::format("{} {} ", getpid(), HostName())));
  EXPECT_EQ(Claim::Take(store.get()).status().code(), Code::kExists);
}

TEST(Claim, IsGivenBackOnlyIfItIsStillOurs) {
  auto store = storage::NewMemStore();
  Claim first = Claim::Take(store.get()).value();
  EXPECT_TRUE(first.IsHeld());
  ASSERT_TRUE(store->Remove("claim.smd").ok());  // Somebody cleared the folder ...
  EXPECT_FALSE(first.IsHeld());
  Claim second = Claim::Take(store.get()).value();  // ... and uses it now.
  EXPECT_TRUE(first.Release().ok());
  EXPECT_TRUE(second.IsHeld());
  EXPECT_TRUE(second.Release().ok());
  EXPECT_FALSE(store->Exists("claim.smd"));
}

TEST(Claim, IsPutBackUnlessSomebodyElseHasTheFolder) {
  auto store = storage::NewMemStore();
  Claim first = Claim::Take(store.get()).value();
  ASSERT_TRUE(store->Remove("claim.smd").ok());
  EXPECT_TRUE(first.Restore().ok());
  EXPECT_TRUE(first.IsHeld());
  EXPECT_TRUE(first.Restore().ok());
  ASSERT_TRUE(store->Remove("claim.smd").ok());
  const Claim second = Claim::Take(store.get()).value();
  EXPECT_EQ(first.Restore().code(), Code::kExists);
  EXPECT_TRUE(second.IsHeld());
}

TEST(Claim, OfAnEndedProcessHoldsForItsJobIfThatIsAskedFor) {
  auto store = storage::NewMemStore();
  const Claim claim = Claim::Take(store.get()).value();
  std::string text = storage::Text(*store, "claim.smd");
  // The same, of a process that is no more.
  text.replace(0, text.find(' '), "4194305");
  storage::PutCode(*store, "claim.smd", text);
  EXPECT_EQ(Claim::Take(store.get(), Claim::Respect::kSameJob).status().code(), Code::kExists);
  setenv("TRAINING_JOB_NAME", "another job", 1);
  EXPECT_TRUE(Claim::Take(store.get(), Claim::Respect::kSameJob).ok());
  unsetenv("TRAINING_JOB_NAME");
  storage::PutCode(*store, "claim.smd", text);
  EXPECT_TRUE(Claim::Take(store.get()).ok());
}

TEST(Claim, OfADeadProcessIsTakenOver) {
  auto store = storage::NewMemStore();
  const pid_t child = fork();
  if (child == 0) _exit(0);
  ASSERT_GT(child, 0);
  waitpid(child, nullptr, 0);
  storage::PutCode(*store, "claim.smd", fmt::format("{} {} 123", child, HostName()));
  EXPECT_TRUE(Claim::Take(store.get()).ok());
}

TEST(Claim, OfAnEarlierProcessWithOurNumberIsTakenOver) {
  auto store = storage::NewMemStore();
  storage::PutCode(*store, "claim.smd", fmt::format("{} {} 1", getpid(), HostName()));
  EXPECT_TRUE(Claim::Take(store.get()).ok());
}

TEST(Claim, OfAnotherMachineIsLeftAlone) {
  auto store = storage::NewMemStore();
  storage::PutCode(*store, "claim.smd", "1 some-other-machine 5");
  EXPECT_EQ(Claim::Take(store.get()).status().code(), Code::kExists);
}

TEST(Claim, ThatNamesNobodyIsTakenOver) {
  for (const char* text : {"", "junk", "-1 here", "1 2", "99999999999999999999 host 1"}) {
    auto store = storage::NewMemStore();
    storage::PutCode(*store, "claim.smd", text);
    EXPECT_TRUE(Claim::Take(store.get()).ok()) << text;
  }
}

}  // namespace
}  // namespace warden::capture
