#include "warden/dashboard/site/live_hub.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>

#include "warden/dashboard/tensors/tensor_endpoints.h"
#include "warden/jobs/db/store_for_test.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

// A page at the other end.
class Page : public http::LivePipe {
 public:
  bool Send(std::string piece) override {
    const std::lock_guard lock(mutex_);
    if (gone_) return false;
    text_ += piece;
    return true;
  }
  void Close() override {
    const std::lock_guard lock(mutex_);
    gone_ = true;
  }
  std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }
  bool Has(const std::string& piece) const { return text().find(piece) != std::string::npos; }

 private:
  mutable std::mutex mutex_;
  std::string text_;
  bool gone_ = false;
};

class LiveHubTest : public testing::Test {
 protected:
  LiveHubTest() { options_.runs = {folder_.folder()}; }

  void Write(const std::string& path, const std::string& text) {
    const fs::path file = fs::path(folder_.folder()) / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::string IdOf(const std::string& name) {
    return RunIdOf((fs::path(folder_.folder()) / name).string());
  }
  // A page that shows the run; none: the list.
  static std::shared_ptr<Page> PageOf(LiveHub* hub, const std::string& run) {
    const auto page = std::make_shared<Page>();
    hub->Add(page, run);
    return page;
  }
  static bool Wait(const std::function<bool()>& until) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!until()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  }

  jobs::StoreFolder folder_;
  service::ServiceOptions options_;
  RunSet runs_{&options_, nullptr};
  SummaryTexts summaries_{"", ""};
  const std::vector<RunEndpoints> sides_{TensorEndpoints()};
};

constexpr char kStep[] = "/index/000000000/000000000003_worker_0.json";
constexpr char kFinding[] =
    R"({"name": "Vanish", "rule": "VanishingGradient", "status": "IssuesFound", "findings": [{
        "id": 1, "step": 3, "last_step": 3, "count": 1, "mode": "TRAIN", "worker": "worker_0",
        "tensor": "g", "value": 1, "threshold": 2, "message": "it vanishes", "advice": "a"}]})";

TEST_F(LiveHubTest, TellsWhatChanges) {
  Write(std::string("a") + kStep, "{}");
  LiveHub hub(&options_, nullptr, &runs_, &summaries_, &sides_);
  const auto list = PageOf(&hub, "");
  const auto page = PageOf(&hub, IdOf("a"));
  ASSERT_TRUE(Wait([&] { return page->Has("event: steps"); })) << page->text();
  EXPECT_FALSE(list->Has("event: steps"));
  Write("a/rule-output/Vanish/status.json", kFinding);
  ASSERT_TRUE(Wait([&] { return page->Has("it vanishes"); })) << page->text();
  // Whoever has the list is told of runs that come and of those that go.
  const auto told = [&] {
    size_t count = 0;
    const std::string text = list->text();
    for (size_t at = text.find("event: runs"); at != std::string::npos; ++count) {
      at = text.find("event: runs", at + 1);
    }
    return count;
  };
  ASSERT_TRUE(Wait([&] { return told() > 0; }));
  const size_t before = told();
  Write(std::string("b") + kStep, "{}");
  ASSERT_TRUE(Wait([&] { return told() > before; }));
  const size_t with_b = told();
  fs::remove_all(fs::path(folder_.folder()) / "b");
  EXPECT_TRUE(Wait([&] { return told() > with_b; }));
}

TEST_F(LiveHubTest, WhatChangesAfterTheGreetingIsTold) {
  Write(std::string("a") + kStep, "{}");
  LiveHub hub(&options_, nullptr, &runs_, &summaries_, &sides_);
  const auto list = PageOf(&hub, "");
  const auto page = PageOf(&hub, IdOf("a"));
  ASSERT_TRUE(Wait([&] { return list->Has("event: hello") && page->Has("event: hello"); }));
  Write("a/rule-output/Vanish/status.json", kFinding);
  EXPECT_TRUE(Wait([&] { return page->Has("it vanishes"); })) << page->text();
  EXPECT_TRUE(Wait([&] { return list->Has("event: runs"); })) << list->text();
}

TEST_F(LiveHubTest, ARunWrittenAgainIsToldAnew) {
  Write(std::string("a") + kStep, "{}");
  Write("a/rule-output/Vanish/status.json", kFinding);
  LiveHub hub(&options_, nullptr, &runs_, &summaries_, &sides_);
  const auto page = PageOf(&hub, IdOf("a"));
  ASSERT_TRUE(Wait([&] { return page->Has(R"("last_step":3)"); })) << page->text();
  EXPECT_FALSE(page->Has("it vanishes")) << "it was there before";
  fs::remove_all(fs::path(folder_.folder()) / "a");
  Write("a/index/000000000/000000000001_worker_0.json", "{}");
  Write("a/rule-output/Vanish/status.json", kFinding);
  EXPECT_TRUE(Wait([&] { return page->Has(R"("last_step":1)"); })) << page->text();
  EXPECT_TRUE(Wait([&] { return page->Has("it vanishes"); })) << page->text();
}

TEST_F(LiveHubTest, LetsGoOfPagesThatHaveGone) {
  Write(std::string("a") + kStep, "{}");
  LiveHub hub(&options_, nullptr, &runs_, &summaries_, &sides_);
  std::vector<std::weak_ptr<Page>> pages;
  for (const std::string& run : {std::string(), IdOf("a"), std::string("none.00000000")}) {
    const auto page = PageOf(&hub, run);
    ASSERT_TRUE(Wait([&] { return page->Has("event: hello"); }));
    page->Close();
    pages.push_back(page);
  }
  for (const auto& page : pages) EXPECT_TRUE(Wait([&] { return page.expired(); }));
}

TEST_F(LiveHubTest, EndsWhileMoreCome) {
  Write(std::string("a") + kStep, "{}");
  for (int i = 0; i < 5; ++i) {
    auto hub = std::make_shared<LiveHub>(&options_, nullptr, &runs_, &summaries_, &sides_);
    std::atomic<bool> stop = false;
    std::vector<std::shared_ptr<Page>> pages;
    std::thread adder([&, weak = std::weak_ptr(hub)] {
      while (!stop) {
        const auto there = weak.lock();
        if (!there) return;
        pages.push_back(std::make_shared<Page>());
        there->Add(pages.back(), pages.size() % 2 == 0 ? "" : IdOf("a"));
      }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    hub.reset();
    stop = true;
    adder.join();
    for (const auto& page : pages) EXPECT_FALSE(page->Send("")) << "it was not closed";
  }
}

}  // namespace
}  // namespace warden::dashboard
