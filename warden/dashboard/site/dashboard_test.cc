#include "warden/dashboard/site/dashboard.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <thread>
#include <tuple>

#include "warden/dashboard/site/folder_state.h"
#include "warden/dashboard/site/places.h"
#include "warden/sagemaker/operations/api_for_test.h"
#include "warden/view/metrics/metrics_for_test.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

// The dashboard over the real store, with requests that come by the token of OneKey.
class DashboardTest : public sagemaker::ApiTest {
 protected:
  DashboardTest() {
    options.data = folder.folder();
    options.runs = {folder.folder() + "/runs"};
    fs::create_directories(options.runs[0]);
    dashboard_ = MakeDashboard({&options, &key, store.get(), &launcher, &supervisor},
                               Sessions(&key, os::Secret("secret"), {}));
  }

  http::Response Ask(const std::string& method, const std::string& address,
                     const std::string& body = "", const std::string& known = "") {
    http::RequestHead head;
    head.method = method;
    const size_t mark = address.find('?');
    head.path = "/-/api/" + address.substr(0, mark);
    if (mark != std::string::npos) head.query = address.substr(mark + 1);
    head.headers = {{"Authorization", "right"}};
    if (!known.empty()) head.headers.emplace_back("If-None-Match", known);
    auto exchange = dashboard_->Begin(head);
    if (!body.empty()) exchange->Take(body);
    return exchange->Answer();
  }
  Json Get(const std::string& address) {
    const http::Response response = Ask("GET", address);
    EXPECT_EQ(response.status, 200) << address << ": " << response.body;
    auto json = ParseJson(response.body);
    return json.ok() ? json.value() : Json();
  }
  // "404: message".
  std::string Refusal(const std::string& method, const std::string& address,
                      const std::string& body = "") {
    const http::Response response = Ask(method, address, body);
    const auto json = ParseJson(response.body);
    return std::to_string(response.status) + ": " +
           (json.ok() ? TextOf(MemberOf(json.value(), "message")) : response.body);
  }
  void Write(const std::string& path, const std::string& text) {
    const fs::path file = fs::path(options.runs[0]) / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  std::unique_ptr<http::Handler> dashboard_;
};

constexpr char kStatus[] =
    R"({"name": "Vanish", "rule": "VanishingGradient", "status": "IssuesFound", "reason": "",
        "parameters": {"threshold": "1e-7"}, "coverage": {"tensors": 20, "steps": 7},
        "findings": [{"id": 1, "step": 3, "last_step": 3, "count": 1, "mode": "TRAIN",
          "worker": "worker_0", "tensor": "g", "value": "NaN", "threshold": 1e-07,
          "message": "m", "advice": "a"}, {"broken": true}], "notes": []})";

TEST_F(DashboardTest, ShowsJobsAndRunsOfFolders) {
  Done("CreateTrainingJob", Request());
  Write("mine/index/000000000/000000000007_worker_0.json", "{}");
  const Json runs = Get("runs")["runs"];
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0]["id"], "demo-001");
  EXPECT_EQ(runs[0]["kind"], "job");
  EXPECT_EQ(runs[0]["tags"]["team"], "ml");
  EXPECT_EQ(runs[0]["hyper_parameters"]["alpha"], "0.5");
  EXPECT_EQ(runs[0]["rules"]["running"], 2);
  EXPECT_EQ(runs[1]["name"], "mine");
  EXPECT_EQ(runs[1]["last_step"], 7);
  EXPECT_EQ(runs[1]["status"], "InProgress");  // It has just been written to.
}

TEST_F(DashboardTest, NobodyWithoutAKeyHasUsWaitForABody) {
  key.refusal_of_heads = auth::Refusal{"MissingAuthenticationTokenException", "no key"};
  http::RequestHead head;
  head.headers = {{"Host", "127.0.0.1:8080"}};
  const std::tuple<const char*, const char*, int> requests[] = {
      {"POST", "/-/api/runs/mine/marks", 401},
      {"POST", "/-/api/session/ticket", 401},
      {"GET", "/-/api/runs", 401},
      {"DELETE", "/-/api/session", 204},
      {"POST", "/-/none", 404}};
  for (const auto& [method, path, status] : requests) {
    head.method = method;
    head.path = path;
    const auto exchange = dashboard_->Begin(head);
    EXPECT_FALSE(exchange->Take("")) << method << path;
    EXPECT_EQ(exchange->Answer().status, status) << method << path;
  }
  head.method = "POST";
  head.path = "/-/api/session";
  EXPECT_TRUE(dashboard_->Begin(head)->Take("")) << "who signs in has the key in the body";
  key.refusal_of_heads = std::nullopt;
  head.path = "/-/api/runs/mine/marks";
  EXPECT_TRUE(dashboard_->Begin(head)->Take(""));
}

