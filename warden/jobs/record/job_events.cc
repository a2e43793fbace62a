#include <fmt/format.h>

#include "warden/base/json_members.h"
#include "warden/base/time.h"
#include "warden/jobs/record/describe.h"
#include "warden/jobs/record/description.h"
#include "warden/os/random.h"

namespace warden::jobs {
namespace {

Json MillisecondsJson(Time time) { return time.time_since_epoch().count(); }

Json Envelope(const TrainingJob& job, const char* type, std::string resource, Json detail,
              Time now) {
  return {{"version", "0"},
          {"id", os::RandomUuid()},
          {"detail-type", type},
          {"source", "aws.sagemaker"},
          {"account", job.account},
          {"time", IsoSeconds(now)},
          {"region", job.region},
          {"resources", Json::array({std::move(resource)})},
          {"detail", std::move(detail)}};
}

void Default(const char* name, Json value, Json* detail) {
  if (!detail->contains(name)) (*detail)[name] = std::move(value);
}

Json Tags(const TrainingJob& job) {
  Json tags = Json::object();
  for (const auto& [key, value] : job.tags) tags[key] = value;
  return tags;
}

// Events spell some of what the API says otherwise.
void RespellNetwork(Json* network) {
  for (const auto& item : network->items()) {
    if (item.value().is_boolean()) item.value() = item.value().get<bool>() ? "True" : "False";
  }
  Default("VpcConfig", Json::object(), network);
}

void RespellPlaces(Json* detail) {
  for (Json& input : (*detail)["ProcessingInputs"]) {
    input["AppManaged"] = "False";
    Json& s3 = input["S3Input"];
    s3["S3DataType"] = "S3_PREFIX";
    s3["S3InputMode"] = "FILE";
    s3["S3DataDistributionType"] = "FULLYREPLICATED";
    s3["S3CompressionType"] = "NONE";
  }
  for (Json& output : (*detail)["ProcessingOutputConfig"]["Outputs"]) {
    output["AppManaged"] = "False";
    output["S3Output"]["S3UploadMode"] = "CONTINUOUS";
  }
  Default("KmsKeyId", "", &(*detail)["ProcessingOutputConfig"]);
}

}  // namespace

Json TrainingJobEvent(const TrainingJob& job, Time now) {
  Json detail = TrainingJobMembers(job, &MillisecondsJson);
  Default("HyperParameters", Json::object(), &detail);
  Default("InputDataConfig", Json::array(), &detail);
  Default("VpcConfig", Json::object(), &detail);
  detail["Tags"] = Tags(job);
  return Envelope(job, "SageMaker Training Job State Change", job.Arn(), std::move(detail), now);
}

Json RuleJobEvent(const TrainingJob& job, const RuleJob& rule, Time now) {
  Json detail = RuleJobMembers(job, rule, &MillisecondsJson);
  RespellNetwork(&detail["NetworkConfig"]);
  RespellPlaces(&detail);
  detail["AppSpecification"]["ContainerEntrypoint"] = Json::array();
  detail["AppSpecification"]["ContainerArguments"] = Json::array();
  for (const char* name : {"ExitMessage", "FailureReason", "LastModifiedBy", "CreatedBy",
                           "MonitoringScheduleArn", "AutoMLJobArn"}) {
    Default(name, "", &detail);
  }
  for (const char* name : {"ExperimentConfig", "SdkResponseMetadata", "SdkHttpMetadata"}) {
    Default(name, Json::object(), &detail);
  }
  detail["Tags"] = Json::object();
  return Envelope(job, "SageMaker Processing Job State Change", job.RuleArn(rule),
                  std::move(detail), now);
}

Json IncidentEvent(const TrainingJob& job, const JobIncident& incident, Time now) {
  Json detail = {{"TrainingJobName", job.name},
                 {"TrainingJobArn", job.Arn()},
                 {"TrainingJobStatus", NameOf(job.status)},
                 {"SecondaryStatus", NameOf(job.secondary)},
                 {"LastModifiedTime", MillisecondsJson(incident.begun)},
                 {"Incident", incident.json},
                 {"Tags", Tags(job)}};
  Json event = Envelope(job, "Training Job Incident", job.Arn(), std::move(detail), now);
  event["id"] = incident.id;
  event["source"] = "tensorwarden";
  return event;
}

}  // namespace warden::jobs
