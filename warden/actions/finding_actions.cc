#include "warden/actions/finding_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warden::actions {
namespace {

bool IsForPeople(const ActionConfig& config) {
  return std::holds_alternative<EmailConfig>(config) || std::holds_alternative<SmsConfig>(config);
}

}  // namespace

Status FindingActions::Open(DispatcherOptions options, Dispatcher::MakeAction make) {
  auto opened = Dispatcher::Open(std::move(options), std::move(make));
  if (!opened.ok()) return opened.status();
  dispatcher_ = std::move(opened).value();
  return Status();
}

void FindingActions::Found(const Firing& firing, std::span<const ActionConfig> wanted) {
  if (!is_open()) return;
  std::vector<ActionConfig> at_once;
  std::vector<ActionConfig> to_people;
  for (const ActionConfig& config : wanted) {
    if (!rules::IsAtLeast(firing.finding.severity, LeastSeverity(config))) continue;
    const auto* stop = std::get_if<StopTrainingConfig>(&config);
    if (stop != nullptr && !stopped_.insert(stop->prefix).second) continue;
    if (stop != nullptr && stopped_by_.empty()) stopped_by_ = firing.rule;
    (IsForPeople(config) ? to_people : at_once).push_back(config);
  }
  dispatcher_->Submit(firing, at_once);
  if (!to_people.empty()) AddToMessages(firing, std::move(to_people));
}

void FindingActions::Tell(const Firing& firing, std::span<const ActionConfig> messages) {
  if (is_open()) dispatcher_->Submit(firing, messages);
}

void FindingActions::AddToMessages(const Firing& firing, std::vector<ActionConfig> actions) {
  const auto same = std::find_if(messages_.rbegin(), messages_.rend(), [&](const Message& message) {
    return message.firing.rule == firing.rule && message.firing.finding.step == firing.finding.step;
  });
  if (same != messages_.rend()) {
    ++same->more;
  } else {
    messages_.push_back({firing, std::move(actions)});
  }
}

std::string FindingActions::MoreText(const Message& message) const {
  const std::string text = fmt::format("{} more finding{} at step {}", message.more,
                                       message.more == 1 ? "" : "s", message.firing.finding.step);
  return style_ == MoreStyle::kInParentheses ? fmt::format(" ({})", text) : "; " + text;
}

void FindingActions::Flush() {
  for (Message& message : std::exchange(messages_, {})) {
    if (message.more > 0) message.firing.finding.message += MoreText(message);
    dispatcher_->Submit(message.firing, message.actions);
  }
}

std::vector<Outcome> FindingActions::Finish(std::chrono::milliseconds timeout) {
  if (!is_open()) return {};
  Flush();
  std::vector<Outcome> left = dispatcher_->Finish(timeout);
  dispatcher_.reset();
  return left;
}

}  // namespace warden::actions
