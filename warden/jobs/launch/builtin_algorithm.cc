#include "warden/jobs/launch/builtin_algorithm.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/jobs/launch/hyper_parameters.h"
#include "warden/jobs/launch/program_plan.h"
#include "warden/jobs/launch/script_mode.h"

namespace warden::jobs {
namespace {

// Those that Amazon documents for tuning; others are added if the job asks for them.
constexpr std::string_view kXgboostMetrics[] = {"accuracy", "auc", "error", "f1",
                                                "logloss",  "mae", "map",   "merror",
                                                "mlogloss", "mse", "ndcg",  "rmse"};
constexpr size_t kMostAskedMetrics = 32;

// "sagemaker-xgboost" of "registry.example:5000/sagemaker-xgboost:1.2-1".
std::string_view RepositoryOf(std::string_view image) {
  const size_t slash = image.rfind('/');
  if (slash != std::string_view::npos) image.remove_prefix(slash + 1);
  return image.substr(0, image.find_first_of(":@"));
}

// What of a metric's name has a meaning in a regular expression.
std::string QuotedForRegex(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) quoted += '\\';
    quoted += c;
  }
  return quoted;
}

std::vector<std::string> XgboostMetricsOf(const TrainingJob& job) {
  std::vector<std::string> metrics(std::begin(kXgboostMetrics), std::end(kXgboostMetrics));
  const auto parameters = DecodeHyperParameters(MemberOf(job.request, "HyperParameters"));
  const Json* asked = MemberOf(parameters.users, "eval_metric");
  std::string text = asked == nullptr ? "" : PythonText(*asked);
  // It may be a list of Python's.
  constexpr std::string_view kMarks = "[]()'\" ";
  std::erase_if(text, [&](char c) { return kMarks.find(c) != std::string_view::npos; });
  for (const std::string& name : SplitTrimmed(text, ',')) {
    if (metrics.size() >= std::size(kXgboostMetrics) + kMostAskedMetrics) break;
    if (!name.empty() && std::find(metrics.begin(), metrics.end(), name) == metrics.end()) {
      metrics.push_back(name);
    }
  }
  return metrics;
}

}  // namespace

std::string BuiltinAlgorithmOf(const TrainingJob& job) {
  const std::string image = ImageOf(job);
  const std::string_view name = RepositoryOf(image);
  if (name != "xgboost" && name != "sagemaker-xgboost") return "";
  const auto script = ScriptOf(job);
  const Json* entry = MemberOf(job.request, "AlgorithmSpecification", "ContainerEntrypoint");
  const bool has_program =
      !script.ok() || !script.value().program.empty() || (entry != nullptr && !entry->empty());
  return has_program ? "" : "xgboost";
}

Status CheckBuiltinAlgorithm(const TrainingJob& job, const service::ServiceOptions& options) {
  const std::string algorithm = BuiltinAlgorithmOf(job);
  if (algorithm.empty()) return Status();
  if (const size_t hosts = job.Hosts().size(); hosts > 1) {
    return Status(
        Code::kInvalid,
        fmt::format("the job has {} hosts; the built-in algorithm {} expects 1", hosts, algorithm));
  }
  if (options.python_site.empty()) {
    return Status(Code::kInvalid,
                  fmt::format("the built-in algorithm {} needs the tensorwarden Python package, "
                              "which was not found next to `warden`; set TENSORWARDEN_PYTHON",
                              algorithm));
  }
  return Status();
}

std::vector<std::string> BuiltinAlgorithmWords(const std::string& algorithm,
                                               const std::string& python,
                                               const service::ServiceOptions& options) {
  return {python, options.python_site + "/_tensorwarden_algorithm.py", algorithm};
}

void AddBuiltinMetrics(TrainingJob* job) {
  if (BuiltinAlgorithmOf(*job).empty()) return;
  Json& all = job->request["AlgorithmSpecification"]["MetricDefinitions"];
  if (!all.is_array()) all = Json::array();
  std::set<std::string> named;
  for (const Json& each : all) named.insert(TextOf(MemberOf(each, "Name")));
  for (const char* channel : {"train", "validation"}) {
    for (const std::string& metric : XgboostMetricsOf(*job)) {
      const std::string name = fmt::format("{}:{}", channel, metric);
      if (!named.insert(name).second) continue;
      all.push_back({{"Name", name},
                     {"Regex", fmt::format("^\\[[0-9]+\\].*#011{}-{}:([-+]?[0-9]*\\.?[0-9]+"
                                           "(?:[eE][-+]?[0-9]+)?)",
                                           channel, QuotedForRegex(metric))}});
    }
  }
}

}  // namespace warden::jobs
