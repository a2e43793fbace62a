#ifndef WARDEN_JOBS_SUPERVISE_SERVICE_FOR_TEST_H_
#define WARDEN_JOBS_SUPERVISE_SERVICE_FOR_TEST_H_

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "warden/jobs/db/store_for_test.h"
#include "warden/jobs/supervise/crew.h"
#include "warden/jobs/supervise/faulty_store_for_test.h"
#include "warden/jobs/supervise/launcher_for_test.h"
#include "warden/jobs/supervise/stored_jobs.h"
#include "warden/rules/custom/find_python.h"

// For tests: all of a service but what clients speak to.
namespace warden::jobs {

inline bool WaitFor(const std::function<bool()>& is_so) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

class SuperviseTest : public testing::Test {
 protected:
  SuperviseTest() {
    options_.data = folder_.folder();
    // The test itself: see main().
    options_.program = rules::OwnProgramFile();
    patience_.restarts = {std::chrono::milliseconds(10), std::chrono::milliseconds(20),
                          std::chrono::milliseconds(30)};
    patience_.together = std::chrono::milliseconds(100);
  }

  // Names of rules say what their processes do; see supervisor_test.cc.
  TrainingJob Job(const std::string& name, const std::vector<std::string>& rules = {}) {
    TrainingJob job = SomeJob(name);
    job.created = job.modified = Now();
    job.rules.clear();
    for (const std::string& rule : rules) {
      job.rules.push_back(SomeRule(rule, RuleJob::Kind::kDebug, name + "-" + rule));
    }
    return job;
  }

  void Create(const TrainingJob& job) {
    ASSERT_TRUE(store_->Create(job, {}).ok());
    if (crew_) crew_->Wake(job.name);
  }

  void Start() {
    crew_ = std::make_unique<Crew>(LifeParts{&options_, &faulty_, &launcher_, &maker_, patience_});
  }
  void Kill() { crew_.reset(); }

  TrainingJob Get(const std::string& name) {
    auto job = store_->Get(name);
    EXPECT_TRUE(job.ok()) << job.status().message();
    return job.ok() ? job.value() : TrainingJob();
  }
  bool WaitUntil(const std::string& name, SecondaryStatus status) {
    return WaitFor([&] { return Get(name).secondary == status; });
  }
  bool WaitUntilOver(const std::string& name) {
    return WaitFor([&] {
      const TrainingJob job = Get(name);
      return IsOver(job.status) && JobRules::AreOver(job);
    });
  }
  // How many events of incidents there are.
  size_t Incidents() {
    size_t count = 0;
    for (const StoredEvent& event : store_->EventsAfter(0, 1000).value()) {
      count += event.body.find("\"Training Job Incident\"") != std::string::npos ? 1 : 0;
    }
    return count;
  }
  void Change(const std::string& name, const std::function<void(TrainingJob*)>& change) {
    ASSERT_TRUE(store_
                    ->Change(name,
                             [&](TrainingJob* job) {
                               change(job);
                               return Status();
                             })
                    .ok());
    if (crew_) crew_->Wake(name);
  }

  StoreFolder folder_;
  std::unique_ptr<JobStore> store_ = folder_.Open();
  FaultyStore faulty_{store_.get()};
  service::ServiceOptions options_;
  RulePatience patience_;
  ScriptedLauncher launcher_{service::DataLayout(folder_.folder()).Objects()};
  StoredJobs jobs_{store_.get(), [this](const std::string& job) { crew_->Wake(job); }};
  actions::ActionMaker maker_{actions::Settings(), &jobs_};
  std::unique_ptr<Crew> crew_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_SERVICE_FOR_TEST_H_
