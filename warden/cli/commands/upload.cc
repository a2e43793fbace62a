#include "warden/storage/s3/upload.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/interrupt.h"
#include "warden/cli/launch/spooled_runs.h"
#include "warden/cli/text.h"
#include "warden/storage/spool/spool.h"

namespace warden::cli {
namespace {

using storage::spool::SpooledRun;

// A second.
constexpr std::chrono::milliseconds kSlice{50};
constexpr int kSlicesBetweenPasses = 20;

struct UploadOptions {
  std::vector<std::string> words;  // RUN and PLACE, or none.
  std::string spool;
  bool follow = false;
  bool json = false;
};

// Pass after pass until the run has ended or Ctrl-C; a server that is away is waited for.
Status Follow(storage::s3::Upload* upload, Output* out) {
  while (true) {
    const auto sent = upload->Pass();
    if (!sent.ok() && sent.status().code() != Code::kUnavailable) return sent.status();
    if (!sent.ok()) out->Tell(Printable(sent.status().message()) + "; trying again");
    if (sent.ok() && sent.value().ended) return Status();
    if (Interrupted()) return sent.ok() ? Status() : sent.status();
    out->ShowProgress([&] { return CountOf(upload->total().files, "file") + " sent"; });
    for (int i = 0; i < kSlicesBetweenPasses && !Interrupted(); ++i) {
      std::this_thread::sleep_for(kSlice);
    }
  }
}

// The runs to send, of those that wait on this machine.
Result<std::vector<SpooledRun>> ChosenRuns(const UploadOptions& options) {
  if (options.spool.empty()) return storage::spool::All();
  auto run = storage::spool::Read(options.spool);
  if (run) return std::vector<SpooledRun>{std::move(*run)};
  return Status(Code::kNotFound, fmt::format("{} is not a run that waits for S3", options.spool));
}

// What hooks and `warden run --out s3://...` have left on this machine.
Result<int> UploadSpooled(const UploadOptions& options, Output* out) {
  const auto runs = ChosenRuns(options);
  if (!runs.ok()) return runs.status();
  CatchInterrupts();
  Json sent_runs = Json::array();
  bool failed = false;
  for (const SpooledRun& run : runs.value()) {
    SpoolSent sent;
    const Status status = SendSpooledRun(run, options.follow, &sent, out);
    failed = failed || !status.ok();
    if (options.json) {
      sent_runs.push_back({{"run", run.run},
                           {"place", run.run_url},
                           {"files", sent.total.files},
                           {"bytes", sent.total.bytes},
                           {"done", sent.done},
                           {"error", status.ok() ? Json() : Json(status.message())}});
    } else if (!status.ok()) {
      out->Tell(
          fmt::format("{} is not sent: {}", Printable(run.files), Printable(status.message())));
    } else {
      out->Print("{} ({}) sent to {}{}\n", CountOf(sent.total.files, "file"),
                 FormatBytes(sent.total.bytes), Printable(run.run_url),
                 sent.done ? "" : "; the training continues");
    }
  }
  if (options.json) out->PrintJson(sent_runs);
  if (!options.json && runs.value().empty()) out->Print("no runs wait for S3\n");
  return failed ? kFailed : kDone;
}

Result<int> UploadRun(const UploadOptions& options, Output* out) {
  if (options.words.empty()) return UploadSpooled(options, out);
  if (options.words.size() != 2 || !options.spool.empty()) {
    return Status(Code::kInvalid, "expected RUN and PLACE, or neither for runs that wait for S3");
  }
  const std::string& run = options.words[0];
  const std::string& place = options.words[1];
  std::error_code error;
  if (!options.follow && !std::filesystem::is_directory(run, error)) {
    return Status(Code::kNotFound, fmt::format("no such folder: {}", run));
  }
  auto upload = storage::s3::Upload::Open(run, place);
  if (!upload.ok()) return upload.status();
  if (options.follow) CatchInterrupts();
  const Status status =
      options.follow ? Follow(upload.value().get(), out) : upload.value()->Pass().status();
  if (!status.ok()) {
    return Status(status.code(),
                  fmt::format("{}; {} sent so far, run the command again for the rest",
                              status.message(), CountOf(upload.value()->total().files, "file")));
  }
  const auto& [files, bytes, ended] = upload.value()->total();
  if (options.json) {
    out->PrintJson(
        {{"run", run}, {"place", place}, {"files", files}, {"bytes", bytes}, {"ended", ended}});
  } else {
    out->Print("{} ({}) sent to {}{}\n", CountOf(files, "file"), FormatBytes(bytes),
               Printable(place), ended ? "" : "; the run has no end mark yet");
  }
  return kDone;
}

void DefineUpload(Command* command) {
  auto options = std::make_shared<UploadOptions>();
  command->OptionalPositionals("RUN PLACE", &options->words,
                               "Folder of the run, and where to: s3://bucket/folder. Default: all\n"
                               "runs that wait for S3 on this machine");
  command->Switch("--follow", &options->follow,
                  "Continue while the run grows, until it ends; wait for a server that is away");
  command->Text("--spool", &options->spool,
                "Only the run that waits for S3 in this folder of the spool");
  command->Json(&options->json);
  command->Footer(
      "Sends the files of a run that are not there yet, in an order in which others can read it "
      "at\n"
      "any time. Interrupted, it continues when it is run again. Nothing is removed.\n\n"
      "Without a run: sends what trainings that save to s3:// have left on this machine, in\n"
      "~/.cache/tensorwarden/spool, and removes it there once it is sent.\n\n"
      "docs/guide/runs-in-s3.md says how to name a server and give keys.\n\n"
      "Examples:\n"
      "  warden upload warden-runs/train-20260101T120000Z s3://team-runs/a\n"
      "  warden upload --follow runs/b s3://team-runs/b &\n"
      "  warden upload");
  command->Runs(options, UploadRun);
}

}  // namespace

CommandEntry UploadToS3() {
  return {"upload", "Copy a run to S3, also while it grows", DefineUpload};
}

}  // namespace warden::cli
