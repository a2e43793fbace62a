#include "warden/jobs/db/job_cache.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "warden/jobs/record/job_for_test.h"

namespace warden::jobs::db {
namespace {

// Jobs whose documents have the same length, and a cache that holds half of them.
class JobCacheTest : public testing::Test {
 protected:
  static constexpr size_t kJobs = 40;
  static constexpr size_t kParts = 13;  // The document, and 12 times its size for the parsed job.

  static std::string Name(size_t number) { return fmt::format("job-{:03}", number); }
  static std::string Document(size_t number) { return DocumentOf(SomeJob(Name(number))); }

  // The numbers of those that were not in it.
  std::vector<size_t> Read(size_t first, size_t end) {
    std::vector<size_t> parsed;
    for (size_t i = first; i < end; ++i) {
      const auto job = cache.JobOf(Name(i), Document(i));
      EXPECT_TRUE(job.ok()) << job.status().message();
      EXPECT_EQ(job.value()->name, Name(i));
      if (std::exchange(seen[i], job.value()) != job.value()) parsed.push_back(i);
    }
    return parsed;
  }

  JobCache cache{kJobs / 2 * kParts * Document(0).size()};
  std::vector<std::shared_ptr<const TrainingJob>> seen{kJobs};
};

TEST_F(JobCacheTest, KeepsWhatIsReadAgainAndAgain) {
  Read(0, kJobs);
  for (int i = 0; i < 100; ++i) Read(kJobs - 4, kJobs);
  EXPECT_EQ(Read(kJobs - 4, kJobs), std::vector<size_t>());
}

TEST_F(JobCacheTest, APassOverMoreThanFitsFindsMostOfWhatFits) {
  Read(0, kJobs);
  size_t parsed = 0;
  for (int i = 0; i < 5; ++i) parsed += Read(0, kJobs).size();
  EXPECT_GE(parsed, 5 * kJobs / 2);
  EXPECT_LE(parsed, 5 * kJobs * 2 / 3);
}

TEST_F(JobCacheTest, AChangedDocumentIsParsed) {
  TrainingJob job = SomeJob("job-000");
  Read(0, 1);
  job.account = "210987654321";
  EXPECT_EQ(cache.JobOf(job.name, DocumentOf(job)).value()->account, job.account);
  EXPECT_EQ(Read(0, 1), std::vector<size_t>{0});
  EXPECT_EQ(cache.JobOf(job.name, "{").status().code(), Code::kCorrupt);
  EXPECT_EQ(Read(0, 1), std::vector<size_t>());
}

}  // namespace
}  // namespace warden::jobs::db
