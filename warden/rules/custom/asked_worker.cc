#include "warden/rules/custom/asked_worker.h"

#include <fmt/format.h>

#include "warden/base/json.h"

namespace warden::rules {
namespace {

constexpr size_t kMostNotes = 20;

std::string WhatOf(const Json& answer) {
  std::string what = TextIn(answer, "message");
  if (what.empty()) what = "the rule's condition was met";
  const std::string details = TextIn(answer, "details");
  return details.empty() ? what : fmt::format("{}: {}", what, details);
}

}  // namespace

std::string TextIn(const Json& answer, const char* key) {
  const auto found = answer.find(key);
  return found != answer.end() && found->is_string() ? found->get<std::string>() : "";
}

bool FlagIn(const Json& answer, const char* key) {
  const auto found = answer.find(key);
  return found != answer.end() && found->is_boolean() && found->get<bool>();
}

Result<Json> AskedWorker::Ask(const Json& request, const std::string& when) {
  auto answer = process_->Ask(request, timeout_);
  if (!answer.ok()) {
    return Status(answer.status().code(),
                  fmt::format("{}, the rule process {}", when, answer.status().message()));
  }
  if (!answer.value().contains("error")) return answer;
  End();
  return Status(Code::kInvalid, fmt::format("{}: {}\n{}", when, TextIn(answer.value(), "error"),
                                            TextIn(answer.value(), "traceback")));
}

void AskedWorker::Report(const Json& answer, Verdicts* verdicts) {
  if (const std::string notice = TextIn(answer, "notice"); !notice.empty()) Note(notice, verdicts);
  if (FlagIn(answer, "fired")) verdicts->FireRun("", "", {.what = WhatOf(answer)});
}

void AskedWorker::Note(const std::string& note, Verdicts* verdicts) {
  if (notes_.size() < kMostNotes && notes_.insert(note).second) verdicts->Note(note);
}

}  // namespace warden::rules