TEST_F(DashboardTest, TheListCanBeginWithTheNewestRuns) {
  const std::pair<const char*, int> began[] = {{"a", 100}, {"b", 300}, {"c", 200}, {"d", 300}};
  for (const auto& [name, started] : began) {
    Write(fmt::format("{}/warden/run.json", name),
          fmt::format(R"({{"command": ["a"], "started": {}, "ended": 400, "exit_code": 0}})",
                      started));
  }
  const auto names = [](const Json& list) {
    std::string all;
    for (const Json& run : list["runs"]) all += TextOf(&run["name"]) + " ";
    return all;
  };
  EXPECT_EQ(names(Get("runs?first=2")), "a b ") << "nothing is known yet";
  const Json all = Get("runs");
  EXPECT_EQ(names(all), "a b c d ");
  EXPECT_EQ(MemberOf(all, "more"), nullptr);
  Json first = Get("runs?first=3");
  EXPECT_EQ(names(first), "b d c ");
  EXPECT_EQ(first["more"], true);
  EXPECT_EQ(first["runs"][0], all["runs"][1]);
  EXPECT_EQ(first["folders"], all["folders"]);
  Done("CreateTrainingJob", Request());
  first = Get("runs?first=1");
  EXPECT_EQ(names(first), "demo-001 ");
  EXPECT_EQ(first["more"], true);
  first = Get("runs?first=5");
  EXPECT_EQ(names(first), "demo-001 b d c a ");
  EXPECT_EQ(first["more"], false);
  EXPECT_EQ(Refusal("GET", "runs?first=0"),
            "400: first is '0'; expected an integer from 1 to 1000");
}

TEST_F(DashboardTest, ListsThatHaveNotChangedAreNotSentAgain) {
  const auto tag_of = [](const http::Response& response) {
    for (const auto& [name, value] : response.headers) {
      if (name == "ETag") return value;
    }
    return std::string();
  };
  const auto write = [&](const char* name) {
    Write(fmt::format("{}/warden/run.json", name),
          R"({"command": ["a", "--lr", "1"], "started": 1, "ended": 2, "exit_code": 0})");
  };
  write("a");
  while (Get("runs-table")["pending"] != 0) std::this_thread::yield();
  for (const char* address : {"runs", "runs?first=1", "runs-table"}) {
    const http::Response first = Ask("GET", address);
    EXPECT_FALSE(first.body.empty());
    const http::Response same = Ask("GET", address, "", tag_of(first));
    EXPECT_EQ(same.status, 304) << address;
    EXPECT_EQ(same.body, "") << address;
    EXPECT_EQ(tag_of(same), tag_of(first)) << address;
  }
  const std::string before = tag_of(Ask("GET", "runs"));
  const std::string table_before = tag_of(Ask("GET", "runs-table"));
  write("b");
  // Folders are not searched for each request.
  const auto changed = [&](const char* address, const std::string& known) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    http::Response response = Ask("GET", address, "", known);
    while (response.status == 304 && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      response = Ask("GET", address, "", known);
    }
    return response;
  };
  const http::Response list = changed("runs", before);
  EXPECT_EQ(list.status, 200);
  EXPECT_NE(tag_of(list), before);
  EXPECT_EQ(changed("runs-table", table_before).status, 200);
}

TEST_F(DashboardTest, TellsWhatRulesSay) {
  Write("mine/index/000000000/000000000007_worker_0.json", "{}");
  Write("mine/rule-output/Vanish/status.json", kStatus);
  Write("mine/rule-output/Torn/status.json", "{\"name\": ");
  const std::string id = Get("runs")["runs"][0]["id"];
  const Json detail = Get("runs/" + id);
  ASSERT_EQ(detail["rules_seen"].size(), 1u);
  const Json& rule = detail["rules_seen"][0];
  EXPECT_EQ(rule["status"], "IssuesFound");
  EXPECT_EQ(rule["kind"], "debug");
  EXPECT_FALSE(TextOf(MemberOf(rule, "doc")).empty());
  EXPECT_EQ(rule["coverage"]["tensors"], 20);
  ASSERT_EQ(rule["findings"].size(), 1u);
  EXPECT_EQ(rule["findings"][0]["value"], "NaN");
  EXPECT_EQ(detail["findings"], 1);
  // The record is one of an earlier version, without a severity.
  EXPECT_EQ(rule["severity"], "problem");
  EXPECT_EQ(rule["findings"][0]["severity"], "problem");
  ASSERT_EQ(detail["incidents"].size(), 1u);
  EXPECT_EQ(detail["incidents"][0]["severity"], "problem");
  EXPECT_EQ(detail["incidents"][0]["rule"], rule["name"]);
  EXPECT_EQ(detail["incidents"][0]["since"], "step 3");
}

constexpr char kNotEvaluated[] =
    R"({{"name": "{0}", "rule": "{0}", "status": "NotEvaluated", "reason": "{1}",
        "parameters": {{}}, "coverage": {{"tensors": 0, "steps": 0}}, "findings": [],
        "notes": []}})";

