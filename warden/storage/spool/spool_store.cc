#include "warden/storage/spool/spool_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "warden/base/log.h"
#include "warden/storage/spool/spool.h"
#include "warden/storage/spool/spool_settings.h"
#include "warden/storage/spool/uploader.h"

namespace warden::storage::spool {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kBetweenLooks{10};  // Whether the uploader is alive.
constexpr std::chrono::seconds kBetweenMeasures{1};

double Gigabytes(uint64_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

// How full the spool is. Counted here for what this process writes, and measured from time to time:
// others write, too, and the uploader removes. Safe for many threads.
class Level {
 public:
  Level(SpooledRun run, Settings settings) : run_(std::move(run)), settings_(std::move(settings)) {}

  void Add(uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    since_ += bytes;
  }

  // kIo if there is no room.
  Status Check() {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (now >= look_at_) {
      look_at_ = now + kBetweenLooks;
      LookForUploader();
    }
    // Where there is much room, it takes long to fill.
    if (known_ && since_ < (settings_.most_bytes - measured_) / 8) return Status();
    if (known_ && measured_ + since_ < settings_.most_bytes && now < measure_at_) return Status();
    measured_ = std::min(BytesIn(settings_.folder), settings_.most_bytes);
    known_ = true;
    since_ = 0;
    measure_at_ = Clock::now() + kBetweenMeasures;
    WarnIfNear();
    if (measured_ < settings_.most_bytes) return Status();
    return Status(Code::kIo, fmt::format("{} is full: {:.3g} GB wait for {}; {}", settings_.folder,
                                         Gigabytes(measured_), run_.url, kAdvice));
  }

 private:
  static constexpr char kAdvice[] =
      "`warden upload` says why they are not sent, WARDEN_S3_SPOOL_MB is the bound";

  void WarnIfNear() {
    const bool near = measured_ >= settings_.most_bytes / 5 * 4;
    if (near && !warned_) {
      LogWarning(
          "{} is 80 % full: {:.3g} of {:.3g} GB wait for {}. Capture stops when it is full; {}",
          settings_.folder, Gigabytes(measured_), Gigabytes(settings_.most_bytes), run_.url,
          kAdvice);
    }
    if (near || measured_ < settings_.most_bytes / 2) warned_ = near;
  }

  void LookForUploader() {
    const Status started = StartUploader(run_);
    std::string error = started.ok() ? UploadError(run_) : started.message();
    if (!error.empty() && error != told_) {
      LogWarning("files for {} wait in {}: {}", run_.url, run_.files, error);
    }
    told_ = std::move(error);
  }

  const SpooledRun run_;
  const Settings settings_;
  std::mutex mutex_;
  bool known_ = false;  // What is measured.
  uint64_t measured_ = 0;
  uint64_t since_ = 0;  // Written here since it was measured.
  Clock::time_point measure_at_;
  Clock::time_point look_at_;
  bool warned_ = false;
  std::string told_;
};

class CountingWriter final : public ObjectWriter {
 public:
  CountingWriter(std::unique_ptr<ObjectWriter> base, std::shared_ptr<Level> level)
      : base_(std::move(base)), level_(std::move(level)) {}

  Status Append(std::span<const Bytes> parts) override {
    uint64_t bytes = 0;
    for (const Bytes part : parts) bytes += part.size();
    level_->Add(bytes);
    return base_->Append(parts);
  }
  Status Commit() override { return base_->Commit(); }

 private:
  const std::unique_ptr<ObjectWriter> base_;
  const std::shared_ptr<Level> level_;
};

class SpoolStore final : public Store {
 public:
  SpoolStore(std::unique_ptr<Store> base, std::shared_ptr<Level> level)
      : base_(std::move(base)), level_(std::move(level)) {}

  std::string Locate(std::string_view key) const override { return base_->Locate(key); }
  Result<std::vector<std::string>> List(std::string_view prefix,
                                        std::string_view start_after = {}) const override {
    return base_->List(prefix, start_after);
  }
  Result<std::shared_ptr<const Object>> Open(std::string_view key) const override {
    return base_->Open(key);
  }
  bool Exists(std::string_view key) const override { return base_->Exists(key); }
  Result<std::unique_ptr<ObjectWriter>> Create(std::string_view key) override {
    if (key.find('/') != key.npos) {
      if (Status status = level_->Check(); !status.ok()) return status;
    }
    auto writer = base_->Create(key);
    if (!writer.ok()) return writer.status();
    return std::unique_ptr<ObjectWriter>(
        std::make_unique<CountingWriter>(std::move(writer).value(), level_));
  }
  Status PutIfAbsent(std::string_view key, Bytes body) override {
    level_->Add(body.size());
    return base_->PutIfAbsent(key, body);
  }
  Status Remove(std::string_view key) override { return base_->Remove(key); }
  Result<std::unique_ptr<Watch>> WatchPrefix(std::string_view prefix) const override {
    return base_->WatchPrefix(prefix);
  }

 private:
  const std::unique_ptr<Store> base_;
  const std::shared_ptr<Level> level_;
};

}  // namespace

Result<std::unique_ptr<Store>> OpenOutput(std::string* place) {
  std::optional<SpooledRun> run;
  if (IsRemote(*place)) {
    auto joined = Join(*place);
    if (!joined.ok()) return joined.status();
    run = std::move(joined).value();
    StartLeftUploads();
  } else if (run = FindByFolder(*place); run) {
    if (Status status = JoinAgain(*run); !status.ok()) return status;
  }
  if (!run) return OpenStore(*place);
  const auto settings = ReadSettings();
  if (!settings.ok()) return settings.status();
  *place = run->run;
  auto base = OpenStore(run->run);
  if (!base.ok()) return base.status();
  // Errors are reported by the first write.
  (void)StartUploader(*run);
  return std::unique_ptr<Store>(std::make_unique<SpoolStore>(
      std::move(base).value(), std::make_shared<Level>(*run, settings.value())));
}

}  // namespace warden::storage::spool
