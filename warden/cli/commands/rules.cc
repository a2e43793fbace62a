#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/table.h"
#include "warden/cli/text.h"
#include "warden/rules/catalog/registry.h"
#include "warden/rules/catalog/spec_json.h"

namespace warden::cli {
namespace {

using rules::KindName;
using rules::Param;
using rules::RuleEntry;
using rules::RuleSpec;

struct RulesOptions {
  std::vector<std::string> names;
  bool json = false;
  bool markdown = false;
};

void PrintMarkdown(const RuleSpec& spec, Output* out) {
  out->Print("\n## {}\n\n{}\n\nWhat to try: {}\n\nSeverity: {}\n\n", spec.name, spec.doc,
             spec.advice, SeverityName(spec.severity));
  const std::vector<Param> params = rules::AllParams(spec);
  out->Write(params.empty() ? "No parameters.\n"
                            : "| parameter | default | accepted | meaning |\n"
                              "| --- | --- | --- | --- |\n");
  for (const Param& param : params) {
    std::string standard(param.default_text);
    for (size_t at = 0; (at = standard.find('|', at)) != std::string::npos; at += 2) {
      standard.insert(at, "\\");
    }
    out->Print("| `{}` | {} | {} | {} |\n", param.name,
               standard.empty() ? "" : fmt::format("`{}`", standard), rules::AcceptedText(param),
               param.doc);
  }
}

void PrintOne(const RuleSpec& spec, Output* out) {
  out->Print("{}\n  {}\n  Try: {}\n  Severity: {}\n\n",
             Styled(spec.name, Style::kBold, out->terminal()), spec.doc, spec.advice,
             SeverityName(spec.severity));
  Table table({{"PARAMETER"}, {"DEFAULT"}, {"ACCEPTED"}, {"MEANING", Align::kLeft, true}});
  for (const Param& param : rules::AllParams(spec)) {
    table.Add({std::string(param.name), std::string(param.default_text), rules::AcceptedText(param),
               std::string(param.doc)});
  }
  table.Print(out);
}

void PrintList(std::span<const RuleEntry> entries, Output* out) {
  Table table({{"RULE"}, {"KIND"}, {"MEANING", Align::kLeft, true}});
  for (const RuleEntry& entry : entries) {
    table.Add({std::string(entry.spec->name), std::string(KindName(entry.spec->kind)),
               std::string(entry.spec->doc)});
  }
  table.Print(out);
}

Result<int> ListRules(const RulesOptions& options, Output* out) {
  std::vector<RuleEntry> entries;
  for (const std::string& name : options.names) {
    const auto found = rules::FindRule(name);
    if (!found.ok()) return found.status();
    if (!found.value().notice.empty()) out->Tell(Printable(found.value().notice));
    entries.push_back(*found.value().entry);
  }
  const bool all = entries.empty();
  if (all) entries.assign(rules::BuiltinRules().begin(), rules::BuiltinRules().end());
  if (options.json) {
    Json list = Json::array();
    for (const RuleEntry& entry : entries) list.push_back(ToJson(*entry.spec));
    out->PrintJson(list);
  } else if (options.markdown) {
    for (const RuleEntry& entry : entries) PrintMarkdown(*entry.spec, out);
  } else if (all) {
    PrintList(entries, out);
  } else {
    for (const RuleEntry& entry : entries) PrintOne(*entry.spec, out);
  }
  return kDone;
}

void DefineRules(Command* command) {
  auto options = std::make_shared<RulesOptions>();
  command->OptionalPositionals("NAME", &options->names, "Rules to describe in detail");
  command->Json(&options->json);
  command->Switch("--markdown", &options->markdown, "Print the reference in Markdown");
  command->Exclusive({"--json", "--markdown"});
  command->Footer("Examples:\n  warden rules\n  warden rules VanishingGradient");
  command->Runs(options, ListRules);
}

}  // namespace

CommandEntry Rules() {
  return {"rules", "List the rules with their parameters and defaults", DefineRules};
}

}  // namespace warden::cli
