#include "warden/base/json.h"
#include "warden/report/profiler/profiler_report.h"
#include "warden/report/put_text.h"
#include "warden/report/report_document.h"
#include "warden/storage/store.h"

namespace warden::report {
namespace {

constexpr std::string_view kFolder = "profiler-output/";

}  // namespace

std::string ToNotebook(const ProfilerInputs& inputs) {
  return NotebookOf(BuildProfilerReport({inputs.job, inputs.results}),
                    {"profiler-reports/*.json", "ProfilerReport",
                     "To evaluate the rules again, set RUN to the folder of the run."});
}

Status WriteProfilerReport(const std::string& folder, const ProfilerInputs& inputs) {
  auto store = storage::OpenStore(folder);
  if (!store.ok()) return store.status();
  const std::string base(kFolder);
  for (const rules::ProfilerResult& result : inputs.results) {
    // Numbers that are not finite become null: other readers know no NaN.
    const std::string json =
        rules::ToJson(result).dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
    const Status put = PutText(store.value().get(),
                               base + "profiler-reports/" + result.rule + ".json", json + "\n");
    if (!put.ok()) return put;
  }
  const Status put =
      PutText(store.value().get(), base + "profiler-report.ipynb", ToNotebook(inputs));
  if (!put.ok()) return put;
  return PutText(store.value().get(), base + "profiler-report.html",
                 ToHtml(BuildProfilerReport(inputs)));
}

}  // namespace warden::report