TEST_F(DashboardTest, TellsRulesThatDoNotApplyFromRulesWithoutData) {
  Write("mine/index/000000000/000000000007_worker_0.json", "{}");
  Write("mine/collections/000000000/worker_0_collections.json",
        R"({"collections": {"training": {"name": "training", "include_regex": [],
            "tensor_names": ["training/epoch"]}}, "_meta": {"num_workers": 1}})");
  const std::pair<const char*, const char*> rules[] = {
      {"LowGPUUtilization", "no GPU found on this node"},
      {"BatchSize", "no GPU found on this node"},
      {"ReplicaDesync", "needs tensors from 2 workers, found 1"},
      {"TreeDepth", "no tensor matches"},
      {"NotLearning", "needs 80 training losses, found 60"}};
  for (const auto& [rule, reason] : rules) {
    Write(fmt::format("mine/rule-output/{}/status.json", rule),
          fmt::format(kNotEvaluated, rule, reason));
  }
  const Json detail = Get("runs/" + RunIdOf(options.runs[0] + "/mine"));
  std::map<std::string, bool> applies;
  for (const Json& rule : detail["rules_seen"]) applies[rule["name"]] = rule["applies"];
  EXPECT_EQ(applies, (std::map<std::string, bool>{{"LowGPUUtilization", false},
                                                  {"BatchSize", false},
                                                  {"ReplicaDesync", false},
                                                  {"TreeDepth", false},
                                                  {"NotLearning", true}}));
  EXPECT_EQ(detail["rules"]["not_evaluated"], 5);
  EXPECT_EQ(detail["rules"]["no_data"], 1);
}

TEST_F(DashboardTest, ShadowRulesHaveNoIncidents) {
  Write("mine/index/000000000/000000000007_worker_0.json", "{}");
  Json record = ParseJson(kStatus).value();
  Write("mine/rule-output/Vanish/status.json", record.dump());
  const std::string id = RunIdOf(options.runs[0] + "/mine");
  EXPECT_EQ(Get("runs/" + id)["incident_counts"]["problem"], 1);
  record["shadow"] = true;
  Write("mine/rule-output/Vanish/status.json", record.dump());
  const Json detail = Get("runs/" + id);
  EXPECT_EQ(detail["rules_seen"][0]["shadow"], true);
  EXPECT_EQ(detail["incident_counts"]["problem"], 0);
  EXPECT_EQ(detail["incidents"].size(), 0U);
}

TEST_F(DashboardTest, IncidentsSayWhatTheMachineDid) {
  Write("mine/index/000000000/000000000007_worker_0.json", "{}");
  Json record = ParseJson(kStatus).value();
  record["findings"][0]["wall_time"] = 1767268801.5;
  Write("mine/rule-output/Vanish/status.json", record.dump());
  Write("mine/profiler-output/system/incremental/2026010112/1767268800.algo-1.json",
        R"({"Type": "memory", "Name": "MemoryUsedPercent", "Dimension": "", "Value": 97.0,)"
        R"( "NodeId": "algo-1", "Timestamp": 1767268801.0})"
        "\n");
  const Json detail = Get("runs/" + RunIdOf(options.runs[0] + "/mine"));
  ASSERT_EQ(detail["incidents"].size(), 1u);
  ASSERT_EQ(detail["incidents"][0]["machine"].size(), 1u);
  EXPECT_EQ(detail["incidents"][0]["machine"][0]["text"], "host memory 97 % full");
}

TEST_F(DashboardTest, ARunThatFailedShowsItsTraceback) {
  Write("mine/index/000000000/000000000007_worker_0.json", "{}");
  const std::string id = RunIdOf(options.runs[0] + "/mine");
  EXPECT_EQ(Get("runs/" + id)["has"]["logs"], false);
  EXPECT_EQ(Get("runs/" + id + "/logs")["lines"].size(), 0U);
  Write("mine/warden/run.json",
        R"({"command": ["python", "x.py"], "started": 1, "ended": 2, "exit_code": 1})");
  Write("mine/warden/log/log.00000000000000000000",
        "1000 step 1\n1500 Traceback (most recent call last):\n1500   File \"x.py\"\n"
        "1500 ValueError: no\n");
  const Json detail = Get("runs/" + id);
  EXPECT_EQ(detail["status"], "Failed");
  EXPECT_EQ(detail["has"]["logs"], true);
  EXPECT_EQ(detail["failure_output"],
            "Traceback (most recent call last):\n  File \"x.py\"\nValueError: no\n");
  const Json logs = Get("runs/" + id + "/logs");
  ASSERT_EQ(logs["lines"].size(), 4U);
  EXPECT_EQ(logs["lines"][0]["text"], "step 1");
  EXPECT_EQ(logs["lines"][0]["time"], 1);
  EXPECT_EQ(logs["hosts"], Json({"local"}));
  EXPECT_EQ(Get("runs/" + id + "/logs?after=" + TextOf(&logs["next"]))["lines"].size(), 0U);
}

