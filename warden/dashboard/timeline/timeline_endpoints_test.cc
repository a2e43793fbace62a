#include "warden/dashboard/timeline/timeline_endpoints.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>

#include "warden/base/json.h"
#include "warden/http/body_file.h"
#include "warden/timeline/timeline_for_test.h"

namespace warden::dashboard {
namespace {

using timeline::kRecorded;
using timeline::ProfilerFolderForTest;

class TimelineEndpointsTest : public testing::Test {
 protected:
  TimelineEndpointsTest() { Open(kRecorded / "run"); }

  void Open(const std::string& profile) {
    RunPlaces places;
    places.id = places.name = "a \"run\"\n";
    places.profile = profile;
    run_ = std::make_shared<OpenRun>(places);
  }

  http::Response Get(const std::string& path, const std::string& query = "") const {
    for (const RunEndpoint& endpoint : side_.endpoints) {
      if (endpoint.path == path) return endpoint.answer({run_, Query(query), "", {}});
    }
    ADD_FAILURE() << "there is no endpoint " << path;
    return {};
  }
  Json GetJson(const std::string& path, const std::string& query = "") const {
    const http::Response response = Get(path, query);
    EXPECT_EQ(response.status, 200) << response.body;
    auto json = ParseJson(response.body);
    EXPECT_TRUE(json.ok()) << response.body;
    return json.ok() ? json.value() : Json();
  }
  // The header of columns.
  Json GetHeader(const std::string& path, const std::string& query = "") const {
    const http::Response response = Get(path, query);
    EXPECT_EQ(response.status, 200) << response.body;
    EXPECT_EQ(response.body.substr(0, 4), "WCOL");
    uint32_t length = 0;
    std::memcpy(&length, response.body.data() + 4, sizeof length);
    auto json = ParseJson(response.body.substr(8, length));
    EXPECT_TRUE(json.ok());
    return json.ok() ? json.value() : Json();
  }
  // Reading goes on in the background.
  Json WaitUntilRead() const {
    while (true) {
      Json json = GetJson("timeline");
      if (json["state"]["done"]) return json;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  void ExpectError(int status, const std::string& words, const std::string& path,
                   const std::string& query) const {
    const http::Response response = Get(path, query);
    EXPECT_EQ(response.status, status) << path << "?" << query;
    const auto json = ParseJson(response.body);
    ASSERT_TRUE(json.ok()) << response.body;
    EXPECT_NE(json.value()["message"].get<std::string>().find(words), std::string::npos)
        << response.body;
  }

  const RunEndpoints side_ = TimelineEndpoints();
  std::shared_ptr<OpenRun> run_;
};

TEST_F(TimelineEndpointsTest, TellsOfTheRecordedRun) {
  const Json timeline = WaitUntilRead();
  EXPECT_EQ(timeline["events"], 96);
  EXPECT_LT(timeline["start"], timeline["end"]);
  const Json slices = GetHeader("timeline/slices", "width=500");
  EXPECT_EQ(slices["start"], timeline["start"]);
  EXPECT_GT(slices["names"].size(), 3u);
  EXPECT_EQ(slices["columns"][0]["name"], "track");
  EXPECT_EQ(slices["columns"][2]["type"], "f64");
  EXPECT_GT(slices["columns"][0]["length"], 10);
  const Json some = GetHeader("timeline/slices", "tracks=0,1&from=0&to=20000");
  EXPECT_LT(some["columns"][0]["length"], slices["columns"][0]["length"]);
  const Json event = GetJson("timeline/event", "id=0");
  EXPECT_EQ(event["name"], "fc1");
  EXPECT_EQ(event["connected"], Json::array());
  const Json found = GetJson("timeline/search", "q=FC1&limit=2");
  EXPECT_EQ(found["hits"].size(), 2u);
  EXPECT_GT(found["total"], 2);
  EXPECT_EQ(found["hits"][0]["name"], "fc1");
  const Json rows = GetJson("timeline/statistics")["rows"];
  EXPECT_GE(rows[0]["total"], rows[1]["total"]);
  EXPECT_LE(rows[0]["self"], rows[0]["total"]);
  EXPECT_EQ(GetHeader("timeline/arrows")["total"], 0);
}

TEST_F(TimelineEndpointsTest, FlameGraphsAndPathsOfTheRecordedRun) {
  WaitUntilRead();
  const Json flame = GetJson("timeline/flame", "limit=12");
  EXPECT_EQ(flame["nodes"][0]["kind"], "all");
  EXPECT_EQ(flame["nodes"][1]["kind"], "process");
  EXPECT_GT(flame["merged"], 0);
  EXPECT_LE(flame["nodes"].size(), 25u);
  EXPECT_EQ(flame["threads"][0]["name"], "main thread");
  EXPECT_EQ(GetJson("timeline/flame", "by=all&from=0&to=1")["nodes"][1]["kind"], "span");
  const Json path = GetJson("timeline/path", "step=2&mode=TRAIN&limit=5");
  EXPECT_EQ(path["step"], 2);
  EXPECT_LE(path["pieces"].size(), 11u);
  EXPECT_GT(path["all_pieces"], 2);
  double shares = 0;
  for (const Json& kind : path["kinds"]) shares += kind["share"].get<double>();
  EXPECT_NEAR(shares, 1, 1e-9);
  EXPECT_FALSE(path["notes"].empty());
  EXPECT_GT(GetJson("timeline/waits", "mode=TRAIN")["looked_at"], 2);
}

TEST_F(TimelineEndpointsTest, LiveTellsHowManyEventsThereAre) {
  EXPECT_EQ(side_.live_event, "timeline");
  const Json timeline = WaitUntilRead();
  EXPECT_EQ(side_.live(*run_)["events"], timeline["events"]);
  Open("");
  EXPECT_TRUE(side_.live(*run_).is_null());
  Open("/nowhere/at/all");
  EXPECT_TRUE(side_.live(*run_).is_null());
}

TEST_F(TimelineEndpointsTest, RefusesWhatMakesNoSense) {
  WaitUntilRead();
  ExpectError(400, "width is '0'", "timeline/slices", "width=0");
  ExpectError(400, "from is 'x'", "timeline/slices", "from=x");
  ExpectError(400, "to must be larger", "timeline/slices", "from=5&to=5");
  ExpectError(400, "tracks has '-1'", "timeline/slices", "tracks=1,-1");
  ExpectError(400, "tracks has 'a'", "timeline/statistics", "tracks=a");
  ExpectError(400, "id is missing", "timeline/event", "");
  ExpectError(400, "id is '-3'", "timeline/event", "id=-3");
  ExpectError(404, "no event 4000000000", "timeline/event", "id=4000000000");
  ExpectError(400, "q is missing", "timeline/search", "q=");
  ExpectError(400, "limit is '1e9'", "timeline/search", "q=a&limit=1e9");
  ExpectError(400, "limit is '-1'", "timeline/arrows", "limit=-1");
  ExpectError(400, "by is 'x'; expected thread, process or all", "timeline/flame", "by=x");
  ExpectError(400, "step is '-2'", "timeline/path", "step=-2");
  ExpectError(404, "no step 999 in the timeline; it has TRAIN of", "timeline/path", "step=999");
  ExpectError(404, "no step of mode PREDICT", "timeline/waits", "mode=PREDICT");
}

TEST_F(TimelineEndpointsTest, WindowsBeyondAllTimeAreEmpty) {
  WaitUntilRead();
  for (const std::string window :
       {"from=1e300&to=1.5e300", "from=-1e300&to=-1e299", "from=1e15&to=2e15"}) {
    EXPECT_EQ(GetHeader("timeline/slices", window)["columns"][0]["length"], 0) << window;
    EXPECT_EQ(GetJson("timeline/statistics", window)["rows"], Json::array()) << window;
    EXPECT_EQ(GetHeader("timeline/arrows", window)["total"], 0) << window;
  }
  EXPECT_GT(GetHeader("timeline/slices", "from=-1e300&to=1e300")["columns"][0]["length"], 0);
}

TEST_F(TimelineEndpointsTest, ARunWithoutProfilerIsNotFound) {
  Open("");
  for (const RunEndpoint& endpoint : side_.endpoints) {
    EXPECT_EQ(Get(endpoint.path, "id=0&q=a").status, 404) << endpoint.path;
  }
  // One whose profiler has not begun yet has nothing so far.
  Open("/nowhere/at/all");
  EXPECT_EQ(WaitUntilRead()["events"], 0);
  EXPECT_EQ(GetHeader("timeline/slices")["columns"][0]["length"], 0);
  EXPECT_EQ(Get("timeline/trace.json.gz").status, 404);
}

TEST_F(TimelineEndpointsTest, TheTraceIsATemporaryFile) {
  std::string path;
  std::string packed(10'000'000, '\0');
  {
    const http::Response response = Get("timeline/trace.json.gz");
    ASSERT_EQ(response.status, 200) << response.body;
    ASSERT_TRUE(response.file.has_value());
    path = response.file->path;
    for (const auto& [name, value] : response.headers) {
      if (name != "Content-Disposition") continue;
      EXPECT_EQ(value, "attachment; filename=\"a__run__.trace.json.gz\"");
    }
    auto file = http::BodyFile::Open(*response.file);
    ASSERT_TRUE(file.ok());
    ASSERT_EQ(file.value()->left(), response.file->length);
    packed.resize(response.file->length);
    ASSERT_TRUE(file.value()->Read(&packed));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(path).parent_path()));
  ProfilerFolderForTest folder;
  folder.Write("trace.gz", packed);
  std::string text(1 << 20, '\0');
  gzFile file = gzopen(folder.PathOf("trace.gz").c_str(), "rb");
  text.resize(gzread(file, text.data(), text.size()));
  gzclose(file);
  const auto json = ParseJson(text);
  ASSERT_TRUE(json.ok()) << json.status().message();
  EXPECT_GT(json.value().size(), 100u);
}

TEST_F(TimelineEndpointsTest, ATraceOfFilesWithoutEndIsNotMade) {
  ProfilerFolderForTest folder;
  const std::string key = "system/incremental/2023111422/1700000040.algo-1.json";
  folder.Write(key, "");
  std::filesystem::resize_file(folder.PathOf(key), uintmax_t{1} << 40);
  Open(folder.path());
  EXPECT_EQ(Get("timeline/trace.json.gz").status, 413);
}

}  // namespace
}  // namespace warden::dashboard
