#include "warden/trial/verify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/checkout_for_test.h"
#include "warden/config/manifest.h"
#include "warden/format/crc32c.h"
#include "warden/format/event_message.h"
#include "warden/format/index_file.h"
#include "warden/format/layout.h"
#include "warden/format/own_checksum.h"
#include "warden/storage/local_store.h"
#include "warden/storage/mem_store.h"

namespace warden::trial {
namespace {

constexpr std::string_view kWorker = "worker_0";

// A small run: three steps of two tensors each.
class VerifyTest : public testing::Test {
 protected:
  VerifyTest() {
    for (Step step = 0; step < 3; ++step) AddStep(step);
    Put(format::ManifestKey(kWorker), config::EncodeManifest({}));
    Put(format::kEndMarker, "");
  }

  void Put(std::string_view key, std::string_view text) {
    ASSERT_TRUE(store_->Put(key, AsBytes(text)).ok()) << key;
  }

  std::string Get(std::string_view key) {
    const auto blob = store_->ReadAll(key);
    EXPECT_TRUE(blob.ok()) << key;
    return std::string(AsText(blob.value().bytes));
  }

  static std::string Record(std::string_view tensor, Step step) {
    const std::vector<float> values = {1, 2, 3, 4};
    const std::vector<int64_t> shape = {2, 2};
    format::TensorEventHeader header;
    header.step = step;
    header.tag = tensor;
    header.mode = Mode::kTrain;
    header.mode_step = step;
    header.shape = shape;
    header.content_size = values.size() * sizeof(float);
    std::string record, tail;
    format::EncodeTensorRecord(header, &record, &tail);
    return record.append(AsText(std::as_bytes(std::span(values)))).append(tail);
  }

  void AddStep(Step step) {
    const std::string first = Record("a", step);
    const std::string second = Record("b", step);
    const std::string key = format::EventFileKey(step, kWorker);
    Put(key, first + second);
    format::IndexFile index;
    index.mode = Mode::kTrain;
    index.mode_step = step;
    index.event_file = key;
    index.entries = {{"a", 0, first.size()}, {"b", first.size(), second.size()}};
    Put(format::IndexFileKey(step, kWorker), format::EncodeIndexFile(index));
  }

  // Replaces the one place where the old text is.
  void Edit(std::string_view key, std::string_view old_text, std::string_view new_text) {
    std::string text = Get(key);
    const size_t at = text.find(old_text);
    ASSERT_NE(at, std::string::npos) << text;
    Put(key, text.replace(at, old_text.size(), new_text));
  }

  void Flip(std::string_view key, size_t offset) {
    std::string text = Get(key);
    ASSERT_LT(offset, text.size());
    text[offset] = static_cast<char>(text[offset] ^ 0x40);
    Put(key, text);
  }

  // The only problem that is found.
  Problem OnlyProblem() {
    const VerifyReport report = VerifyRun(*store_);
    EXPECT_EQ(report.problem_count, 1u);
    for (const Problem& problem : report.problems) {
      SCOPED_TRACE(problem.file + ": " + problem.message);
      EXPECT_EQ(report.problems.size(), 1u);
    }
    return report.problems.empty() ? Problem() : report.problems[0];
  }

