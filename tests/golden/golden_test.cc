// Every recorded run is read as the original library reads it: names, steps, modes, workers,
// shapes, types, values and reductions are compared with what it said of them (expected.json).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <openssl/sha.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "warden/base/checkout_for_test.h"
#include "warden/base/json.h"
#include "warden/storage/store.h"
#include "warden/trial/trial.h"

namespace warden::trial {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> RecordedRuns() {
  std::vector<std::string> runs;
  for (const auto& entry : fs::directory_iterator(SourceFile("tests/golden"))) {
    if (fs::exists(entry.path() / "expected.json")) runs.push_back(entry.path().filename());
  }
  std::sort(runs.begin(), runs.end());
  return runs;
}

Json ReadJson(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  auto json = ParseJson(text.str());
  EXPECT_TRUE(json.ok()) << path << ": " << json.status().message();
  return json.ok() ? json.value() : Json();
}

std::string Sha256(Bytes bytes) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest);
  std::string hex;
  for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string Sha256(const TensorValue& value) {
  if (value.dtype != DType::kString) return Sha256(value.data);
  std::string joined;
  for (const std::string& text : value.strings) joined += text + '\0';
  return Sha256(AsBytes(joined));
}

double ToNumber(const Json& json) {
  if (json == "NaN") return NAN;
  if (json == "Infinity") return INFINITY;
  if (json == "-Infinity") return -INFINITY;
  if (json.is_boolean()) return json.get<bool>() ? 1 : 0;
  return json.get<double>();
}

bool IsError(const Json& json, std::string_view exception) {
  return json.is_object() && json.contains("error") &&
         json["error"].get<std::string>().starts_with(exception);
}
bool IsError(const Json& json) { return IsError(json, ""); }

std::vector<Step> ToSteps(const Json& json) { return json.get<std::vector<Step>>(); }

class GoldenTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const fs::path folder = fs::path(SourceFile("tests/golden")) / GetParam();
    expected_ = ReadJson(folder / "expected.json");
    if (fs::exists(folder / "written.json")) written_ = ReadJson(folder / "written.json");
    auto store = storage::OpenStore((folder / "trial").string());
    ASSERT_TRUE(store.ok()) << store.status().message();
    auto trial = Trial::Open(std::move(store.value()), TrialOptions());
    ASSERT_TRUE(trial.ok()) << trial.status().message();
    trial_ = std::move(trial.value());
  }

  // What the value should be. Where the original could not read or misread a type, the record of
  // what was written decides.
  Json ExpectedValue(const std::string& tensor, const std::string& step, const Json& said) {
    if (written_.is_object() && written_.contains(tensor)) return written_[tensor][step];
    return said;
  }

  Json expected_;
  Json written_;
  std::unique_ptr<Trial> trial_;
};

TEST_P(GoldenTest, Run) {
  EXPECT_EQ(trial_->loaded_all_steps(), expected_["loaded_all_steps"].get<bool>());
  EXPECT_EQ(trial_->workers(), expected_["workers"].get<std::vector<std::string>>());
  EXPECT_EQ(trial_->num_workers(), expected_["num_workers"].get<int>());
  EXPECT_EQ(trial_->last_complete_step(), expected_["last_complete_step"].get<Step>());
  EXPECT_TRUE(trial_->problems().empty());
}

TEST_P(GoldenTest, StepsAndModes) {
  std::vector<std::string> modes;
  for (const Mode mode : trial_->Modes()) modes.emplace_back(ModeName(mode));
  std::sort(modes.begin(), modes.end());
  EXPECT_EQ(modes, expected_["modes"].get<std::vector<std::string>>());
  for (const Mode mode : kAllModes) {
    const std::string name(ModeName(mode));
    EXPECT_EQ(trial_->Steps(mode), ToSteps(expected_["steps"][name]));
    EXPECT_EQ(trial_->Steps(mode, true), ToSteps(expected_["steps_incl_incomplete"][name]));
  }
  for (const auto& [step, mode_step] : expected_["global_step_to_mode_step"].items()) {
    const auto at = trial_->ModeOf(std::stoll(step));
    ASSERT_TRUE(at.has_value());
    EXPECT_EQ(ModeName(at->mode), mode_step[0].get<std::string>());
    EXPECT_EQ(at->step, mode_step[1].get<Step>());
    EXPECT_EQ(trial_->GlobalStep(at->mode, at->step), std::stoll(step));
  }
}

