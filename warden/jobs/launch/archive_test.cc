// Taking archives apart and making them.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include "warden/jobs/launch/extract.h"
#include "warden/jobs/launch/launch_for_test.h"
#include "warden/jobs/launch/pack.h"
#include "warden/jobs/launch/tar_header.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

// An archive as anybody could send it.
class Evil {
 public:
  Evil& Add(TarHeader header, const std::string& content = "") {
    if (content.size() > header.size) header.size = content.size();
    const TarBlock block = MakeTarHeader(header);
    bytes_.append(block.data(), block.size());
    bytes_ += content;
    bytes_.append(TarPadding(content.size()), '\0');
    return *this;
  }
  Evil& File(const std::string& name, const std::string& content) {
    return Add({name, "", '0', 0644, 0, 0}, content);
  }
  Evil& Link(char type, const std::string& name, const std::string& to) {
    return Add({name, to, type, 0777, 0, 0});
  }
  std::string bytes() const { return bytes_ + std::string(2 * kTarBlock, '\0'); }

 private:
  std::string bytes_;
};

class ArchiveTest : public testing::Test {
 protected:
  ArchiveTest() : into_(temp_.path() / "into"), archive_(temp_.path() / "a.tar.gz") {
    fs::create_directories(into_);
  }

  Status Extract(const Evil& evil, const ExtractLimits& limits = {}) {
    return ExtractBytes(evil.bytes(), limits);
  }
  Status ExtractBytes(const std::string& bytes, const ExtractLimits& limits = {}) {
    gzFile file = gzopen(archive_.c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    return ExtractTar(archive_, into_, limits);
  }

  const os::TempFolder temp_;
  const fs::path into_;
  const fs::path archive_;
};

TEST_F(ArchiveTest, WhatTarMakesIsTakenApart) {
  const std::string longest(90, 'n');
  WriteText(temp_.path() / "from/a/b.txt", "content");
  WriteText(temp_.path() / "from" / longest / longest / "x", "deep");
  WriteText(temp_.path() / "from/run.sh", "exit 0");
  chmod((temp_.path() / "from/run.sh").c_str(), 0755);
  fs::create_symlink("b.txt", temp_.path() / "from/a/link");
  fs::create_hard_link(temp_.path() / "from/run.sh", temp_.path() / "from/second.sh");
  for (const char* format : {"gnu", "pax", "ustar"}) {
    fs::remove_all(into_);
    fs::create_directories(into_);
    const std::string command = "cd " + (temp_.path() / "from").string() +
                                " && tar --format=" + format + " -czf " + archive_.string() + " .";
    ASSERT_EQ(std::system(command.c_str()), 0);
    const Status status = ExtractTar(archive_, into_);
    ASSERT_TRUE(status.ok()) << format << ": " << status.message();
    EXPECT_EQ(ReadText(into_ / "a/b.txt"), "content");
    EXPECT_EQ(ReadText(into_ / "a/link"), "content");
    EXPECT_EQ(ReadText(into_ / "second.sh"), "exit 0");
    EXPECT_EQ(ReadText(into_ / longest / longest / "x"), "deep") << format;
    EXPECT_EQ(access((into_ / "run.sh").c_str(), X_OK), 0);
  }
}

TEST_F(ArchiveTest, NamesAreKeptByteForByte) {
  // Composed, decomposed, and not UTF-8: whatever the locale is, the training asks for these.
  for (const char* name : {"caf\xc3\xa9", "cafe\xcc\x81", "caf\xe9"}) {
    const Status status = Extract(Evil()
                                      .Add({"x", "", 'x', 0644, 0, 0}, TarAttribute("path", name))
                                      .File("short", "content"));
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(ReadText(into_ / name), "content") << name;
  }
}

TEST_F(ArchiveTest, NothingIsWrittenOutside) {
  const std::string outside = (temp_.path() / "victim").string();
  WriteText(outside, "safe");
  const std::vector<Evil> refused = {
      Evil().File("../victim", "x"),
      Evil().File("a/../../victim", "x"),
      Evil().File(outside, "x"),
      Evil().Link('2', "link", outside),
      Evil().Link('2', "link", "../victim"),
      Evil().Link('2', "a/link", "b/../../../victim"),
      // "here/.." is not "a/b".
      Evil().Link('2', "a/b/here", ".").Link('2', "a/b/link", "here/../../../victim"),
      Evil().Link('1', "link", "../victim"),
      Evil().Link('1', "link", outside),
      Evil().Link('1', "link", "not-there"),
      // Through a link that was made before.
      Evil().Link('2', "link", "deeper").Link('2', "deeper", ".").File("link/victim", "x"),
      Evil().Add({"fifo", "", '6', 0644, 0, 0}),
      Evil().Add({"device", "", '3', 0644, 0, 0}),
      Evil().Add({"unknown", "", 'Z', 0644, 0, 0}, "x"),
      Evil().Add({"", "", '0', 0644, 0, 0}, "x"),
      Evil()
          .Add({"attributes", "", 'x', 0644, 0, 0}, TarAttribute("path", "../victim"))
          .File("fine", "x"),
      Evil()
          .Add({"attributes", "", 'x', 0644, 0, 0}, TarAttribute("path", std::string("a\0b", 3)))
          .File("fine", "x"),
      Evil().Add({"././@LongLink", "", 'L', 0644, 0, 0}, "../victim").File("fine", "x"),
  };
  for (size_t i = 0; i < refused.size(); ++i) {
    const Status status = Extract(refused[i]);
    EXPECT_FALSE(status.ok()) << i;
    EXPECT_EQ(ReadText(outside), "safe") << i;
    EXPECT_FALSE(fs::exists(temp_.path() / "deeper")) << i;
    fs::remove_all(into_);
    fs::create_directories(into_);
  }
}

TEST_F(ArchiveTest, BombsEndAtTheLimits) {
  const Status bytes = Extract(Evil().File("a", std::string(1000, 'x')).File("b", "y"), {1000, 10});
  EXPECT_EQ(bytes.code(), Code::kInvalid);
  EXPECT_NE(bytes.message().find("more than 1000 bytes"), std::string::npos) << bytes.message();
  Evil many;
  for (int i = 0; i < 11; ++i) many.Add({"d" + std::to_string(i), "", '5', 0755, 0, 0});
  EXPECT_NE(Extract(many, {1000, 10}).message().find("more than 10 entries"), std::string::npos);
  // A header may promise anything.
  EXPECT_EQ(Extract(Evil().Add({"a", "", '0', 0644, uint64_t{1} << 60, 0}, "x")).code(),
            Code::kInvalid);
  EXPECT_EQ(Extract(Evil().Add({"x", "", 'x', 0644, uint64_t{1} << 40, 0}, "x")).code(),
            Code::kInvalid);
  // Copies of a file count like files.
  Evil copies;
  copies.File("a", std::string(400, 'x'));
  copies.Link('1', "b", "a").Link('1', "c", "a");
  EXPECT_EQ(Extract(copies, {1000, 10}).code(), Code::kInvalid);
  Evil attributes;
  for (int i = 0; i < 30; ++i) attributes.Add({"x", "", 'x', 0644, 0, 0}, TarAttribute("a", "b"));
  EXPECT_EQ(Extract(attributes, {1000, 10}).code(), Code::kInvalid);
}

TEST_F(ArchiveTest, DamagedArchivesAreErrors) {
  const std::string good = Evil().File("a", "content").bytes();
  EXPECT_TRUE(ExtractBytes(good).ok());
  for (const size_t size : {size_t{100}, size_t{515}, size_t{700}}) {
    EXPECT_EQ(ExtractBytes(good.substr(0, size)).code(), Code::kCorrupt) << size;
  }
  std::string changed = good;
  changed[3] = 'x';
  EXPECT_EQ(ExtractBytes(changed).code(), Code::kCorrupt);
  for (const char* attributes : {"", "x", "5", "0 a=b\n", "99 a=b\n", "4 ab", "-1 a=b\n"}) {
    const Status status =
        Extract(Evil().Add({"x", "", 'x', 0644, 0, 0}, attributes).File("fine", ""));
    EXPECT_EQ(status.code(), *attributes == '\0' ? Code::kOk : Code::kCorrupt) << attributes;
  }
  // Compressed data that break off, or are others'.
  ASSERT_TRUE(ExtractBytes(good).ok());
  const std::string packed = ReadText(archive_);
  WriteText(archive_, packed.substr(0, packed.size() / 2));
  EXPECT_EQ(ExtractTar(archive_, into_).code(), Code::kCorrupt);
  WriteText(archive_, "no archive at all");
  EXPECT_EQ(ExtractTar(archive_, into_).code(), Code::kCorrupt);
  EXPECT_EQ(ExtractTar(temp_.path() / "none", into_).code(), Code::kNotFound);
}

TEST_F(ArchiveTest, WhatIsPackedCanBeTakenApartByAnybody) {
  const std::string longest(150, 'n');
  WriteText(temp_.path() / "one/model.bin", std::string(100'000, 'w'));
  WriteText(temp_.path() / "one/sub" / longest / "x", "deep");
  fs::create_symlink("model.bin", temp_.path() / "one/link");
  mkfifo((temp_.path() / "one/pipe").c_str(), 0600);
  WriteText(temp_.path() / "two/model.bin", "other");
  WriteText(temp_.path() / "two/more", "more");
  {
    auto writer = TarWriter::Create(archive_);
    ASSERT_TRUE(writer.ok());
    for (const char* folder : {"one", "two", "none"}) {
      const Status status = writer.value().AddFolder(temp_.path() / folder);
      ASSERT_TRUE(status.ok()) << status.message();
    }
    EXPECT_EQ(writer.value().files(), 4U);
    ASSERT_TRUE(writer.value().Finish().ok());
  }
  const auto check = [&](const fs::path& folder) {
    EXPECT_EQ(ReadText(folder / "model.bin"), std::string(100'000, 'w'));
    EXPECT_EQ(ReadText(folder / "sub" / longest / "x"), "deep");
    EXPECT_EQ(fs::read_symlink(folder / "link"), "model.bin");
    EXPECT_EQ(ReadText(folder / "more"), "more");
    EXPECT_FALSE(fs::exists(folder / "pipe"));
  };
  ASSERT_TRUE(ExtractTar(archive_, into_).ok());
  check(into_);
  fs::create_directories(temp_.path() / "by-tar");
  const std::string command =
      "tar -xzf " + archive_.string() + " -C " + (temp_.path() / "by-tar").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  check(temp_.path() / "by-tar");
}

}  // namespace
}  // namespace warden::jobs
