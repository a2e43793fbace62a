#ifndef WARDEN_ACTIONS_EVENT_H_
#define WARDEN_ACTIONS_EVENT_H_

// A finding on its way out of the process: Firing carries it, and the functions below turn it into
// the texts and JSON that people and programs receive. Made by whoever evaluates rules; read by all
// actions, by the dispatcher's journal and by the events of the service. Pure values and functions.

#include <chrono>
#include <string>

#include "warden/base/json.h"
#include "warden/base/status.h"
#include "warden/base/time.h"
#include "warden/rules/finding.h"

namespace warden::actions {

// A finding of a rule, with everything that an action needs.
struct Firing {
  // The job's name, or the name of the run's folder where there are no jobs.
  std::string job;
  // Distinguishes a job that was started again, with the same name and folder: for example its
  // start time. May be empty where names are not used twice.
  std::string launch;
  std::string run;         // Its folder.
  std::string rule;        // The name under which the user configured it.
  std::string rule_class;  // What it is: "VanishingGradient".
  // When the finding was made, not when it is delivered: mails and events carry it as their date.
  Time time;
  rules::Finding finding;
  // What else has the same cause, as watch/summary/incidents.h writes it, if this stands for all of
  // it; null: the finding alone.
  Json incident = nullptr;
};

// How bad it is: the incident, or the finding.
rules::Severity SeverityOf(const Firing& firing);

// The journal's form, and that of the file in which a rule's process hands over its findings.
Json ToJson(const Firing& firing);
// kCorrupt names the member that is missing or has the wrong type. Only "finding" is required.
Result<Firing> FiringFromJson(const Json& json);

// A UUID, the same whenever the same rule finds the same thing in the same launch of a job: however
// often it is delivered, and by whichever process, receivers can see that it is one event, even if
// the finding has grown since. For a profiler rule the step does not count, since its findings
// begin slightly earlier or later when they are evaluated again.
std::string EventId(const Firing& firing);

// The account and region that the event is to name; ours are invented.
struct Origin {
  std::string account = "000000000000";
  std::string region = "us-east-1";
};

// "SageMaker Training Job State Change" as Amazon's EventBridge has it, so that handlers written
// for it understand ours, with detail.Finding and, if there is one, detail.Incident in addition.
// This is what webhooks and commands receive.
Json EventOf(const Firing& firing, const Origin& origin);

// "SMDebugRule:VanishingGradient fired", as the original's messages begin.
std::string Headline(const Firing& firing);

// "HEADLINE. Job NAME, step 500: MESSAGE": for an SMS and as the reason of a stop. A name or
// message that has line breaks keeps them; apply OneLine where that matters.
std::string ShortNotice(const Firing& firing);

// What followed from the cause of an incident, as watch/summary/incidents.h writes it: its effects,
// its spread, how many findings there are. Up to three lines, of which each ends with '\n'; empty
// if nothing is known, or the incident is not an object.
std::string WhatFollowed(const Json& incident);

// The headline, then all details, on several lines: the body of a mail.
std::string LongNotice(const Firing& firing);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_EVENT_H_
