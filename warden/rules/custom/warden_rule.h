#ifndef WARDEN_RULES_CUSTOM_WARDEN_RULE_H_
#define WARDEN_RULES_CUSTOM_WARDEN_RULE_H_

/* Interface for rules in a shared object. This header is all a rule needs: plain C, no library.
 *
 *   cc -shared -fPIC -o rules.so rules.c
 *   warden eval RUN --rule rules.so:Name,key=value
 *
 * The object exports one function, warden_rules. These declarations do not change. Additions get a
 * new interface version, and objects built for older versions keep working.
 *
 * Which tensors a rule gets is decided by the user's parameters collection_names and tensor_regex,
 * by default all of a step. These two, start_step and end_step are handled by warden; all other
 * parameters are passed to the rule as text.
 *
 * A rule is called from one thread and runs inside warden: if the rule crashes, warden crashes. A
 * C++ exception must not leave a function. Arguments belong to the caller and are valid until the
 * function returns. Strings are UTF-8 and zero-terminated.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface, and the size of buffers for messages with their zero byte. A
 * longer message is cut. */
enum { kWardenRuleVersion = 1, kWardenMessageSize = 512 };

/* Element types, with the sizes that their names say. float16 is IEEE binary16; bfloat16 is the
 * upper half of a float; a bool is one byte, true unless 0; complex numbers are pairs of floats or
 * doubles, real part first. The numbers do not change. */
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

/* A tensor saved by one worker at the step. String tensors, and tensors of which only reductions
 * were saved, are not passed to rules. */
struct WardenTensor {
  const char* name;
  /* "worker_0"; a distributed training has the same name once for each worker. */
  const char* worker;
  int32_t dtype;        /* enum WardenDType */
  int32_t rank;         /* number of dimensions; 0 for a scalar */
  const int64_t* shape; /* rank values */
  /* count elements in C order, aligned for their type. Read only: they may be those of the file. */
  const void* data;
  uint64_t count;
};

/* One complete step of the run. It has at least one tensor. */
struct WardenStep {
  int64_t step;                       /* global, over all modes */
  int64_t mode_step;                  /* counted within its mode */
  const char* mode;                   /* "TRAIN", "EVAL", "PREDICT", "GLOBAL" */
  const struct WardenTensor* tensors; /* sorted by name, then worker */
  uint64_t tensor_count;
};

/* A parameter as the user wrote it: "threshold" and "0.5". The rule parses and checks it. */
struct WardenParam {
  const char* name;
  const char* text;
};

/* Result of checking a step. Any other value stops the rule with an error. */
enum WardenVerdictKind {
  kWardenHealthy = 0,
  kWardenFired = 1,   /* the rule found a problem */
  kWardenSkipped = 2, /* the step cannot be checked; the message says why */
  kWardenError = 3    /* the rule failed and stops; the message says why */
};

/* Details of a result; the rule fills in what it knows. With kWardenFired, a message that is empty
 * is replaced by a general one. A problem that lasts is reported once, with the steps at which it
 * was seen: return kWardenFired at each of them, and kWardenHealthy when it has ended. */
struct WardenVerdict {
  int64_t tensor;   /* index of the tensor with the problem; -1 (preset): no single tensor */
  double value;     /* the measured value; preset to 0 */
  double threshold; /* the limit it violated; preset to 0 */
  char message[kWardenMessageSize]; /* preset to ""; "mean |g| 31 is above 10" */
};

/* A rule of the object. All three functions must be set. Several runs, or the same rule with other
 * parameters, get one created rule each: keep state there and not in global variables. */
struct WardenRule {
  const char* name;   /* the name after the colon: rules.so:Name */
  const char* doc;    /* one sentence: what a finding means */
  const char* advice; /* how to fix it; "" for none */

  /* Creates a rule in *rule and returns 0. Any other value rejects the parameters; the message, of
   * kWardenMessageSize bytes, says why. */
  int (*create)(const struct WardenParam* params, uint64_t count, void** rule, char* message);
  /* Checks one step and returns an enum WardenVerdictKind. Called in the order of steps; steps
   * without tensors for the rule are skipped. Formerly `judge`; objects built with that name keep
   * working. */
  int (*check)(void* rule, const struct WardenStep* step, struct WardenVerdict* verdict);
  void (*destroy)(void* rule);
};

/* What the object exports. */
struct WardenRules {
  uint32_t version; /* kWardenRuleVersion; always first */
  uint32_t count;
  const struct WardenRule* rules;
};

/* Defined by the shared object. The result must stay valid as long as the object is loaded. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const struct WardenRules*
warden_rules(void);

#ifdef __cplusplus
}
#endif

#endif /* WARDEN_RULES_CUSTOM_WARDEN_RULE_H_ */