TEST_F(DashboardTest, OfALongTracebackBothEndsAreShown) {
  Write("mine/index/000000000/000000000007_worker_0.json", "{}");
  Write("mine/warden/run.json",
        R"({"command": ["python", "x.py"], "started": 1, "ended": 2, "exit_code": 1})");
  std::string log = "1000 Traceback (most recent call last):\n";
  for (int i = 0; i < 300; ++i) log += fmt::format("1000   frame {}\n", i);
  Write("mine/warden/log/log.00000000000000000000", log + "1000 RecursionError\n");
  const Json detail = Get("runs/" + RunIdOf(options.runs[0] + "/mine"));
  const std::string output = detail["failure_output"];
  EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 61);
  EXPECT_TRUE(output.starts_with("Traceback")) << output;
  EXPECT_NE(output.find("[242 lines left out]\n"), std::string::npos) << output;
  EXPECT_TRUE(output.ends_with("  frame 299\nRecursionError\n")) << output;
}

TEST_F(DashboardTest, ARunThatWasKilledHasNoRulesAtWork) {
  Write("mine/index/000000000/000000000098_worker_0.json", "{}");
  const double now = SecondsNow();
  Write("mine/warden/run.json", Json{{"command", {"python", "x.py", "--steps", "60"}},
                                     {"started", now - 9},
                                     {"ended", now + 1},
                                     {"signal", 9}}
                                    .dump());
  for (const char* rule : {"NaNOrigin", "Divergence"}) {
    Json record = ParseJson(kStatus).value();
    record["name"] = record["rule"] = rule;
    record["status"] = "InProgress";
    if (std::string_view(rule) == "Divergence") record["findings"] = Json::array();
    Write(fmt::format("mine/rule-output/{}/status.json", rule), record.dump());
  }
  const Json detail = Get("runs/" + RunIdOf(options.runs[0] + "/mine"));
  EXPECT_EQ(detail["status"], "Stopped");
  EXPECT_EQ(detail["rules"]["running"], 0);
  EXPECT_EQ(detail["rules_seen"][0]["status"], "Stopped");
  EXPECT_EQ(detail["rules_seen"][1]["status"], "IssuesFound");
  // What came after the last step was no finalization, and 60 is not the number of steps.
  EXPECT_EQ(detail["phases"].back()["name"], "without_steps");
  EXPECT_TRUE(detail["progress"]["expected"].is_null());
}

TEST_F(DashboardTest, PhasesOfACopyAreNotThoseOfCopying) {
  Write("mine/index/000000000/000000000098_worker_0.json", "{}");
  Write("mine/warden/run.json",
        R"({"command": ["a"], "started": 1000, "ended": 1100, "exit_code": 0})");
  const Json phases = Get("runs/" + RunIdOf(options.runs[0] + "/mine"))["phases"];
  const Json training{{"name", "training"}, {"start", 1000}, {"end", 1100}};
  EXPECT_EQ(phases, Json::array({training}));
}

TEST_F(DashboardTest, ARuleThatEvaluatedNothingIsNotEvaluated) {
  Done("CreateTrainingJob", Request());
  ASSERT_TRUE(store
                  ->Change("demo-001",
                           [](jobs::TrainingJob* job) {
                             jobs::SetRuleStatus(job, 0, jobs::RuleStatus::kNoIssuesFound,
                                                 "no gradients", Now());
                             return Status();
                           })
                  .ok());
  const Json rule = Get("runs/demo-001")["rules_seen"][0];
  EXPECT_EQ(rule["status"], "NotEvaluated");
  EXPECT_EQ(rule["reason"], "no gradients");
}

TEST_F(DashboardTest, IncidentsOfAJobSurviveTheRecordsOfItsRules) {
  Done("CreateTrainingJob", Request());
  const auto incident = [](const char* severity, const char* rule) {
    return Json{{"severity", severity}, {"rule", rule}, {"finding", 1}};
  };
  ASSERT_TRUE(store
                  ->Change("demo-001",
                           [&](jobs::TrainingJob* job) {
                             job->incidents = {{"a", Now(), incident("note", "BatchSize")},
                                               {"b", Now(), incident("problem", "DeadRelu")}};
                             return Status();
                           })
                  .ok());
  const Json detail = Get("runs/demo-001");
  ASSERT_EQ(detail["incidents"].size(), 2u);
  EXPECT_EQ(detail["incidents"][0]["rule"], "DeadRelu");
  EXPECT_EQ(detail["incident_counts"]["problem"], 1);
  EXPECT_EQ(detail["incident_counts"]["note"], 1);
}

TEST_F(DashboardTest, SaysWhatIsNotSentAndWhatIsMissing) {
  Done("CreateTrainingJob", Request());
  const auto rule_with = [&](jobs::RuleStatus status, const std::string& details) {
    EXPECT_TRUE(store
                    ->Change("demo-001",
                             [&](jobs::TrainingJob* job) {
                               jobs::SetRuleStatus(job, 0, status, details, Now());
                               return Status();
                             })
                    .ok());
    return Get("runs/demo-001")["rules_seen"][0];
  };
  using jobs::RuleStatus;
  const Json running = rule_with(RuleStatus::kInProgress,
                                 "Not evaluated yet: DeadRelu needs relu_output. Warning: email to "
                                 "a@b.c: no mail server configured");
  EXPECT_EQ(running["reason"], "DeadRelu needs relu_output");
  EXPECT_EQ(running["unsent"], "email to a@b.c: no mail server configured");
  const Json found = rule_with(RuleStatus::kIssuesFound, "condition being met\nNot sent: email\n");
  EXPECT_EQ(found["unsent"], "email");
  EXPECT_EQ(rule_with(RuleStatus::kIssuesFound, "condition being met\n")["unsent"], "");
}

