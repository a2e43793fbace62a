#include "warden/format/record.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

#include "warden/format/crc32c.h"

namespace warden::format {
namespace {

std::string Record(std::string_view payload, uint32_t check_word) {
  std::string record(AsText(RecordHeader(payload.size())));
  record += payload;
  record += AsText(RecordFooter(check_word));
  return record;
}

uint32_t TrueCheckWord(std::string_view payload) { return MaskCrc(Crc32c(AsBytes(payload))); }

TEST(Record, TensorCheckWordIsTheOriginals) {
  EXPECT_EQ(MaskCrc(Crc32c(AsBytes("0x12345678"))), kTensorCheckWord);
}

TEST(Record, FastCheckTakesBothCheckWords) {
  for (const uint32_t word : {kTensorCheckWord, TrueCheckWord("payload")}) {
    const std::string record = Record("payload", word);
    const Result<Bytes> payload = ParseRecord(AsBytes(record));
    ASSERT_TRUE(payload.ok()) << payload.status().message();
    EXPECT_EQ(AsText(payload.value()), "payload");
  }
}

TEST(Record, FullCheckTakesOnlyTheTrueSum) {
  const std::string tensor = Record("payload", kTensorCheckWord);
  EXPECT_EQ(ParseRecord(AsBytes(tensor), 0, Check::kFull).status().code(), Code::kCorrupt);
  const std::string board = Record("payload", TrueCheckWord("payload"));
  EXPECT_TRUE(ParseRecord(AsBytes(board), 0, Check::kFull).ok());
}

TEST(Record, EmptyPayload) {
  const Result<Bytes> payload = ParseRecord(AsBytes(Record("", kTensorCheckWord)));
  ASSERT_TRUE(payload.ok());
  EXPECT_TRUE(payload.value().empty());
}

TEST(Record, EveryTruncationIsTold) {
  const std::string record = Record("payload", kTensorCheckWord);
  for (size_t size = 0; size < record.size(); ++size) {
    const Result<Bytes> payload = ParseRecord(AsBytes(record).first(size), 4711);
    ASSERT_EQ(payload.status().code(), Code::kTruncated) << size;
    EXPECT_NE(payload.status().message().find("4711"), std::string::npos);
  }
}

TEST(Record, BytesAfterTheRecordAreAnError) {
  const std::string record = Record("payload", kTensorCheckWord) + "x";
  EXPECT_EQ(ParseRecord(AsBytes(record)).status().code(), Code::kCorrupt);
}

TEST(Record, FlippedBitsOutsideThePayloadAreTold) {
  const std::string good = Record("payload", kTensorCheckWord);
  for (size_t i = 0; i < good.size(); ++i) {
    if (i >= kRecordHeaderSize && i < good.size() - kRecordFooterSize) continue;
    std::string bad = good;
    bad[i] ^= 0x10;
    EXPECT_EQ(ParseRecord(AsBytes(bad)).status().code(), Code::kCorrupt) << i;
  }
}

TEST(Record, HugeLengthsDoNotOverflow) {
  for (uint64_t back = 0; back < 20; ++back) {
    const uint64_t size = std::numeric_limits<uint64_t>::max() - back;
    std::string record(AsText(RecordHeader(size)));
    record += "some payload and more";
    EXPECT_EQ(ParseRecord(AsBytes(record)).status().code(), Code::kTruncated);
    RecordReader reader(AsBytes(record));
    EXPECT_EQ(reader.Next().status().code(), Code::kTruncated);
    EXPECT_TRUE(reader.done());
  }
}

TEST(RecordReader, WalksOverAFile) {
  const std::string file = Record("one", kTensorCheckWord) + Record("", TrueCheckWord("")) +
                           Record("three", TrueCheckWord("three"));
  RecordReader reader(AsBytes(file));
  for (const std::string_view want : {"one", "", "three"}) {
    ASSERT_FALSE(reader.done());
    const Result<Bytes> payload = reader.Next();
    ASSERT_TRUE(payload.ok());
    EXPECT_EQ(AsText(payload.value()), want);
  }
  EXPECT_TRUE(reader.done());
  EXPECT_EQ(reader.offset(), file.size());
  EXPECT_EQ(reader.Next().status().code(), Code::kTruncated);
}

TEST(RecordReader, GoesOnAfterABadCheckWord) {
  const std::string file = Record("one", 12345) + Record("two", kTensorCheckWord);
  RecordReader reader(AsBytes(file));
  EXPECT_EQ(reader.Next().status().code(), Code::kCorrupt);
  EXPECT_EQ(reader.offset(), 19u);
  EXPECT_EQ(AsText(reader.Next().value()), "two");
  EXPECT_TRUE(reader.done());
}

TEST(RecordReader, StopsAtABadLength) {
  std::string file = Record("one", kTensorCheckWord) + Record("two", kTensorCheckWord);
  file[19] ^= 1;
  RecordReader reader(AsBytes(file));
  EXPECT_TRUE(reader.Next().ok());
  const Status status = reader.Next().status();
  EXPECT_EQ(status.code(), Code::kCorrupt);
  EXPECT_NE(status.message().find("byte 19"), std::string::npos) << status.message();
  EXPECT_TRUE(reader.done());
}

TEST(RecordReader, KeepsThePlaceWhereTheFileEndsEarly) {
  const std::string file = Record("one", kTensorCheckWord) + Record("two", kTensorCheckWord);
  RecordReader reader(AsBytes(file).first(30));
  EXPECT_TRUE(reader.Next().ok());
  EXPECT_EQ(reader.Next().status().code(), Code::kTruncated);
  EXPECT_TRUE(reader.done());
  EXPECT_EQ(reader.offset(), 19u);
}

}  // namespace
}  // namespace warden::format
