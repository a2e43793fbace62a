#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "warden/dashboard/site/dashboard.h"
#include "warden/dashboard/site/places.h"
#include "warden/sagemaker/operations/api_for_test.h"
#include "warden/storage/store.h"
#include "warden/trial/trial_for_test.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

// What pages change of runs, and what their list shows of the runs' numbers.
class RunChangesTest : public sagemaker::ApiTest {
 protected:
  RunChangesTest() {
    options.data = folder.folder();
    options.runs = {folder.folder() + "/runs"};
    fs::create_directories(options.runs[0]);
    Serve();
  }

  // Anew, with the options as they are now.
  void Serve() {
    dashboard_.reset();
    dashboard_ = MakeDashboard({&options, &key, store.get(), &launcher, &supervisor},
                               Sessions(&key, os::Secret("secret"), {}));
  }

  std::string PathOf(const std::string& name) const { return options.runs[0] + "/" + name; }
  std::string IdOf(const std::string& name) const { return RunIdOf(PathOf(name)); }
  // A run that has ended.
  std::string MakeRun(const std::string& name) {
    const auto run = storage::OpenStore(PathOf(name)).value();
    trial::RunBuilder builder(run.get());
    builder.Manifests(1);
    builder.Step(0, 0, {{"scalar/accuracy", 0.5F}});
    builder.Step(4, 0, {{"scalar/accuracy", 0.25F}});
    builder.Put("warden/run.json", R"({"command": ["python", "x.py", "--lr", "0.1"],
                                       "started": 1, "ended": 2, "exit_code": 0})");
    builder.End();
    return IdOf(name);
  }

  // "200 {...}".
  std::string Say(const std::string& method, const std::string& path, const std::string& body = "",
                  const std::string& query = "") {
    http::RequestHead head;
    head.method = method;
    head.path = "/-/api/" + path;
    head.query = query;
    head.headers = {{"Authorization", "right"}};
    auto exchange = dashboard_->Begin(head);
    if (!body.empty()) exchange->Take(body);
    const http::Response response = exchange->Answer();
    return std::to_string(response.status) + " " + response.body;
  }
  Json Got(const std::string& path, const std::string& query = "") {
    const std::string answer = Say("GET", path, "", query);
    EXPECT_TRUE(answer.starts_with("200 ")) << path << ": " << answer;
    auto json = ParseJson(answer.substr(4));
    return json.ok() ? json.value() : Json();
  }
  // When nothing is pending any more.
  Json WholeTable() {
    Json table = Got("runs-table");
    while (table["pending"] != 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      table = Got("runs-table");
    }
    return table;
  }

  std::unique_ptr<http::Handler> dashboard_;
};

TEST_F(RunChangesTest, MarksAreShownAndStayInTheRun) {
  const std::string id = MakeRun("a");
  EXPECT_EQ(Got("runs")["runs"][0]["marks"], (Json{{"display_name", ""},
                                                   {"tags", Json::array()},
                                                   {"note", ""},
                                                   {"archived", false},
                                                   {"baseline", false}}));
  const std::string changed =
      Say("POST", "runs/" + id + "/marks", R"({"tags": ["b", "a"], "baseline": true})");
  EXPECT_TRUE(changed.starts_with("200 ")) << changed;
  Say("POST", "runs/" + id + "/marks", R"({"note": "the best so far", "tags": ["c"]})");
  const Json marks = Got("runs")["runs"][0]["marks"];
  EXPECT_EQ(marks["tags"], Json({"c"}));
  EXPECT_EQ(marks["baseline"], true);
  EXPECT_EQ(Got("runs/" + id)["marks"], marks);
  EXPECT_TRUE(fs::exists(PathOf("a") + "/warden/marks.json"));
  EXPECT_EQ(Say("POST", "runs/" + id + "/marks", R"({"archived": 1})"),
            R"(400 {"message":"archived is 1; expected true or false"})");
  EXPECT_TRUE(Say("POST", "runs/" + id + "/marks", "{").starts_with("400 "));
  EXPECT_TRUE(Say("POST", "runs/none.12345678/marks", "{}").starts_with("404 "));
}

TEST_F(RunChangesTest, JobsHaveMarksButAreNotDeletedHere) {
  Done("CreateTrainingJob", Request());
  EXPECT_TRUE(Say("POST", "runs/demo-001/marks", R"({"note": "first"})").starts_with("200 "));
  EXPECT_EQ(Got("runs/demo-001")["marks"]["note"], "first");
  EXPECT_EQ(Say("POST", "runs/demo-001/delete"),
            "409 {\"message\":\"demo-001 is a job of this service; delete it with 'warden jobs rm "
            "demo-001'\"}");
}

TEST_F(RunChangesTest, OnlyWhoMayWriteChangesRuns) {
  const std::string id = MakeRun("a");
  key.scopes = static_cast<uint8_t>(auth::Scope::kRead);
  for (const std::string& path :
       {"runs/" + id + "/marks", "runs/" + id + "/delete", "trash/" + id + "/restore"}) {
    EXPECT_TRUE(Say("POST", path, "{}").starts_with("403 ")) << path;
  }
  EXPECT_TRUE(fs::exists(PathOf("a")));
}