TEST_F(DashboardTest, StopsAJob) {
  Done("CreateTrainingJob", Request());
  EXPECT_EQ(Ask("POST", "runs/demo-001/stop", "{}").status, 202);
  EXPECT_EQ(Describe()["TrainingJobStatus"], "Stopping");
  EXPECT_EQ(supervisor.woken.back(), "demo-001");
  EXPECT_EQ(Refusal("POST", "runs/demo-001/stop"),
            "400: The request was rejected because the training job is in status Stopping.");
}

TEST_F(DashboardTest, ChangesProfiling) {
  Done("CreateTrainingJob", Request());
  EXPECT_EQ(Ask("POST", "runs/demo-001/profiling", R"({"interval_ms": 100})").status, 202);
  EXPECT_EQ(Get("runs/demo-001")["profiler"]["interval_ms"], 100);
  EXPECT_EQ(Ask("POST", "runs/demo-001/profiling", R"({"enabled": false})").status, 202);
  EXPECT_EQ(Get("runs/demo-001")["profiler"]["enabled"], false);
  EXPECT_EQ(Ask("POST", "runs/demo-001/profiling", R"({"enabled": true})").status, 202);
  EXPECT_EQ(Get("runs/demo-001")["profiler"]["enabled"], true);
  EXPECT_EQ(Refusal("POST", "runs/demo-001/profiling", R"({"interval_ms": 123})"),
            "400: Invalid ProfilingIntervalInMilliseconds: 123. It must be one of 100, 200, 500, "
            "1000, 5000, 60000.");
  EXPECT_EQ(Refusal("POST", "runs/demo-001/profiling", R"({"enabled": "yes"})"),
            "400: enabled is \"yes\"; expected true or false");
  EXPECT_EQ(Refusal("POST", "runs/demo-001/profiling", "{}"),
            "400: no setting given; expected steps, enabled, interval_ms or framework");
}

TEST_F(DashboardTest, RecordsOperatorsOfTheNextStepsOfAJob) {
  Done("CreateTrainingJob", Request());
  const auto now = [this] {
    const Json parameters = Describe()["ProfilerConfig"]["ProfilingParameters"];
    return parameters["DetailedProfilingConfig"].get<std::string>();
  };
  EXPECT_EQ(Ask("POST", "runs/demo-001/profiling", R"({"steps": 10})").status, 202);
  const std::string first = now();
  EXPECT_TRUE(first.starts_with(R"({"NumSteps":10,)")) << first;
  EXPECT_EQ(Get("runs/demo-001")["control"]["details"], true);
  EXPECT_EQ(Ask("POST", "runs/demo-001/profiling", R"({"steps": 10})").status, 202);
  EXPECT_NE(now(), first);  // Ten more.
  for (const char* bad : {"0", "1001", "1.5", "\"10\"", "null", "true"}) {
    EXPECT_TRUE(Refusal("POST", "runs/demo-001/profiling", fmt::format(R"({{"steps": {}}})", bad))
                    .starts_with("400: "))
        << bad;
  }
}

TEST_F(DashboardTest, RecordsOperatorsOfARunOfAFolder) {
  Write("mine/index/000000000/000000000007_worker_0.json", "{}");
  const std::string id = Get("runs")["runs"][0]["id"];
  const std::string path = "runs/" + id + "/profiling";
  EXPECT_TRUE(Refusal("POST", path, R"({"steps": 3})").starts_with("409: the run was not started"));
  Json changed;
  options.local_runs.is_running = [](const std::string&) { return true; };
  options.local_runs.change_profiling = [&](const std::string& run, const Json& change) {
    changed = {{"run", run}, {"change", change}};
    return Status();
  };
  EXPECT_EQ(Get("runs/" + id)["control"]["details"], true);
  EXPECT_EQ(Ask("POST", path, R"({"steps": 3})").status, 202);
  EXPECT_EQ(changed["run"], options.runs[0] + "/mine");
  EXPECT_EQ(changed["change"]["DisableProfiler"], false);
  const Json& parameters = changed["change"]["ProfilingParameters"];
  EXPECT_TRUE(
      parameters["DetailedProfilingConfig"].get<std::string>().starts_with(R"({"NumSteps":3,)"));
  EXPECT_TRUE(Refusal("POST", path, R"({"enabled": false})").starts_with("409: only steps"));
  options.local_runs.change_profiling = [](const std::string&, const Json&) {
    return Status(Code::kUnavailable, "process 7 was started without profiling");
  };
  EXPECT_EQ(Refusal("POST", path, R"({"steps": 3})"),
            "409: process 7 was started without profiling");
}