  const std::string events_ = format::EventFileKey(1, kWorker);
  const std::string index_ = format::IndexFileKey(1, kWorker);
  const uint64_t second_ = Record("a", 1).size();  // Where the second record starts.
  std::unique_ptr<storage::Store> store_ = storage::NewMemStore();
};

TEST_F(VerifyTest, FindsNothingWrongWithAWholeRun) {
  uint64_t calls = 0;
  const VerifyReport report = VerifyRun(
      *store_, [&](const VerifyProgress& progress) { EXPECT_EQ(progress.files_done, calls++); });
  EXPECT_TRUE(report.clean());
  EXPECT_TRUE(report.notes.empty());
  EXPECT_EQ(report.files, 8u);
  EXPECT_EQ(report.records, 6u);
  EXPECT_GT(report.bytes, 6 * second_);
  EXPECT_EQ(calls, report.files);
}

TEST_F(VerifyTest, FindsABrokenLength) {
  Flip(events_, 0);
  const VerifyReport report = VerifyRun(*store_);
  // The first record is lost. The second one, which the index leads to, is not.
  ASSERT_EQ(report.problems.size(), 2u);
  for (const Problem& problem : report.problems) {
    EXPECT_EQ(problem.file, store_->Locate(events_));
    EXPECT_EQ(problem.offset, 0u);
  }
}

TEST_F(VerifyTest, FindsABrokenCheckWord) {
  Flip(events_, second_ - 1);
  const Problem problem = OnlyProblem();
  EXPECT_EQ(problem.offset, 0u);
  EXPECT_NE(problem.message.find("payload checksum mismatch"), std::string::npos)
      << problem.message;
}

TEST_F(VerifyTest, FindsABrokenPayload) {
  Flip(events_, second_ + 12);  // The tag of the message's first field.
  EXPECT_EQ(OnlyProblem().offset, second_);
}

TEST_F(VerifyTest, FindsATruncatedFile) {
  Put(events_, Get(events_).substr(0, second_ + 20));
  const VerifyReport report = VerifyRun(*store_);
  ASSERT_EQ(report.problems.size(), 2u);  // As a file, and as the index's tensor.
  EXPECT_EQ(report.problems[0].offset, second_);
  EXPECT_NE(report.problems[1].message.find("tensor 'b'"), std::string::npos);
}

TEST_F(VerifyTest, FindsAMissingEventFile) {
  ASSERT_TRUE(store_->Remove(events_).ok());
  const Problem problem = OnlyProblem();
  EXPECT_EQ(problem.file, store_->Locate(index_));
  EXPECT_NE(problem.message.find("is missing"), std::string::npos);
}

TEST_F(VerifyTest, FindsAMissingIndexFile) {
  ASSERT_TRUE(store_->Remove(index_).ok());
  EXPECT_EQ(OnlyProblem().file, store_->Locate(events_));
}

TEST_F(VerifyTest, TheLastStepOfAKilledRunIsNoDamage) {
  ASSERT_TRUE(store_->Remove(format::kEndMarker).ok());
  ASSERT_TRUE(store_->Remove(format::IndexFileKey(2, kWorker)).ok());
  const VerifyReport report = VerifyRun(*store_);
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(report.notes.size(), 2u);  // The step, and that there is no end mark.
  EXPECT_EQ(report.records, 6u);
}

TEST_F(VerifyTest, FindsAnIndexThatPointsOutsideTheFile) {
  Edit(index_, std::to_string(second_), "1" + std::to_string(second_));
  const VerifyReport report = VerifyRun(*store_);
  ASSERT_EQ(report.problems.size(), 2u);
  EXPECT_NE(report.problems[0].message.find("the file has only"), std::string::npos);
  EXPECT_NE(report.problems[1].message.find("no index entry for tensor 'a'"), std::string::npos);
}

TEST_F(VerifyTest, FindsAnIndexThatNamesOtherTensors) {
  Edit(index_, "\"a\"", "\"x\"");
  EXPECT_NE(OnlyProblem().message.find("'a', but the index lists 'x'"), std::string::npos);
}

TEST_F(VerifyTest, FindsRecordsOfAnotherStep) {
  Put(events_, Get(format::EventFileKey(2, kWorker)));
  EXPECT_EQ(VerifyRun(*store_).problem_count, 2u);
}

TEST_F(VerifyTest, FindsTwoIndexFilesOfOneEventFile) {
  Put(format::IndexFileKey(1, "worker_1"), Get(index_));
  const VerifyReport report = VerifyRun(*store_);
  EXPECT_EQ(report.problem_count, 1u);
}

TEST_F(VerifyTest, AnIndexLeadsNowhereOutsideTheRun) {
  Edit(index_, events_, "../../../../etc/passwd");
  EXPECT_FALSE(VerifyRun(*store_).clean());
}

TEST_F(VerifyTest, FindsAnIndexThatIsNotJson) {
  Put(index_, "{\"meta\": ");
  EXPECT_EQ(OnlyProblem().file, store_->Locate(index_));
}

TEST_F(VerifyTest, FindsABrokenManifest) {
  Put(format::ManifestKey(kWorker), "{");
  EXPECT_EQ(OnlyProblem().file, store_->Locate(format::ManifestKey(kWorker)));
}

TEST_F(VerifyTest, FindsMissingManifests) {
  config::Manifest manifest;
  manifest.num_workers = 2;
  Put(format::ManifestKey(kWorker), config::EncodeManifest(manifest));
  EXPECT_NE(OnlyProblem().message.find("1 of 2 collections files"), std::string::npos);
  Put(format::ManifestKey("worker_1"), config::EncodeManifest({}));
  EXPECT_NE(OnlyProblem().message.find("disagree"), std::string::npos);
}

TEST_F(VerifyTest, FindsAnyChangeOfATensorBoardFile) {
  std::string record;
  format::EncodeScalarRecord(0, 1, "loss", 0.5, &record);
  const std::string key = "tensorboard/TRAIN/000000000001_1_host.tfevents";
  Put(key, record);
  EXPECT_TRUE(VerifyRun(*store_).clean());
  for (size_t at = 0; at < record.size(); ++at) {
    Put(key, record);
    Flip(key, at);
    EXPECT_FALSE(VerifyRun(*store_).clean()) << at;
  }
}

TEST_F(VerifyTest, NotesWhatIsNoneOfARunsFiles) {
  for (const char* key :
       {"README", "index/junk", "events/junk", "collections/x", "tensorboard/x"}) {
    Put(key, "junk");
  }
  Put(format::kClaim, "1 host");
  const VerifyReport report = VerifyRun(*store_);
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(report.notes.size(), 6u);
}

TEST_F(VerifyTest, AFileThatIsJunkAllOverEnds) {
  std::string junk;
  for (int i = 0; i < 100'000; ++i) junk += static_cast<char>(i * 7919 >> 3);
  Put(events_, junk);
  Put(index_, junk);
  EXPECT_FALSE(VerifyRun(*store_).clean());
}

TEST(VerifyGoldenTest, RecordedRunsAreClean) {
  namespace fs = std::filesystem;
  int runs = 0;
  for (const fs::directory_entry& run : fs::directory_iterator(SourceFile("tests/golden"))) {
    if (!fs::exists(run.path() / "trial")) continue;
    ++runs;
    const auto store = storage::NewLocalStore((run.path() / "trial").string());
    const VerifyReport report = VerifyRun(*store);
    EXPECT_GT(report.records, 0u);
    for (const Problem& problem : report.problems) {
      ADD_FAILURE() << problem.file << ": " << problem.offset.value_or(0) << ": "
                    << problem.message;
    }
  }
  EXPECT_GT(runs, 0);
}

TEST_F(VerifyTest, AChangedValueIsFoundByItsChecksum) {
  const std::string key = format::EventFileKey(1, kWorker);
  const std::string events = Get(key);
  const std::string index_key = format::IndexFileKey(1, kWorker);
  Edit(index_key, "tfevents\"",
       fmt::format("tfevents\", \"event_file_crc32c\": {}", format::Crc32c(AsBytes(events))));
  EXPECT_TRUE(VerifyRun(*store_).clean());
  // Every bit of the file: of headers, of names and of values.
  for (size_t bit = 0; bit < 8 * events.size(); bit += 5) {
    std::string flipped = events;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    Put(key, flipped);
    EXPECT_FALSE(VerifyRun(*store_).clean()) << bit;
  }
}

// Of an index file and of a collections file, which end with their own checksums.
TEST_F(VerifyTest, AnyFlippedBitBesideTheValuesIsFound) {
  config::Manifest manifest;
  manifest.collections["losses"].include_regex = {"loss"};
  manifest.roles["labels"] = {"Loss_input_1"};
  const std::string manifest_key = format::ManifestKey(kWorker);
  Put(manifest_key, format::WithOwnChecksum(config::EncodeManifest(manifest), "}}"));
  Put(index_, format::WithOwnChecksum(Get(index_), "}"));
  ASSERT_TRUE(VerifyRun(*store_).clean());
  for (const std::string& key : {index_, manifest_key}) {
    const std::string text = Get(key);
    for (size_t bit = 0; bit < 8 * text.size(); bit += 7) {
      std::string flipped = text;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      Put(key, flipped);
      EXPECT_FALSE(VerifyRun(*store_).clean()) << flipped;
    }
    Put(key, text);
  }
}

// Cuts an object in half after it was opened for the first time.
class ShorteningStore final : public storage::Store {
 public:
  ShorteningStore(storage::Store* base, std::string key) : base_(base), key_(std::move(key)) {}

  Result<std::shared_ptr<const storage::Object>> Open(std::string_view key) const override {
    auto object = base_->Open(key);
    if (object.ok() && key == key_ && !std::exchange(cut_, true)) {
      const auto half = object.value()->Read(0, object.value()->size() / 2);
      EXPECT_TRUE(base_->Put(key, half.value().bytes).ok());
    }
    return object;
  }
  std::string Locate(std::string_view key) const override { return base_->Locate(key); }
  Result<std::vector<std::string>> List(std::string_view prefix,
                                        std::string_view after) const override {
    return base_->List(prefix, after);
  }
  bool Exists(std::string_view key) const override { return base_->Exists(key); }
  Result<std::unique_ptr<storage::ObjectWriter>> Create(std::string_view key) override {
    return base_->Create(key);
  }
  Status PutIfAbsent(std::string_view key, Bytes body) override {
    return base_->PutIfAbsent(key, body);
  }
  Status Remove(std::string_view key) override { return base_->Remove(key); }
  Result<std::unique_ptr<storage::Watch>> WatchPrefix(std::string_view prefix) const override {
    return base_->WatchPrefix(prefix);
  }

 private:
  storage::Store* const base_;
  const std::string key_;
  mutable bool cut_ = false;
};

TEST_F(VerifyTest, AFileThatIsShortenedMeanwhileIsDamaged) {
  const std::string key = format::EventFileKey(1, kWorker);
  const size_t size = Get(key).size();
  const VerifyReport report = VerifyRun(ShorteningStore(store_.get(), key), {});
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_EQ(report.problems[0].offset, size / 2);
  EXPECT_EQ(report.problems[0].message, "the file was shortened while it was read");
}

}  // namespace
}  // namespace warden::trial
