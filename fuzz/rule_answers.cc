// The input as what the process of a custom rule answers, and prints to its standard error: a
// program that does nothing but write it stands for the rule.

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/memory_folder.h"
#include "warden/base/json.h"
#include "warden/base/text/utf8.h"
#include "warden/rules/custom/asked_worker.h"
#include "warden/rules/custom/worker_process.h"
#include "warden/rules/verdicts.h"

namespace warden::fuzz {
namespace {

using namespace rules;

// A slow machine is no finding.
constexpr std::chrono::seconds kTimeout{600};

// Its messages go into JSON.
void CheckError(const Status& status) {
  Check(status.code() == Code::kIo || status.code() == Code::kCorrupt ||
        status.code() == Code::kInvalid);
  Check(IsUtf8(status.message()));
}

std::unique_ptr<WorkerProcess> Start(const std::string& file) {
  // Its answers, and the same as what it prints besides.
  auto process = WorkerProcess::Start(
      {"/bin/sh", "-c", "exec tee /dev/stderr <\"$0\"", file},
      [](std::string_view line) { Check(line.size() <= 3000 && IsUtf8(line)); });
  Check(process.ok());
  return std::move(process).value();
}

// The answers are the lines, up to the first that is none.
void Ask(const std::string& file, std::string_view text) {
  const auto process = Start(file);
  for (int count = 0; count < 4; ++count) {
    const size_t end = text.find('\n');
    const auto line = ParseJson(text.substr(0, end));
    const bool is_answer = end != std::string_view::npos && line.ok() && line.value().is_object();
    const auto answer = process->Ask({{"step", count}}, kTimeout);
    Check(answer.ok() == is_answer);
    if (!answer.ok()) {
      CheckError(answer.status());
      Check(process->Ask({{"step", count}}, kTimeout).status().code() == Code::kIo);
      return;
    }
    Check(answer.value() == line.value());
    text.remove_prefix(end + 1);
  }
}

// However much it tells, few notes and one finding become of it.
void Report(const std::string& file) {
  AskedWorker worker(Start(file), kTimeout);
  Verdicts verdicts("advice");
  verdicts.BeginStep(0, Mode::kGlobal);
  for (int count = 0; count < 4; ++count) {
    const auto answer = worker.Ask({{"step", count}}, "at a step");
    if (!answer.ok()) {
      CheckError(answer.status());
      break;
    }
    worker.Report(answer.value(), &verdicts);
  }
  verdicts.HealthyRun();
  verdicts.EndStep([](Finding& finding) { Check(IsUtf8(finding.message)); });
  Check(verdicts.findings().size() <= 1 && verdicts.notes().size() <= 20);
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warden::fuzz;
  static const MemoryFolder folder;
  const std::string file = folder.path() / "answers";
  const std::string_view text = Text(data, size);
  Write(file, text);
  Ask(file, text);
  Report(file);
  return 0;
}
