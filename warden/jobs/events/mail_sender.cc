#include "warden/jobs/events/mail_sender.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "warden/actions/smtp.h"
#include "warden/base/json_members.h"
#include "warden/jobs/events/event_members.h"
#include "warden/jobs/events/findings_file.h"
#include "warden/jobs/events/mail_text.h"
#include "warden/rules/finding.h"

namespace warden::jobs {
namespace {

// The same for each try: a mailbox may compare it.
std::chrono::sys_seconds DateOf(const Json& event) {
  const int64_t time = IntegerOf(MemberOf(event, "detail", "LastModifiedTime"));
  return std::chrono::floor<std::chrono::seconds>(Time(std::chrono::milliseconds(time)));
}

class MailSender : public EventSender {
 public:
  MailSender(actions::SmtpSettings smtp, std::string address, std::string data, JobStore* store)
      : smtp_(std::move(smtp)),
        address_(std::move(address)),
        layout_(std::move(data)),
        store_(store) {}

  actions::Attempt Send(const StoredEvent&, const Json& json,
                        const std::stop_token& stop) override {
    MailText text = MailTextOf(json, NewsOf(json));
    return actions::SendMail(smtp_,
                             {smtp_.from, address_, std::move(text.subject), std::move(text.body),
                              TextIn(json, "id"), DateOf(json)},
                             stop);
  }

 private:
  // What is still known: the job may have been deleted since.
  RuleNews NewsOf(const Json& event) {
    RuleNews news;
    const std::string name = TextOf(MemberOf(event, "detail", "ProcessingJobName"));
    if (name.empty()) return news;
    news.name = name;
    const auto found = store_->FindRuleJob(name);
    if (!found.ok()) return news;
    const auto& [job, place] = found.value();
    news.name = job.rules[place].Name();
    if (job.rules[place].status != RuleStatus::kIssuesFound) return news;
    for (const actions::Firing& firing : FindingsReader(layout_.Rule(job.name, name)).Next()) {
      const std::string count = rules::ScriptCountText(firing.finding);
      news.findings.push_back(count.empty()
                                  ? firing.finding.message
                                  : fmt::format("{} ({})", firing.finding.message, count));
    }
    return news;
  }

  const actions::SmtpSettings smtp_;
  const std::string address_;
  const service::DataLayout layout_;
  JobStore* const store_;
};

}  // namespace

std::unique_ptr<EventSender> NewMailSender(const actions::SmtpSettings& smtp, std::string address,
                                           std::string data, JobStore* store) {
  return std::make_unique<MailSender>(smtp, std::move(address), std::move(data), store);
}

}  // namespace warden::jobs
