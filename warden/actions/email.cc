#include "warden/actions/email.h"

#include "warden/actions/smtp.h"

namespace warden::actions {
namespace {

class Email : public Action {
 public:
  Email(EmailConfig config, SmtpSettings smtp)
      : config_(std::move(config)), smtp_(std::move(smtp)) {}

  Attempt Run(const Firing& firing, const std::stop_token& stop) override {
    return SendMail(smtp_,
                    {smtp_.from, config_.address, Headline(firing), LongNotice(firing),
                     EventId(firing), std::chrono::floor<std::chrono::seconds>(firing.time)},
                    stop);
  }

 private:
  const EmailConfig config_;
  const SmtpSettings smtp_;
};

}  // namespace

Result<std::unique_ptr<Action>> NewEmail(EmailConfig config, SmtpSettings smtp) {
  if (Status status = CheckSmtp(smtp); !status.ok()) return status;
  return std::unique_ptr<Action>(std::make_unique<Email>(std::move(config), std::move(smtp)));
}

}  // namespace warden::actions
