#include "warden/actions/sms.h"

#include "warden/actions/aws_query.h"
#include "warden/base/text/utf8.h"

namespace warden::actions {
namespace {

// Three messages of 140 bytes; longer ones cost and say no more.
constexpr size_t kMaxSmsBytes = 420;

class Sms : public Action {
 public:
  Sms(SmsConfig config, AwsSettings aws) : config_(std::move(config)), aws_(std::move(aws)) {}

  Attempt Run(const Firing& firing, const std::stop_token& stop) override {
    return PostAwsQuery(aws_, "sns", aws_.sns_endpoint,
                        {{"Action", "Publish"},
                         {"Version", "2010-03-31"},
                         {"PhoneNumber", config_.number},
                         {"Message", SmsText(firing)}},
                        stop);
  }

 private:
  const SmsConfig config_;
  const AwsSettings aws_;
};

}  // namespace

Result<std::unique_ptr<Action>> NewSms(SmsConfig config, AwsSettings aws) {
  if (Status status = CheckAws(aws, aws.sns_endpoint, "WARDEN_SNS_ENDPOINT"); !status.ok()) {
    return status;
  }
  return std::unique_ptr<Action>(std::make_unique<Sms>(std::move(config), std::move(aws)));
}

std::string SmsText(const Firing& firing) {
  return std::string(CutUtf8(ValidUtf8(OneLine(ShortNotice(firing))), kMaxSmsBytes));
}

}  // namespace warden::actions