TEST_P(GoldenTest, TensorNames) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(trial_->TensorNames().value(), expected_["tensor_names"].get<Names>());
  for (const auto& [mode, names] : expected_["tensor_names_by_mode"].items()) {
    NameFilter filter;
    filter.mode = *ParseMode(mode);
    EXPECT_EQ(trial_->TensorNames(filter).value(), names.get<Names>()) << mode;
  }
  for (const auto& [step, names] : expected_["tensor_names_by_global_step"].items()) {
    NameFilter filter;
    filter.step = std::stoll(step);
    EXPECT_EQ(trial_->TensorNames(filter).value(), names.get<Names>()) << step;
  }
}

TEST_P(GoldenTest, Collections) {
  std::vector<std::string> names, expected_names;
  for (const auto& [name, collection] : trial_->collections()) names.push_back(name);
  for (const auto& [name, collection] : expected_["collections"].items()) {
    expected_names.push_back(name);
    NameFilter filter;
    filter.collection = name;
    EXPECT_EQ(trial_->TensorNames(filter).value(),
              collection["saved_tensor_names"].get<std::vector<std::string>>())
        << name;
    Json wanted = collection;
    wanted.erase("saved_tensor_names");
    const nlohmann::json in_any_order = wanted;
    EXPECT_EQ(nlohmann::json(config::ToJson(trial_->collections().at(name))), in_any_order);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, expected_names);
}

TEST_P(GoldenTest, TensorSteps) {
  for (const auto& [name, tensor] : expected_["tensors"].items()) {
    const Json& original = tensor["original_name"];
    EXPECT_EQ(trial_->OriginalName(name).value(),
              original.is_null() ? "" : original.get<std::string>());
    for (const Mode mode : kAllModes) {
      EXPECT_EQ(trial_->TensorSteps(name, mode, true).value(),
                ToSteps(tensor["steps"][std::string(ModeName(mode))]))
          << name;
    }
    for (const auto& [step, by_worker] : tensor["at"].items()) {
      std::vector<std::string> workers;
      for (const auto& [worker, saved] : by_worker.items()) workers.push_back(worker);
      EXPECT_EQ(trial_->TensorWorkers(name, std::stoll(step)).value(), workers) << name;
    }
  }
}

TEST_P(GoldenTest, ValuesAndShapes) {
  int compared = 0;
  for (const auto& [name, tensor] : expected_["tensors"].items()) {
    for (const auto& [step, by_worker] : tensor["at"].items()) {
      for (const auto& [worker, said] : by_worker.items()) {
        SCOPED_TRACE(name + " at " + step + " of " + worker);
        const Step at = std::stoll(step);
        const auto value = trial_->Value(name, at, Mode::kGlobal, worker);
        const auto shape = trial_->Shape(name, at, Mode::kGlobal, worker);
        const Json wanted = ExpectedValue(name, step, said["value"]);
        if (IsError(wanted)) {
          // Where a shape was saved beside the values, the original loses the values (a defect);
          // we have both, and check them against the saved shape.
          if (value.ok()) {
            EXPECT_EQ(value.value().shape, said["shape"].get<std::vector<int64_t>>());
          } else {
            EXPECT_EQ(value.status().code(), Code::kTensorUnavailableForStep);
            EXPECT_TRUE(IsError(wanted, "TensorUnavailableForStep"));
          }
        } else {
          ASSERT_TRUE(value.ok()) << value.status().message();
          EXPECT_EQ(DTypeName(value.value().dtype), wanted["dtype"].get<std::string>());
          EXPECT_EQ(value.value().shape, wanted["shape"].get<std::vector<int64_t>>());
          EXPECT_EQ(Sha256(value.value()), wanted["sha256"].get<std::string>());
          ++compared;
        }
        if (IsError(said["shape"], "ShapeUnavailableForStep")) {
          EXPECT_EQ(shape.status().code(), Code::kShapeUnavailableForStep);
        } else if (!IsError(said["shape"])) {
          ASSERT_TRUE(shape.ok()) << shape.status().message();
          EXPECT_EQ(shape.value(), said["shape"].get<std::vector<int64_t>>());
        }
      }
    }
  }
  EXPECT_TRUE(compared > 0 || GetParam() == "pt_reductions_all" || GetParam() == "pt_shape_raw");
}

