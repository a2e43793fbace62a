#include "warden/storage/s3/spool_upload.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "warden/base/json.h"
#include "warden/format/layout.h"
#include "warden/os/posix.h"
#include "warden/os/random.h"
#include "warden/os/replace_file.h"
#include "warden/storage/s3/s3_parts.h"
#include "warden/storage/s3_location.h"
#include "warden/storage/spool/process_lock.h"
#include "warden/storage/spool/spool_settings.h"

namespace warden::storage::s3 {
namespace {

namespace fs = std::filesystem;

// The place is as it was for those who wrote the run; everything else, as keys, is as it is now.
Variables VariablesOf(const spool::SpooledRun& run) {
  return [variables = run.variables, ours = ProcessVariables()](const char* name) {
    if (!spool::IsServerVariable(name)) return ours(name);
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
}

}  // namespace

Status CheckPlace(std::string_view url, const Variables& variables) {
  const auto location = ParseLocation(url);
  if (!location.ok()) return location.status();
  const auto source = OpenSource(location.value().bucket, variables);
  if (!source.ok()) return source.status().WithContext(url);
  const std::string mark = location.value().prefix + std::string(format::kEndMarker);
  const auto found = source.value()->client->List(mark, "");
  if (!found.ok()) return found.status();
  if (found.value().empty()) return Status();
  return Status(Code::kExists, fmt::format("{} already contains a finished run", url));
}

Result<std::unique_ptr<SpoolUpload>> SpoolUpload::Open(const spool::SpooledRun& run) {
  if (!spool::TakeLock(run.UploaderLock(), spool::Lock::kAlone)) {
    return Status(Code::kUnavailable,
                  fmt::format("process {} is sending {} to {}",
                              spool::LockHolder(run.UploaderLock()), run.files, run.url));
  }
  Variables variables = VariablesOf(run);
  auto upload = Upload::Open(run.files, run.url, variables, run.SentFile());
  if (!upload.ok()) {
    spool::DropLock(run.UploaderLock());
    return upload.status();
  }
  return std::unique_ptr<SpoolUpload>(
      new SpoolUpload(run, std::move(variables), std::move(upload).value()));
}

bool SpoolUpload::HasWriters() const { return spool::LockHolder(run_.WritersLock()) != 0; }

Result<SpoolUpload::State> SpoolUpload::Pass() {
  Result<State> state = Send();
  Tell(state.status());
  return state;
}

Result<SpoolUpload::State> SpoolUpload::Send() {
  if (Status status = LookForFinishedRun(); !status.ok()) return status;
  // Asked before listing: what is listed afterwards is all there is.
  const bool written = HasWriters();
  const auto sent = upload_->Pass(written ? Upload::Extent::kMayWait : Upload::Extent::kComplete);
  if (!sent.ok()) return sent.status();
  if (sent.value().files > 0) MakeRoom();
  return written ? State::kWritten : Finish();
}

// Steps of two runs in one place would be neither.
Status SpoolUpload::LookForFinishedRun() {
  if (may_begin_ || upload_->has_begun()) return Status();
  const Status status = CheckPlace(run_.run_url, variables_);
  may_begin_ = status.ok();
  if (status.code() != Code::kExists) return status;
  return Status(Code::kExists,
                fmt::format("{}; send the new one elsewhere: warden upload {} s3://...",
                            status.message(), run_.files));
}

void SpoolUpload::MakeRoom() {
  const auto settings = spool::ReadSettings();
  if (!settings.ok()) return;
  const uint64_t most = settings.value().most_bytes / 2;
  const uint64_t bytes = spool::BytesIn(settings.value().folder);
  if (bytes > most) upload_->RemoveSent(bytes - most);
}

Result<SpoolUpload::State> SpoolUpload::Finish() {
  if (!spool::TakeLock(run_.WritersLock(), spool::Lock::kAlone)) return State::kWritten;
  // From here on nobody can begin to write, and nothing waits for the network.
  const auto more = upload_->HasMore();
  std::error_code error;
  if (more.ok() && !more.value()) {
    const std::string gone = fmt::format(
        "{}/removed-{}", fs::path(run_.folder).parent_path().string(), os::RandomHex(16));
    fs::rename(run_.folder, gone, error);
    if (!error) fs::remove_all(gone, error);
  }
  spool::DropLock(run_.WritersLock());
  if (!more.ok()) return more.status();
  if (more.value()) return State::kLeft;
  if (error) return os::IoError("remove", run_.folder, error.value());
  spool::DropLock(run_.UploaderLock());
  return State::kDone;
}

bool SpoolUpload::GiveUp() {
  if (!spool::TakeLock(run_.WritersLock(), spool::Lock::kAlone)) return false;
  spool::DropLock(run_.UploaderLock());
  spool::DropLock(run_.WritersLock());
  return true;
}

void SpoolUpload::Tell(const Status& status) {
  const std::string state = DumpLikePython({{"error", status.message()}}) + "\n";
  if (state == told_ || !os::PathExists(run_.folder)) return;
  if (os::ReplaceFile(run_.StateFile(), state, 0600).ok()) told_ = state;
}

}  // namespace warden::storage::s3
