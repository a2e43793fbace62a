#include "warden/storage/s3/upload.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/interrupt.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

// A second.
constexpr std::chrono::milliseconds kSlice{50};
constexpr int kSlicesBetweenPasses = 20;

struct UploadOptions {
  std::string run;
  std::string place;
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

Result<int> UploadRun(const UploadOptions& options, Output* out) {
  std::error_code error;
  if (!options.follow && !std::filesystem::is_directory(options.run, error)) {
    return Status(Code::kNotFound, fmt::format("no such folder: {}", options.run));
  }
  auto upload = storage::s3::Upload::Open(options.run, options.place);
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
    out->PrintJson({{"run", options.run},
                    {"place", options.place},
                    {"files", files},
                    {"bytes", bytes},
                    {"ended", ended}});
  } else {
    out->Print("{} ({}) sent to {}{}\n", CountOf(files, "file"), FormatBytes(bytes),
               Printable(options.place), ended ? "" : "; the run has no end mark yet");
  }
  return kDone;
}

void DefineUpload(Command* command) {
  auto options = std::make_shared<UploadOptions>();
  command->Run(&options->run);
  command->Positional("PLACE", &options->place, "Where to, s3://bucket/folder");
  command->Switch("--follow", &options->follow,
                  "Continue while the run grows, until it ends; wait for a server that is away");
  command->Json(&options->json);
  command->Footer(
      "Sends the files of a run that are not there yet, in an order in which others can read it "
      "at\n"
      "any time. Interrupted, it continues when it is run again. Nothing is removed.\n"
      "docs/guide/runs-in-s3.md says how to name a server and give keys.\n\n"
      "Examples:\n"
      "  warden upload warden-runs/train-20260101T120000Z s3://team-runs/a\n"
      "  warden upload --follow runs/b s3://team-runs/b &");
  command->Runs(options, UploadRun);
}

}  // namespace

CommandEntry UploadToS3() {
  return {"upload", "Copy a run to S3, also while it grows", DefineUpload};
}

}  // namespace warden::cli
