#include "warden/sagemaker/metrics/job_metrics.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "warden/base/json.h"
#include "warden/jobs/logs/log_file.h"
#include "warden/jobs/record/job_for_test.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::sagemaker {
namespace {

using std::chrono::milliseconds;

Time At(int64_t ms) { return Time(milliseconds(ms)); }

TEST(MetricSeries, KeepsStatisticsOfPeriods) {
  MetricSeries series;
  series.Add(At(61'000), 4);
  series.Add(At(59'999), 2);
  series.Add(At(60'000), 1);
  EXPECT_EQ(series.last(), 4);
  const auto minutes = series.Over(0, 1000, 60);
  ASSERT_EQ(minutes.size(), 2u);
  EXPECT_EQ(minutes.at(0).sum, 2);
  EXPECT_EQ(minutes.at(60).sum, 5);
  EXPECT_EQ(minutes.at(60).count, 2);
  EXPECT_EQ(minutes.at(60).min, 1);
  EXPECT_EQ(minutes.at(60).max, 4);
  EXPECT_EQ(series.Over(60, 61, 1).size(), 1u);
}

TEST(MetricSeries, MemoryIsBounded) {
  MetricSeries series;
  constexpr int64_t kSeconds = 100'000;
  for (int64_t s = 0; s < kSeconds; ++s) series.Add(At(s * 1000), 1);
  const auto all = series.Over(0, kSeconds, 1);
  EXPECT_LE(all.size(), MetricSeries::kMostPeriods);
  int64_t count = 0;
  for (const auto& [begin, period] : all) count += period.count;
  EXPECT_EQ(count, kSeconds);
}

class JobMetricsTest : public testing::Test {
 protected:
  JobMetricsTest() {
    options_.data = folder_.path();
    job_.request["AlgorithmSpecification"]["MetricDefinitions"] =
        Json::array({{{"Name", "train:loss"}, {"Regex", "loss=([0-9.]+)"}},
                     {{"Name", "slow"}, {"Regex", "(a+)+$"}},
                     {{"Name", "broken"}, {"Regex", "("}}});
    agent_ = service::DataLayout(options_.data).Host(job_.name, job_.Hosts()[0]);
    reported_ = agent_ + "/opt/ml/output/metrics/sagemaker";
    std::filesystem::create_directories(reported_);
  }
  void Print(const std::string& text, int64_t ms) {
    auto log = jobs::LogWriter::Open(service::DataLayout::Log(agent_), 1 << 20, 5);
    ASSERT_TRUE(log.ok());
    log.value()->Append(text, At(ms));
    log.value()->Close(At(ms));
  }
  MetricsByName Metrics() { return metrics_.Of(job_, milliseconds(5000)); }

  const os::TempFolder folder_;
  service::ServiceOptions options_;
  jobs::TrainingJob job_ = jobs::SomeJob("demo-001");
  std::string agent_, reported_;
  JobMetrics metrics_{&options_};
};

TEST_F(JobMetricsTest, AreFoundInTheLog) {
  EXPECT_TRUE(Metrics().empty());
  Print("epoch 1 loss=0.5\n" + std::string(300, 'a') + "b\n", 1000);
  EXPECT_EQ(Metrics().at("train:loss").last(), 0.5);
  Print("epoch 2 loss=0.25\nloss=.\n", 2000);
  const MetricsByName now = Metrics();
  EXPECT_EQ(now.size(), 1u);
  EXPECT_EQ(now.at("train:loss").last(), 0.25);
  EXPECT_EQ(now.at("train:loss").last_time(), At(2000));
  EXPECT_EQ(now.at("train:loss").Over(0, 10, 60).at(0).count, 2) << "each line is read once";
}

TEST_F(JobMetricsTest, AreReportedByTheProgram) {
  const std::string line =
      R"({"MetricName": "scalar/accuracy_TRAIN", "Value": 0.75, "Timestamp": 12.5, "IterationNumber": 3})";
  folder_.Write(std::filesystem::relative(reported_ + "/1.json", folder_.path()).string(),
                line + "\nnonsense\n{\"MetricName\": 3}\n" + line.substr(0, 40));
  EXPECT_EQ(Metrics().at("scalar/accuracy_TRAIN").last(), 0.75);
  EXPECT_EQ(Metrics().at("scalar/accuracy_TRAIN").last_time(), At(12'500));
  EXPECT_EQ(Metrics().size(), 1u);
}

// A job that puts something else in the place of what has been read before.
class SwappedMetricsTest : public JobMetricsTest {
 protected:
  SwappedMetricsTest() {
    Report(file_, {"own"});
    ExpectOnlyOwn();
  }
  // A metrics file as hooks write it, with a line for each metric.
  static void Report(const std::string& path, const std::vector<std::string>& metrics) {
    std::ofstream file(path);
    for (const std::string& metric : metrics) {
      file << R"({"MetricName": ")" << metric << R"(", "Value": 1, "Timestamp": 1})" << "\n";
    }
  }
  void ExpectOnlyOwn() {
    const MetricsByName now = Metrics();
    EXPECT_EQ(now.size(), 1u);
    EXPECT_TRUE(now.contains("own"));
  }

  const std::string file_ = reported_ + "/1.json";
};

TEST_F(SwappedMetricsTest, APipeIsNotWaitedFor) {
  std::filesystem::remove(file_);
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  ExpectOnlyOwn();
}

TEST_F(SwappedMetricsTest, ALinkToAFileIsNotFollowed) {
  const std::string others = folder_.File("others.json");
  Report(others, {"own", "other"});
  std::filesystem::remove(file_);
  std::filesystem::create_symlink(others, file_);
  ExpectOnlyOwn();
}

TEST_F(SwappedMetricsTest, ALinkToAFolderIsNotFollowed) {
  const std::string metrics = std::filesystem::path(reported_).parent_path();
  const std::string others = folder_.File("others");
  std::filesystem::create_directories(others + "/sagemaker");
  Report(others + "/sagemaker/2.json", {"other"});
  std::filesystem::rename(metrics, metrics + "-before");
  std::filesystem::create_symlink(others, metrics);
  ExpectOnlyOwn();
}

TEST_F(JobMetricsTest, AnotherJobOfTheNameHasItsOwn) {
  Print("loss=0.5\n", 1000);
  EXPECT_EQ(Metrics().size(), 1u);
  std::filesystem::remove_all(agent_);
  job_.created += std::chrono::hours(1);
  EXPECT_TRUE(Metrics().empty());
}

}  // namespace
}  // namespace warden::sagemaker
