#include <fmt/format.h>

#include <map>

#include "warden/base/strings.h"
#include "warden/cli/doctor/checks.h"
#include "warden/cli/doctor/subprocess.h"

namespace warden::cli {
namespace {

constexpr std::chrono::milliseconds kTimeout{5000};

struct Package {
  const char* name;
  const char* use;
  const char* advice;
};
constexpr Package kPackages[] = {
    {"numpy", "required by the tensorwarden Python package", "pip install numpy"},
    {"torch", "required to capture PyTorch trainings", "pip install torch"},
    {"tensorflow", "required to capture TensorFlow and Keras trainings", "pip install tensorflow"},
    {"xgboost", "required to capture XGBoost trainings", "pip install xgboost"},
};

// Finds packages without importing them, which takes seconds for some. Prints "name version" lines.
constexpr char kScript[] = R"(
import importlib.metadata as metadata, importlib.util as util, sys
print('python', sys.version.split()[0], sys.executable)
for name in sys.argv[1:]:
    if util.find_spec(name) is None: continue
    try: print(name, metadata.version(name))
    except metadata.PackageNotFoundError: print(name, 'unknown')
)";

}  // namespace

void CheckPython(Checks* checks) {
  std::vector<std::string> arguments = {"python3", "-c", kScript};
  for (const Package& package : kPackages) arguments.emplace_back(package.name);
  const auto output = OutputOf(arguments, kTimeout);
  if (!output.ok() && output.status().code() != Code::kNotFound) {
    checks->push_back({"python3", Health::kWarning, output.status().message(),
                       "run 'python3 --version' to see the error"});
    return;
  }
  if (!output.ok()) {
    checks->push_back({"python3", Health::kMissing, output.status().message(),
                       "install Python 3.9 or later and add it to PATH"});
    return;
  }
  std::map<std::string, std::string> found;
  for (const std::string& line : SplitTrimmed(output.value(), '\n')) {
    const size_t blank = line.find(' ');
    if (blank != std::string::npos) found[line.substr(0, blank)] = line.substr(blank + 1);
  }
  checks->push_back({"python3", Health::kOk, found["python"], ""});
  for (const Package& package : kPackages) {
    const auto version = found.find(package.name);
    if (version != found.end()) {
      checks->push_back({package.name, Health::kOk, version->second, ""});
    } else {
      checks->push_back({package.name, Health::kMissing,
                         fmt::format("not installed; {}", package.use), package.advice});
    }
  }
}

}  // namespace warden::cli