TEST_F(DashboardTest, SwitchesFrameworkProfilingOnAndOff) {
  Done("CreateTrainingJob", Request());
  EXPECT_EQ(Ask("POST", "runs/demo-001/profiling", R"({"enabled": false})").status, 202);
  EXPECT_EQ(Get("runs/demo-001")["profiler"]["framework"], false);
  EXPECT_EQ(Ask("POST", "runs/demo-001/profiling", R"({"framework": true})").status, 202);
  const Json on = Get("runs/demo-001")["profiler"];
  EXPECT_EQ(on["framework"], true);
  EXPECT_EQ(on["enabled"], true);  // One without the other records nothing.
  EXPECT_EQ(Describe()["ProfilerConfig"]["ProfilingParameters"]["DetailedProfilingConfig"],
            R"({"NumSteps": 3})");
  EXPECT_EQ(Ask("POST", "runs/demo-001/profiling", R"({"framework": false})").status, 202);
  const Json off = Get("runs/demo-001")["profiler"];
  EXPECT_EQ(off["framework"], false);
  EXPECT_EQ(off["enabled"], true);  // The machine is still monitored.
  EXPECT_EQ(Refusal("POST", "runs/demo-001/profiling", R"({"framework": 1})"),
            "400: framework is 1; expected true or false");
}

TEST_F(DashboardTest, SaysWhatAJobRunsOn) {
  Json request = Request();
  request["ResourceConfig"]["InstanceType"] = "ml.p4d.24xlarge";
  request["ResourceConfig"]["InstanceCount"] = 2;
  Done("CreateTrainingJob", request);
  const Json detail = Get("runs/demo-001");
  EXPECT_EQ(detail["resources"]["ARN"], Describe()["TrainingJobArn"]);
  EXPECT_EQ(detail["resources"]["Instance type"], "2 × ml.p4d.24xlarge");
  EXPECT_EQ(detail["resources"]["Nodes"], "algo-1, algo-2");
  EXPECT_EQ(detail["outputs"]["profile"], store->Get("demo-001").value().ProfilerOutput());
}

