#ifndef FUZZ_JOB_SERVICE_H_
#define FUZZ_JOB_SERVICE_H_

// For what is asked of jobs: a service that has some, and starts none.

#include <memory>
#include <string>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/memory_folder.h"
#include "warden/jobs/db/job_store.h"
#include "warden/sagemaker/operations/api_parts.h"

namespace warden::fuzz {

class IdleLauncher final : public jobs::Launcher {
 public:
  Status Check(const jobs::TrainingJob&) override { return Status(); }
  Status Prepare(const jobs::TrainingJob&) override { return Status(); }
  Status Start(const jobs::TrainingJob&) override { return Status(); }
  std::vector<jobs::HostState> Look(const jobs::TrainingJob&) override { return {}; }
  void Stop(const jobs::TrainingJob&, std::chrono::seconds) override {}
  Status Reconfigure(const jobs::TrainingJob&) override { return Status(); }
  Status Collect(const jobs::TrainingJob&) override { return Status(); }
  Status Remove(const jobs::TrainingJob&) override { return Status(); }
};

class IdleSupervisor final : public jobs::Supervisor {
 public:
  void Wake(const std::string&) override {}
};

// Takes everybody for the owner of a key for all.
class OneKey final : public auth::Authenticator {
 public:
  static auth::Identity Owner() { return {"AKIDEXAMPLE", "123456789012", "us-east-1", 7}; }
  auth::Verdict Check(const http::RequestHead&, std::string_view) const override { return Owner(); }
};

// Its jobs are "demo", which is training and may be entered and changed, "10" and "1a".
class JobService {
 public:
  JobService() {
    options_.data = folder_.path();
    store_ = jobs::OpenJobStore(options_.data + "/warden.db").value();
    for (const char* name : {"demo", "10", "1a"}) {
      demo_ = jobs::TrainingJob();
      demo_.name = name;
      demo_.account = OneKey::Owner().account;
      demo_.region = OneKey::Owner().region;
      demo_.request = {{"TrainingJobName", name},
                       {"ResourceConfig", {{"InstanceType", "ml.m5.xlarge"}, {"InstanceCount", 2}}},
                       {"OutputDataConfig", {{"S3OutputPath", "s3://demo-bucket/out"}}},
                       {"HyperParameters", {{"lr", name}}},
                       {"InputDataConfig", Json::array({{{"ChannelName", name}}})},
                       {"RemoteDebugConfig", {{"EnableRemoteDebug", true}}}};
      demo_.tags = {{"team", name}};
      demo_.created = demo_.modified = Time(std::chrono::milliseconds(1'700'000'000'000));
      jobs::Enter(&demo_, jobs::SecondaryStatus::kTraining, "", demo_.created);
      fuzz::Check(store_->Create(demo_, {}).ok());
    }
    demo_ = store_->Get("demo").value();
  }

  // "demo" becomes what it was, and jobs that were made go.
  void Restore() {
    fuzz::Check(store_
                    ->Change("demo",
                             [this](jobs::TrainingJob* job) {
                               *job = demo_;
                               return Status();
                             })
                    .ok());
    for (const std::string& name : store_->Unfinished().value()) {
      if (name != "demo" && name != "10" && name != "1a") fuzz::Check(store_->Delete(name).ok());
    }
  }

  const std::string& data() const { return options_.data; }
  service::ServiceOptions* options() { return &options_; }
  jobs::JobStore* store() const { return store_.get(); }
  const jobs::TrainingJob& demo() const { return demo_; }
  const auth::Authenticator& key() const { return key_; }
  sagemaker::ApiParts parts() { return {&options_, &key_, store_.get(), &launcher_, &supervisor_}; }

 private:
  MemoryFolder folder_;
  service::ServiceOptions options_;
  OneKey key_;
  IdleLauncher launcher_;
  IdleSupervisor supervisor_;
  std::unique_ptr<jobs::JobStore> store_;
  jobs::TrainingJob demo_;
};

}  // namespace warden::fuzz

#endif  // FUZZ_JOB_SERVICE_H_