TEST_F(RunChangesTest, DeletedRunsComeBack) {
  const std::string id = MakeRun("a");
  MakeRun("b");
  Say("POST", "runs/" + id + "/marks", R"({"note": "kept"})");
  const std::string answer = Say("POST", "runs/" + id + "/delete");
  ASSERT_TRUE(answer.starts_with("200 ")) << answer;
  ASSERT_EQ(Got("runs")["runs"].size(), 1u);
  EXPECT_TRUE(Say("GET", "runs/" + id).starts_with("404 "));
  const Json trash = Got("trash");
  ASSERT_EQ(trash.size(), 1u);
  EXPECT_EQ(trash[0]["id"], id);
  EXPECT_EQ(trash[0]["name"], "a");
  EXPECT_EQ(trash[0]["folder"], PathOf("a"));
  EXPECT_EQ(trash[0]["purged"].get<double>() - trash[0]["deleted"].get<double>(), 7 * 86400);
  EXPECT_EQ(Say("POST", "trash/none.1/restore"), R"(404 {"message":"no deleted run 'none.1'"})");
  EXPECT_TRUE(Say("GET", "trash/" + id + "/restore").starts_with("405 "));
  EXPECT_TRUE(Say("POST", "trash/" + id + "/restore").starts_with("200 "));
  EXPECT_EQ(Got("runs/" + id)["marks"]["note"], "kept");
  EXPECT_EQ(Got("trash"), Json::array());
}

TEST_F(RunChangesTest, WhatIsInUseIsNotDeleted) {
  // It has just been written to, and nothing says that it has ended.
  const std::string live = "live";
  fs::create_directories(PathOf(live) + "/index/000000000");
  std::ofstream(PathOf(live) + "/index/000000000/000000000007_worker_0.json") << "{}";
  const std::string refused = Say("POST", "runs/" + IdOf(live) + "/delete");
  EXPECT_TRUE(refused.starts_with("409 ") && refused.find("still running") != std::string::npos)
      << refused;
  const std::string id = MakeRun("alone");
  dashboard_.reset();
  options.runs.push_back(PathOf("alone"));
  Serve();
  const std::string alone = Say("POST", "runs/" + id + "/delete");
  EXPECT_TRUE(alone.starts_with("409 ") && alone.find("given with --runs") != std::string::npos)
      << alone;
  EXPECT_TRUE(fs::exists(PathOf("alone")));
}

TEST_F(RunChangesTest, TheTableHasScalarsAndHyperParameters) {
  const std::string id = MakeRun("a");
  Done("CreateTrainingJob", Request());
  const Json table = WholeTable();
  EXPECT_EQ(table["runs"][id], (Json{{"hyper_parameters", {{"lr", "0.1"}}},
                                     {"scalars", {{"accuracy", {0.25, 0.25, 0.5, 4, 4, 0}}}}}));
  EXPECT_EQ(Got("runs/" + id + "/facts"), (Json{{"hyper_parameters", {{"lr", "0.1"}}}}));
  std::ofstream(PathOf("a") + "/warden/origin.json") << R"({"directory": "/x"})";
  EXPECT_EQ(Got("runs/" + id + "/facts")["directory"], "/x");
  EXPECT_EQ(Got("runs/demo-001/facts")["hyper_parameters"]["alpha"], "0.5");
  EXPECT_EQ(table["runs"]["demo-001"]["hyper_parameters"]["alpha"], "0.5");
  // Runs that were deleted are in it no more.
  Say("POST", "runs/" + id + "/delete");
  EXPECT_FALSE(WholeTable()["runs"].contains(id));
}

TEST_F(RunChangesTest, TheTableIsKnownAfterARestart) {
  const std::string id = MakeRun("a");
  const Json before = WholeTable();
  Serve();
  const Json after = Got("runs-table", "at=min:accuracy");
  EXPECT_EQ(after["pending"], 0);
  EXPECT_EQ(after["runs"][id]["scalars"], before["runs"][id]["scalars"]);
  EXPECT_EQ(after["runs"][id]["at"]["min:accuracy"]["accuracy"], 0.25);
  // What has changed is read again, and what another version or a broken disk left is not used.
  fs::remove(PathOf("a") + "/warden/run.json");
  std::ofstream(PathOf("a") + "/warden/run.json") << R"({"command": ["x", "--lr", "0.5"]})";
  EXPECT_EQ(WholeTable()["runs"][id]["hyper_parameters"]["lr"], "0.5");
  dashboard_.reset();
  std::ofstream(options.data + "/runs.jsonl") << R"({"version": "0"})"
                                                 "\nbroken\n";
  Serve();
  EXPECT_EQ(Got("runs-table")["pending"], 1);
  EXPECT_EQ(WholeTable()["runs"][id]["hyper_parameters"]["lr"], "0.5");
}

TEST_F(RunChangesTest, TheTableTellsWhatScalarsWereAtTheBestOfAnother) {
  const std::string id = MakeRun("a");
  const Json table = (WholeTable(), Got("runs-table", "at=max:accuracy&at=min:accuracy&at=min:x"));
  EXPECT_EQ(table["runs"][id]["at"],
            (Json{{"max:accuracy", {{"accuracy", 0.5}}}, {"min:accuracy", {{"accuracy", 0.25}}}}));
  EXPECT_EQ(table["runs"][id]["scalars"]["accuracy"][0], 0.25);
  EXPECT_FALSE(Got("runs-table")["runs"][id].contains("at"));
  EXPECT_EQ(Got("runs-table", "at=min:x")["runs"][id]["at"], Json::object());
}

}  // namespace
}  // namespace warden::dashboard
