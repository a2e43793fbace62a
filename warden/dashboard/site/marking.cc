#include "warden/dashboard/site/marking.h"

#include <mutex>

#include "warden/base/json.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/dashboard/site/remote_runs.h"
#include "warden/trial/run_marks.h"

namespace warden::dashboard {
namespace {

const std::string& MarkedFolder(const RunPlaces& places) {
  return places.job ? places.folder : places.tensors;
}

Result<trial::RunMarks> Change(const std::string& folder, const std::string& body) {
  const auto changes = ParseJson(body);
  if (!changes.ok()) return Status(Code::kInvalid, "invalid body; expected a JSON object");
  // One after the other, so that of two changes neither is lost.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  auto marks = trial::ChangeMarks(trial::ReadRunMarks(folder), changes.value());
  if (!marks.ok()) return marks;
  Status written = trial::WriteRunMarks(folder, marks.value());
  if (!written.ok()) return written;
  return marks;
}

}  // namespace

Json MarksJson(const RunPlaces& places) {
  return trial::ToJson(trial::ReadRunMarks(MarkedFolder(places)));
}

http::Response ChangeMarksOf(const auth::Authenticator& authenticator,
                             const auth::Identity& identity, const RunPlaces& places,
                             const std::string& body) {
  const Status here = CheckIsHere(places);
  const auto marks = here.ok() ? Change(MarkedFolder(places), body) : Result<trial::RunMarks>(here);
  authenticator.Record(identity,
                       {"dashboard:MarkRun", places.id,
                        marks.ok() ? "ok" : std::string(CodeName(marks.status().code()))});
  if (marks.ok()) return JsonAnswer(trial::ToJson(marks.value()));
  constexpr int kNotHere = 409;
  return here.ok() ? ErrorAnswer(marks.status()) : ErrorAnswer(kNotHere, here.message());
}

}  // namespace warden::dashboard
