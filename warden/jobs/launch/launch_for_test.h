#ifndef WARDEN_JOBS_LAUNCH_LAUNCH_FOR_TEST_H_
#define WARDEN_JOBS_LAUNCH_LAUNCH_FOR_TEST_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "warden/base/json.h"
#include "warden/jobs/launch/strays.h"
#include "warden/jobs/logs/log_file.h"
#include "warden/jobs/record/job.h"
#include "warden/os/box.h"
#include "warden/os/kill_processes.h"
#include "warden/os/process_table.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/os/whole_file.h"
#include "warden/service/options.h"
#include "warden/storage/storage_for_test.h"

// For tests that launch jobs.
namespace warden::jobs {

inline void WriteText(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string ReadText(const std::filesystem::path& path) {
  return os::ReadWholeFile(path).value_or("(none)");
}

inline Json ReadJson(const std::filesystem::path& path) {
  const auto json = ParseJson(ReadText(path));
  EXPECT_TRUE(json.ok()) << path << ": " << ReadText(path);
  return json.ok() ? json.value() : Json();
}

// Whether it comes true before long.
template <class Condition>
bool Eventually(Condition condition) {
  for (int look = 0; look < 3000; ++look) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// A job as the API would accept it.
inline TrainingJob JobOf(Json request) {
  TrainingJob job;
  job.name = "demo";
  job.account = "123456789012";
  job.region = "us-east-1";
  const Json usual = {
      {"TrainingJobName", job.name},
      {"AlgorithmSpecification", {{"TrainingImage", "some:1"}, {"TrainingInputMode", "File"}}},
      {"OutputDataConfig", {{"S3OutputPath", "s3://bucket/out"}, {"KmsKeyId", ""}}},
      {"ResourceConfig",
       {{"InstanceType", "ml.m5.xlarge"}, {"InstanceCount", 1}, {"VolumeSizeInGB", 30}}},
      {"StoppingCondition", {{"MaxRuntimeInSeconds", 3600}}}};
  job.request = usual;
  if (request.is_object()) job.request.update(request);
  return job;
}

// A data folder with a bucket, and a service's options for it.
class LaunchTest : public testing::Test {
 protected:
  LaunchTest() {
    options_.data = temp_.path();
    options_.program = std::filesystem::read_symlink("/proc/self/exe");
    options_.stop_grace = std::chrono::seconds(60);
    std::filesystem::create_directories(Bucket());
  }

  std::filesystem::path Bucket() const { return temp_.path() / "s3/bucket"; }
  std::filesystem::path Host(const std::string& host = "algo-1") const {
    return service::DataLayout(options_.data).Host("demo", host);
  }
  std::filesystem::path Ml(const std::string& host = "algo-1") const {
    return Host(host) / "opt/ml";
  }

  std::string LogOf(const std::string& host = "algo-1") const {
    std::string text;
    const auto part = ReadLog(service::DataLayout::Log(Host(host)), 0, 10'000, 1 << 20);
    EXPECT_TRUE(part.ok());
    if (!part.ok()) return "";
    for (const LogLine& line : part.value().lines) {
      // Where jobs cannot be isolated.
      if (!line.text.starts_with("Tensorwarden: this job")) text += line.text + "\n";
    }
    return text;
  }

  // Whether jobs run in boxes here.
  bool HasBoxes() const {
    return options_.isolation != service::ServiceOptions::Isolation::kOff &&
           os::ProbeBox().support != os::BoxSupport::kNone;
  }
  // /opt/ml as a program sees it.
  std::filesystem::path SeenMl() const { return HasBoxes() ? "/opt/ml" : Ml(); }

  // How many processes there are of a host's program.
  size_t ProcessesOf(const std::string& host = "algo-1") const {
    const std::string entry = std::string(kHostVariable) + "=" + Host(host).string();
    const auto all = os::AllProcesses();
    return static_cast<size_t>(std::count_if(all.begin(), all.end(), [&](const os::Process& each) {
      return !each.ended && os::HasVariable(each.pid, entry);
    }));
  }

  const os::TempFolder temp_;
  const os::TempFolder outside_;  // Of what the service may see and jobs may not.
  service::ServiceOptions options_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_LAUNCH_FOR_TEST_H_