TEST_P(GoldenTest, SavedReductions) {
  for (const auto& [name, tensor] : expected_["tensors"].items()) {
    for (const auto& [step, by_worker] : tensor["at"].items()) {
      for (const auto& [worker, said] : by_worker.items()) {
        SCOPED_TRACE(name + " at " + step + " of " + worker);
        const Step at = std::stoll(step);
        const auto saved = trial_->SavedReductions(name, at, Mode::kGlobal, worker);
        ASSERT_TRUE(saved.ok()) << saved.status().message();
        EXPECT_EQ(saved.value().size(), said["reductions_saved"].size());
        for (const auto& [reduction_name, wanted] : said["reductions_saved"].items()) {
          const Reduction reduction = *ParseReductionName(reduction_name);
          const auto value = trial_->SavedReduction(name, at, reduction, Mode::kGlobal, worker);
          ASSERT_TRUE(value.ok()) << value.status().message();
          EXPECT_EQ(DTypeName(value.value().dtype), wanted["dtype"].get<std::string>());
          EXPECT_EQ(value.value().shape, wanted["shape"].get<std::vector<int64_t>>());
          const double number =
              trial_->ReductionValue(name, at, reduction, Mode::kGlobal, worker).value();
          const double wanted_number = ToNumber(wanted["value"]);
          EXPECT_TRUE(number == wanted_number || (std::isnan(number) && std::isnan(wanted_number)))
              << reduction_name << ": " << number << " is not " << wanted_number;
        }
      }
    }
  }
}

// How far NumPy's result, which it adds up in the tensor's own type, may be from the exact one.
double Tolerance(const std::string& dtype) {
  if (dtype == "float16") return 4e-3;
  if (dtype == "float32") return 2e-5;
  return 1e-12;
}

bool IsClose(double number, double wanted, double scale, double tolerance) {
  if (std::isnan(wanted)) return std::isnan(number);
  if (number == wanted) return true;
  return std::abs(number - wanted) <= tolerance * std::max(std::abs(wanted), scale);
}

TEST_P(GoldenTest, ComputedReductions) {
  for (const auto& [name, tensor] : expected_["tensors"].items()) {
    for (const auto& [step, by_worker] : tensor["at"].items()) {
      for (const auto& [worker, said] : by_worker.items()) {
        if (!said.contains("reductions_computed")) continue;
        const std::string dtype = said["value"]["dtype"];
        const Json wanted_value = ExpectedValue(name, step, said["value"]);
        // The original took signed bytes for unsigned ones and computed with those.
        if (wanted_value["dtype"] != said["value"]["dtype"]) continue;
        const auto& computed = said["reductions_computed"];
        for (const auto& [reduction_name, wanted] : computed.items()) {
          SCOPED_TRACE(name + " at " + step + " of " + worker + ", " + reduction_name);
          const Reduction reduction = *ParseReductionName(reduction_name);
          const auto number =
              trial_->ReductionValue(name, std::stoll(step), reduction, Mode::kGlobal, worker);
          ASSERT_TRUE(number.ok()) << number.status().message();
          // NumPy has no norm for these; we give the vector norm.
          if (IsError(wanted)) continue;
          // The absolute value of the lowest integer wraps around in NumPy, and all that is
          // computed with it; ours does not.
          const bool wraps = dtype.starts_with("int") && ToNumber(computed["abs_min"]) < 0;
          const double scale = std::abs(ToNumber(computed["abs_max"]));
          const bool close = IsClose(number.value(), ToNumber(wanted), scale, Tolerance(dtype));
          EXPECT_TRUE(close || wraps) << number.value() << " is not " << wanted;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Recorded, GoldenTest, testing::ValuesIn(RecordedRuns()),
                         [](const auto& run) { return run.param; });

}  // namespace
}  // namespace warden::trial
