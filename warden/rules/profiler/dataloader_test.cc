#include "warden/rules/profiler/profiler_for_test.h"

namespace warden::rules {
namespace {

class DataloaderTest : public ProfilerRuleTest {
 protected:
  // Workers that load one batch in each second.
  void Load(int workers, int seconds, const std::string& node = "algo-1-88") {
    for (int second = 0; second < seconds; ++second) {
      for (int worker = 0; worker < workers; ++worker) {
        timeline::Span span = SpanOf("DataLoaderWorker", "fetch", second + 0.1, 0.5, node);
        span.worker = worker;
        span.num_workers = workers;
        span.pid = 1000 + worker;
        See(span);
      }
    }
  }
};

TEST_F(DataloaderTest, TooFew) {
  Use("Dataloader");
  See({.cores = 8});
  Load(5, 20);
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].worker, "algo-1");
  EXPECT_EQ(Findings()[0].value, 5);
  EXPECT_DOUBLE_EQ(Findings()[0].threshold, 5.6);
  EXPECT_EQ(Findings()[0].message,
            "5 data loader workers were active at a time (median over 20 s), below 5.6, which is "
            "70 % of 8 cores at 22:13:39 UTC");
  EXPECT_EQ(TheResult().violations, 20);
  EXPECT_EQ(TheResult().datapoints, 20);
}

TEST_F(DataloaderTest, EnoughAndTooMany) {
  for (const int workers : {6, 16}) {
    Use("Dataloader");
    See({.cores = 8});
    Load(workers, 20);
    Evaluate();
    EXPECT_TRUE(Evaluated());
    EXPECT_TRUE(Findings().empty()) << workers;
  }
  Use("Dataloader");
  See({.cores = 8});
  Load(17, 20);
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_NE(Findings()[0].message.find("above 16, which is 200 % of 8 cores"), std::string::npos);
}

TEST_F(DataloaderTest, WorkersOfAllProcessesOfAHost) {
  Use("Dataloader");
  See({.cores = 8});
  Load(3, 20, "algo-1-88");
  Load(3, 20, "algo-1-89");
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
  EXPECT_EQ(Details()["dataloaders"], 6);
}

TEST_F(DataloaderTest, AMachineThatTheTimelineCallsByItsName) {
  Use("Dataloader");
  Load(3, 20, "88-big");  // Before there are metrics.
  See({.cores = 8});
  Load(3, 20, "89-big");
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
  EXPECT_EQ(Details()["dataloaders"], 6);
  EXPECT_EQ(Details()["cores"], 8);
}

TEST_F(DataloaderTest, ProcessesWhereNoWorkerIsNamed) {
  Use("Dataloader");
  See({.cores = 4});
  for (int second = 0; second < 20; ++second) {
    timeline::Span span = SpanOf("DataLoaderIter", "Iter::GetNext", second, 0.25);
    span.num_workers = 0;
    span.pid = 88;
    See(span);
  }
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].value, 1);
  EXPECT_EQ(Details()["num_workers"], 0);
}

TEST_F(DataloaderTest, TheMedianOverSeconds) {
  Use("Dataloader");
  See({.cores = 4});
  Load(1, 400);  // More than are kept open.
  for (int second = 0; second < 400; ++second) {
    if (second % 4 == 0) continue;
    timeline::Span span = SpanOf("DataLoaderWorker", "fetch", 1000 + second, 0.5);
    for (span.worker = 0; span.worker < 4; ++span.worker) See(span);
  }
  Evaluate();
  EXPECT_EQ(Details()["seconds"], 700);
  EXPECT_EQ(Details()["dataloaders"], 1);  // In 400 of 700 seconds.
}

TEST_F(DataloaderTest, ASpanOverSeveralSeconds) {
  Use("Dataloader");
  timeline::Span span = SpanOf("DataLoaderWorker", "fetch", 0.5, 11.5);
  span.worker = 0;
  See(span);
  EXPECT_EQ(Details()["seconds"], 12);
}

TEST_F(DataloaderTest, NotEvaluated) {
  Use("Dataloader");
  See({.cores = 8});
  Evaluate();
  EXPECT_EQ(WhyNot(), "no data loader found in the timeline");
  Load(2, 10);
  Evaluate();
  EXPECT_EQ(WhyNot(), "needs 11 seconds of data loading, found 10");
  Use("Dataloader");
  Load(2, 20);
  Evaluate();
  EXPECT_EQ(WhyNot(),
            "the number of CPU cores is unknown: no system metrics were saved; add "
            "--profile system");
  See({.cores = 2});
  Evaluate();
  EXPECT_TRUE(Evaluated());
}

TEST_F(DataloaderTest, Details) {
  Use("Dataloader");
  EXPECT_EQ(Details(), Json::parse(R"({"pin_memory": null, "num_workers": null, "prefetch": null,
                                       "cores": 0, "dataloaders": 0, "seconds": 0,
                                       "dataloading_time": {}})"));
  See({.cores = 8});
  Load(2, 20);
  for (int i = 0; i <= 100; ++i) {
    timeline::Span span = SpanOf("DataLoaderIter", "Iter::GetNext", i * 0.1, 0.01 * i);
    span.num_workers = 2;
    span.pinned = 1;
    See(span);
  }
  const Json details = Details();
  EXPECT_EQ(details["pin_memory"], true);
  EXPECT_EQ(details["num_workers"], 2);
  EXPECT_EQ(details["cores"], 8);
  EXPECT_EQ(details["dataloaders"], 2);
  const Json times = details["dataloading_time"];
  EXPECT_EQ(KeysOf(times), (std::vector<std::string>{"p25", "p50", "p95", "probs", "binedges"}));
  EXPECT_EQ(times["p25"], 0.25);
  EXPECT_EQ(times["p95"], 0.95);
  EXPECT_EQ(times["probs"].size(), 100u);
  EXPECT_EQ(times["binedges"].size(), 101u);
  EXPECT_EQ(TheResult().parameters, "min_threshold:70\nmax_threshold:200");
}

TEST_F(DataloaderTest, Refused) {
  EXPECT_EQ(Refusal("Dataloader:min_threshold=80;max_threshold=70"),
            "Dataloader: min_threshold is 80; expected at most max_threshold (70)");
}

}  // namespace
}  // namespace warden::rules
