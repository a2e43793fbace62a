#ifndef WARDEN_CLI_SERVE_JOB_TEXT_H_
#define WARDEN_CLI_SERVE_JOB_TEXT_H_

// Answers of a service as text for people: what the `warden jobs` commands share. Pure functions,
// except those that print.

#include <optional>
#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/cli/output.h"
#include "warden/cli/table.h"

namespace warden::cli {

// Answers of a service are untrusted: a member that is missing or has another type reads as empty,
// and json need not be an object.
std::string TextIn(const Json& json, const char* member);
std::optional<double> NumberIn(const Json& json, const char* member);
// Empty if missing. The reference is into json, or to a constant.
const Json& ObjectIn(const Json& json, const char* member);
const Json& ListIn(const Json& json, const char* member);

// "2026-11-15 20:03:58", local time, of seconds since 1970; empty if it is not known. Also empty
// for times before 1970 or after the year 9999.
std::string TimeText(std::optional<double> seconds);
// "1 h 02 min", "3.2 s"; empty if one end is not known or they are in the wrong order.
std::string SpanText(std::optional<double> start, std::optional<double> end);

// "Completed", "InProgress" ... of a job or a rule, in its color. Unknown words are plain. Good:
// Completed, NoIssuesFound. Bad: Failed, Error, IssuesFound. Warning: Stopping, Stopped.
Cell StatusCell(const std::string& status);
// Whether the job has ended: "Completed", "Failed" or "Stopped".
bool IsOver(const std::string& job_status);

// Location of one of the outputs of a described job, "<S3OutputPath>/<job>/debug-output"; empty
// without that configuration.
std::string JobOutputOf(const Json& job, const char* config, const char* folder);

// A rule of a job, as the description of the job has it. Texts as the service sent them; Table
// makes them printable.
struct RuleRow {
  std::string name;
  std::string status;
  std::string details;
  std::string job_name;  // Of its processing job; empty if that was not started.
};
// From a description (DescribeTrainingJob); debug rules first.
std::vector<RuleRow> RulesIn(const Json& description);
// Details on one line each, cut to the width of the terminal.
void PrintRules(const std::vector<RuleRow>& rules, Output* out);
// Whether a rule found problems: the command then exits with kIssuesFound.
bool AnyIssues(const std::vector<RuleRow>& rules);
bool AllOver(const std::vector<RuleRow>& rules);

}  // namespace warden::cli

#endif  // WARDEN_CLI_SERVE_JOB_TEXT_H_
