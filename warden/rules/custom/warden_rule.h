#ifndef WARDEN_RULES_CUSTOM_WARDEN_RULE_H_
#define WARDEN_RULES_CUSTOM_WARDEN_RULE_H_

/* Rules in a shared object. This header is all that such a rule needs: plain C, no library.
 *
 *   cc -shared -fPIC -o rules.so rules.c
 *   warden eval RUN --rule rules.so:Name,key=value
 *
 * The object exports one function, warden_rules. What is declared here does not change; what is
 * added makes a new version of the interface, and objects of older versions go on working.
 *
 * A rule is called from one thread. It runs inside the program: a crash in it is a crash of the
 * program, and no C++ exception may leave a function. Whatever is passed to a function belongs to
 * the caller and is valid until the function returns. Texts are UTF-8 and end with a zero.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { kWardenRuleVersion = 1, kWardenMessageSize = 512 };

/* Types of elements. */
enum WardenDType {
  kWardenFloat16 = 0,
  kWardenBFloat16 = 1,
  kWardenFloat32 = 2,
  kWardenFloat64 = 3,
  kWardenInt8 = 4,
  kWardenInt16 = 5,
  kWardenInt32 = 6,
  kWardenInt64 = 7,
  kWardenUInt8 = 8,
  kWardenUInt16 = 9,
  kWardenUInt32 = 10,
  kWardenUInt64 = 11,
  kWardenBool = 12,
  kWardenComplex64 = 13,
  kWardenComplex128 = 14
};

/* A tensor of one worker at the step. Tensors of texts, and those of which only reductions were
 * saved, are not shown to rules. */
struct WardenTensor {
  const char* name;
  const char* worker;
  int32_t dtype; /* enum WardenDType */
  int32_t rank;
  const int64_t* shape; /* rank sizes */
  const void* data;     /* count elements in C order, aligned as their type asks */
  uint64_t count;
};

struct WardenStep {
  int64_t step;                       /* over all modes */
  int64_t mode_step;                  /* counted in its mode */
  const char* mode;                   /* "TRAIN", "EVAL", "PREDICT", "GLOBAL" */
  const struct WardenTensor* tensors; /* by name, then worker */
  uint64_t tensor_count;
};

/* A parameter as the user wrote it. */
struct WardenParam {
  const char* name;
  const char* text;
};

/* What a step is found to be. */
enum WardenVerdictKind {
  kWardenHealthy = 0,
  kWardenFired = 1,   /* what the rule looks for is there */
  kWardenSkipped = 2, /* this step cannot be judged; the message completes "not judged: ..." */
  kWardenError = 3    /* the rule cannot go on; the message says why */
};

struct WardenVerdict {
  int64_t tensor;   /* the place in the step's tensors of the one at fault; -1 (preset): none */
  double value;     /* what was measured, ... */
  double threshold; /* ... and what it should have kept to; both preset to 0 */
  char message[kWardenMessageSize]; /* preset to ""; "mean |g| 31 is above 10" */
};

struct WardenRule {
  const char* name;   /* what the user writes behind the colon */
  const char* doc;    /* one sentence: what it means when this fires */
  const char* advice; /* what to try then; "" for nothing */

  /* Makes a rule and puts it into *rule. Anything but 0 refuses the parameters; the message, of
   * kWardenMessageSize bytes, says why. */
  int (*create)(const struct WardenParam* params, uint64_t count, void** rule, char* message);
  /* In the order of steps; steps without tensors for the rule are left out.
   * Returns an enum WardenVerdictKind. */
  int (*judge)(void* rule, const struct WardenStep* step, struct WardenVerdict* verdict);
  void (*destroy)(void* rule);
};

struct WardenRules {
  uint32_t version; /* kWardenRuleVersion; always first */
  uint32_t count;
  const struct WardenRule* rules;
};

/* To be defined by the shared object. What it returns lives as long as the object is loaded. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const struct WardenRules*
warden_rules(void);

#ifdef __cplusplus
}
#endif

#endif /* WARDEN_RULES_CUSTOM_WARDEN_RULE_H_ */
