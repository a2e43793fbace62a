#include <fmt/format.h>

#include <map>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"
#include "warden/rules/forest.h"

namespace warden::rules {
namespace {

// The columns of the table of nodes that one worker saved.
struct Table {
  TensorView* id = nullptr;
  TensorView* yes = nullptr;
  TensorView* no = nullptr;
};

const std::vector<std::string>* Texts(TensorView* column) {
  const trial::TensorValue* value = column == nullptr ? nullptr : column->Raw();
  return value == nullptr || value->dtype != DType::kString ? nullptr : &value->strings;
}

class Deep : public Rule {
 public:
  explicit Deep(const Params& params) : most_(params.Integer("depth")) {}

  std::vector<Selector> inputs() const override { return {{.collections = {"trees"}}}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    std::map<std::string_view, Table> tables;
    for (TensorView* tensor : step.Input(0)) {
      Table& table = tables[tensor->worker()];
      if (tensor->name().ends_with("/ID")) table.id = tensor;
      if (tensor->name().ends_with("/Yes")) table.yes = tensor;
      if (tensor->name().ends_with("/No")) table.no = tensor;
    }
    for (auto& [worker, table] : tables) EvaluateTable(&table, verdicts);
    return Status();
  }

 private:
  void EvaluateTable(Table* table, Verdicts* verdicts) const {
    if (table->id == nullptr) {
      verdicts->TooLittle("node ids (trees/ID) were not saved; save the collection trees");
      return;
    }
    const auto* ids = Texts(table->id);
    if (ids == nullptr) {
      verdicts->Skip(*table->id, kNoRawValues);
      return;
    }
    const auto* yes = Texts(table->yes);
    const auto* no = Texts(table->no);
    const auto deepest =
        yes != nullptr && no != nullptr ? DepthByLinks(*ids, *yes, *no) : DepthByNumbers(*ids);
    if (!deepest) {
      verdicts->Skip(*table->id, "contains no tree");
      return;
    }
    verdicts->Note("only one tree per round is saved; other trees of a round are not checked");
    if (deepest->depth <= most_) {
      verdicts->Healthy(*table->id);
      return;
    }
    verdicts->Fire(*table->id,
                   {static_cast<double>(deepest->depth), static_cast<double>(most_),
                    fmt::format("tree {} has a depth of {}{}, above {}", deepest->tree,
                                deepest->at_least ? "at least " : "", deepest->depth, most_)});
  }

  const int64_t most_;
};

}  // namespace

RuleEntry TreeDepth() {
  static constexpr Param kParams[] = {
      {"depth", ParamType::kInteger, "4", "Maximum depth of a tree", 0, 1e6}};
  static constexpr Saves kSaves[] = {{"trees", "^trees/", true}};
  static constexpr RuleSpec kSpec{
      "TreeDepth", "Trees are so deep that they may memorize the training data.",
      "Lower max_depth or max_leaves, or raise min_child_weight and gamma. Compare training and "
      "validation metrics.",
      kParams, kSaves};
  return {&kSpec, Make<Deep>};
}

}  // namespace warden::rules