TEST_F(DashboardTest, ProfilingThatIsSwitchedOnLaterIsShown) {
  Json request = Request();
  request["ProfilerConfig"] = {{"DisableProfiler", true}};
  request.erase("ProfilerRuleConfigurations");
  Done("CreateTrainingJob", request);
  EXPECT_TRUE(Get("runs/demo-001/metrics")["start"].is_null());
  const Json enable{{"ProfilerConfig", {{"S3OutputPath", "s3://demo-bucket/profile"}}},
                    {"TrainingJobName", "demo-001"}};
  Done("UpdateTrainingJob", enable);
  const auto places = PlacesOfJob(options, store->Get("demo-001").value());
  const fs::path file = places.profile + "/system/incremental/2023111422/1700000040.algo-1.json";
  fs::create_directories(file.parent_path());
  std::ofstream(file) << view::MomentText(1700000000, 1, 2, 3)
                      << view::MomentText(1700000001, 1, 2, 3);
  Json metrics;
  for (int i = 0; i < 200 && metrics["start"].is_null(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    metrics = Get("runs/demo-001/metrics");
  }
  EXPECT_EQ(metrics["start"], 1700000000);
}

TEST_F(DashboardTest, AddsRulesUnderNamesThatAreFree) {
  Done("CreateTrainingJob", Request());
  const std::string body = R"({"rule": "LowGPUUtilization", "parameters": {"window": 500}})";
  EXPECT_EQ(Ask("POST", "runs/demo-001/rules", body).status, 202);
  EXPECT_EQ(Ask("POST", "runs/demo-001/rules", body).status, 202);
  const Json rules = Get("runs/demo-001")["rules_seen"];
  ASSERT_EQ(rules.size(), 4u);
  EXPECT_EQ(rules[2]["name"], "LowGPUUtilization");
  EXPECT_EQ(rules[3]["name"], "LowGPUUtilization-2");
  EXPECT_TRUE(Refusal("POST", "runs/demo-001/rules", R"({"rule": "VanishingGradient"})")
                  .starts_with("400: VanishingGradient checks tensors"));
  EXPECT_TRUE(Refusal("POST", "runs/demo-001/rules", R"({"rule": "Nonsense"})").starts_with("400"));
  EXPECT_EQ(Refusal("POST", "runs/demo-001/rules",
                    R"({"rule": "CPUBottleneck", "parameters": {"cpu_threshold": "much"}})"),
            "400: CPUBottleneck: cpu_threshold is 'much'; expected a number from 0 to 100");
  EXPECT_TRUE(Refusal("POST", "runs/demo-001/rules",
                      R"({"rule": "CPUBottleneck", "parameters": {"nonsense": 1}})")
                  .starts_with("400: CPUBottleneck: unknown parameter 'nonsense'"));
}

TEST_F(DashboardTest, ARunOfAFolderIsStoppedByWhoeverRunsIt) {
  Write("mine/index/000000000/000000000007_worker_0.json", "{}");
  const std::string id = Get("runs")["runs"][0]["id"];
  EXPECT_TRUE(Refusal("POST", "runs/" + id + "/stop").starts_with("409: the run was not started"));
  EXPECT_EQ(Get("runs/" + id)["control"]["stop"], false);
  std::string stopped;
  options.local_runs.is_running = [](const std::string&) { return true; };
  options.local_runs.stop = [&](const std::string& run) {
    stopped = run;
    return Status();
  };
  EXPECT_EQ(Get("runs/" + id)["control"]["stop"], true);
  EXPECT_EQ(Ask("POST", "runs/" + id + "/stop").status, 202);
  EXPECT_EQ(stopped, options.runs[0] + "/mine");
}

TEST_F(DashboardTest, RefusesWhoMayNot) {
  http::RequestHead head;
  head.method = "GET";
  head.path = "/-/api/runs";
  head.headers = {{"Authorization", "wrong"}};
  EXPECT_EQ(dashboard_->Begin(head)->Answer().status, 401);
  key.scopes = static_cast<uint8_t>(auth::Scope::kRead);
  EXPECT_EQ(Ask("GET", "runs").status, 200);
  EXPECT_EQ(Ask("POST", "runs/demo-001/stop", "{}").status, 403);
  key.scopes = static_cast<uint8_t>(auth::Scope::kWrite);
  EXPECT_EQ(Ask("GET", "runs").status, 403);
  key.scopes = 7;
  EXPECT_EQ(Ask("GET", "runs").status, 200);
  key.limits = {.jobs = {"demo-"}, .buckets = {"demo-"}};
  for (const char* path : {"runs", "session", "live", "compare?a=demo-001", "runs/demo-001"}) {
    EXPECT_EQ(Ask("GET", path).status, 403) << path;
  }
  EXPECT_EQ(Ask("POST", "runs/demo-001/stop", "{}").status, 403);
}

TEST_F(DashboardTest, WhatIsNotThereIsNotFound) {
  EXPECT_EQ(Refusal("GET", "runs/none"), "404: no run 'none'");
  EXPECT_EQ(Refusal("GET", "runs/none.12345678"), "404: no run 'none.12345678'");
  EXPECT_EQ(Refusal("GET", "runs/..%2F..%2Fetc"), "404: no run '../../etc'");
  EXPECT_EQ(Refusal("GET", "nonsense"), "404: not found");
  Done("CreateTrainingJob", Request());
  EXPECT_EQ(Refusal("GET", "runs/demo-001/nonsense"), "404: not found");
  EXPECT_EQ(Refusal("POST", "runs/demo-001/nonsense"), "404: not found");
  EXPECT_EQ(Refusal("DELETE", "runs/demo-001"), "405: method not allowed; expected GET, POST");
}

TEST_F(DashboardTest, RecordsThatAreNoFilesAreLeftOut) {
  Write("mine/index/000000000/000000000007_worker_0.json", "{}");
  Write("mine/rule-output/Vanish/status.json", kStatus);
  const fs::path records = fs::path(options.runs[0]) / "mine/rule-output";
  for (const char* name : {"Pipe", "Zero", "Large"}) fs::create_directories(records / name);
  ASSERT_EQ(mkfifo((records / "Pipe/status.json").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", records / "Zero/status.json");
  Write("mine/rule-output/Large/status.json", "{}");
  fs::resize_file(records / "Large/status.json", uintmax_t{1} << 40);
  fs::create_directory_symlink(records / "Vanish", records / "Link");
  Write("mine/warden/x", "");
  ASSERT_EQ(mkfifo((records / "../warden/run.json").c_str(), 0600), 0);
  const std::string id = RunIdOf(options.runs[0] + "/mine");
  const Json detail = Get("runs/" + id);
  ASSERT_EQ(detail["rules_seen"].size(), 1U);
  EXPECT_EQ(detail["rules_seen"][0]["name"], "Vanish");
  EXPECT_EQ(Get("runs")["runs"].size(), 1U);
}

TEST_F(DashboardTest, WhatALinkLeadsOutOfARunIsNotShown) {
  Write("mine/index/000000000/000000000007_worker_0.json", "{}");
  Write("other/index/000000000/000000000007_worker_0.json", "{}");
  Write("other/warden/run.json", R"({"command": ["secret"], "exit_code": 1, "ended": 2})");
  Write("other/warden/log/log.00000000000000000000", "1000 secret\n");
  Write("other/profiler-output/system/file", "");
  Write("other/profiler-output/framework/file", "");
  Write("other/rule-output/Vanish/status.json", kStatus);
  Write("other/rule-output/Vanish/profiler-report.html", "secret");
  const fs::path runs(options.runs[0]);
  for (const char* part : {"warden", "profiler-output", "rule-output"}) {
    fs::create_directory_symlink(runs / "other" / part, runs / "mine" / part);
  }
  const std::string id = RunIdOf(options.runs[0] + "/mine");
  const Json detail = Get("runs/" + id);
  for (const char* what : {"metrics", "timeline", "reports", "logs"}) {
    EXPECT_EQ(detail["has"][what], false) << what;
  }
  EXPECT_EQ(detail["has"]["tensors"], true);
  EXPECT_EQ(detail["rules_seen"].size(), 0U);
  EXPECT_EQ(detail.dump().find("secret"), std::string::npos);
  EXPECT_EQ(Get("runs/" + id + "/logs")["lines"].size(), 0U);
  EXPECT_EQ(Get("runs/" + id + "/reports").size(), 0U);
}

TEST_F(DashboardTest, RecordsOfAnyJsonAreShown) {
  Write("mine/index/000000000/000000000007_worker_0.json", "{}");
  const std::string deep = std::string(60, '[') + std::string(60, ']');
  const char* const members[] = {"name",       "rule",     "status",   "reason",
                                 "parameters", "coverage", "findings", "notes"};
  const std::string values[] = {"null", "1e300", "\"\\u0000<b>\"", "[{}]", "{\"a\": [1]}",
                                "true", deep};
  int number = 0;
  for (const char* member : members) {
    for (const std::string& value : values) {
      Write(fmt::format("mine/rule-output/r{}/status.json", number++),
            fmt::format("{{\"{}\": {}, \"step\": {}}}", member, value, value));
    }
  }
  Write("mine/rule-output/bad\xff/status.json", "{}");
  Write("mine/rule-output/bytes/status.json", "{\"name\": \"\xff\xfe\"}");
  const Json detail = Get("runs/" + RunIdOf(options.runs[0] + "/mine"));
  EXPECT_GT(detail["rules_seen"].size(), 40U);
  for (const Json& rule : detail["rules_seen"]) {
    EXPECT_TRUE(rule["name"].is_string() && rule["findings"].is_array()) << rule.dump();
  }
}

TEST_F(DashboardTest, ARunWrittenAgainShowsNothingOfTheOneBefore) {
  Write("mine/index/000000000/000000000007_worker_0.json", "{}");
  const std::string id = RunIdOf(options.runs[0] + "/mine");
  const auto steps = [&] { return Get("runs/" + id + "/tensors")["ingested"]["total"]; };
  EXPECT_EQ(steps(), 1);
  fs::remove_all(fs::path(options.runs[0]) / "mine");
  Write("mine/index/000000000/000000000001_worker_0.json", "{}");
  EXPECT_EQ(steps(), 1);
  EXPECT_EQ(Get("runs/" + id)["last_step"], 1);
}

TEST_F(DashboardTest, SignsInGivesTicketsAndSignsOut) {
  const auto send = [this](const std::string& method, const std::string& path,
                           const std::string& body, http::Headers headers) {
    http::RequestHead head;
    head.method = method;
    head.path = path;
    headers.emplace_back("Host", "127.0.0.1:8080");
    head.headers = std::move(headers);
    auto exchange = dashboard_->Begin(head);
    if (!body.empty()) exchange->Take(body);
    return exchange->Answer();
  };
  EXPECT_EQ(send("POST", "/-/api/session", R"({"token": "wrong"})", {}).status, 401);
  const http::Response in = send("POST", "/-/api/session", R"({"token": "secret"})", {});
  EXPECT_EQ(in.status, 200) << in.body;
  for (const auto& [name, value] : in.headers) EXPECT_NE(name, "Set-Cookie");
  const std::string session = TextOf(MemberOf(ParseJson(in.body).value(), "session"));
  const http::Headers with_session = {{"X-Warden-Session", session}};
  const std::string path = R"({"path": "/-/api/runs"})";
  const http::Response ticket = send("POST", "/-/api/session/ticket", path, with_session);
  EXPECT_EQ(ticket.status, 200) << ticket.body;
  EXPECT_EQ(send("POST", "/-/api/session/ticket", path, {}).status, 401);
  EXPECT_EQ(send("POST", "/-/api/session/ticket", R"({"path": "/b/k"})", with_session).status, 400);
  EXPECT_EQ(send("DELETE", "/-/api/session", "", with_session).status, 204);
  EXPECT_EQ(send("POST", "/-/api/session/ticket", path, with_session).status, 401);
}

TEST_F(DashboardTest, DoesNotAnswerUnderOtherNames) {
  const auto status = [this](const std::string& path, http::Headers headers) {
    http::RequestHead head;
    head.method = "GET";
    head.path = path;
    head.headers = std::move(headers);
    return dashboard_->Begin(head)->Answer().status;
  };
  for (const char* path : {"/-/", "/-/app.js", "/-/api/runs", "/-/api/session"}) {
    EXPECT_EQ(status(path, {{"Host", "rebound.example:8080"}}), 421) << path;
    EXPECT_EQ(status(path, {{"Host", "127.0.0.1:8080"}}), 200) << path;
  }
  EXPECT_EQ(status("/-/api/runs", {{"Host", "proxy.example"}, {"Authorization", "right"}}), 200);
  options.host_names = {"proxy.example"};
  EXPECT_EQ(status("/-/", {{"Host", "proxy.example"}}), 200);
}

}  // namespace
}  // namespace warden::dashboard
