/* Reads a record of an event file (docs/formats/run.md): one tensor in protobuf's wire format. The
 * bytes may come from anywhere, so every length is checked before it is used. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "bindings.h"

enum { kMostDimensions = 32, kHeaderBytes = 12, kTrailerBytes = 4 };

/* Types as in the files. */
enum {
  kFloat32 = 1,
  kFloat64 = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 5,
  kInt8 = 6,
  kString = 7,
  kComplex64 = 8,
  kInt64 = 9,
  kBool = 10,
  kBfloat16 = 14,
  kUint16 = 17,
  kComplex128 = 18,
  kFloat16 = 19,
  kUint32 = 22,
  kUint64 = 23
};

typedef struct {
  const uint8_t* at;
  const uint8_t* end;
} Span;

/* One field of a message: a number, or bytes. */
typedef struct {
  uint64_t number; /* Of the field. */
  uint64_t value;  /* For fields that are numbers. */
  Span bytes;      /* For fields with a length. */
  int has_bytes;
} Field;

typedef struct {
  Span name;
  int has_tensor;
  int type;
  int dimensions;
  double shape[kMostDimensions];
  Span content;
  Span message; /* Of the tensor: strings are read from it. */
  R_xlen_t strings;
} Tensor;

static void Damaged(const char* what) { Rf_error("damaged record: %s", what); }

static uint64_t ReadVarint(Span* bytes) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (bytes->at == bytes->end) Damaged("a number ends early");
    const uint8_t byte = *bytes->at++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  Damaged("a number is too long");
  return 0;
}

static void Skip(Span* bytes, uint64_t count) {
  if (count > (uint64_t)(bytes->end - bytes->at)) Damaged("a field ends early");
  bytes->at += count;
}

/* Returns 0 at the end of the message. */
static int NextField(Span* message, Field* field) {
  if (message->at == message->end) return 0;
  const uint64_t tag = ReadVarint(message);
  memset(field, 0, sizeof(*field));
  field->number = tag >> 3;
  switch (tag & 7) {
    case 0: field->value = ReadVarint(message); break;
    case 1: Skip(message, 8); break;
    case 2: {
      const uint64_t length = ReadVarint(message);
      field->bytes.at = message->at;
      Skip(message, length);
      field->bytes.end = message->at;
      field->has_bytes = 1;
      break;
    }
    case 5: Skip(message, 4); break;
    default: Damaged("a field has an unknown kind");
  }
  return 1;
}

static void ReadShape(Span message, Tensor* tensor) {
  Field field;
  while (NextField(&message, &field)) {
    if (field.number != 2 || !field.has_bytes) continue;
    if (tensor->dimensions == kMostDimensions) Damaged("more than 32 dimensions");
    uint64_t size = 0;
    Field inner;
    Span dimension = field.bytes;
    while (NextField(&dimension, &inner)) {
      if (inner.number == 1 && !inner.has_bytes) size = inner.value;
    }
    if (size > (uint64_t)R_XLEN_T_MAX) Damaged("a dimension is too large");
    tensor->shape[tensor->dimensions++] = (double)size;
  }
}

static void ReadTensor(Span message, Tensor* tensor) {
  tensor->has_tensor = 1;
  tensor->message = message;
  Field field;
  while (NextField(&message, &field)) {
    if (field.number == 1 && !field.has_bytes) tensor->type = (int)field.value;
    if (field.number == 2 && field.has_bytes) ReadShape(field.bytes, tensor);
    if (field.number == 4 && field.has_bytes) tensor->content = field.bytes;
    if (field.number == 8 && field.has_bytes) ++tensor->strings;
  }
}

static void ReadValue(Span message, Tensor* tensor) {
  Field field;
  while (NextField(&message, &field)) {
    if (field.number == 1 && field.has_bytes) tensor->name = field.bytes;
    if (field.number == 8 && field.has_bytes) ReadTensor(field.bytes, tensor);
  }
}

static void ReadEvent(Span message, Tensor* tensor) {
  Field field;
  while (NextField(&message, &field)) {
    if (field.number != 5 || !field.has_bytes) continue;
    Field inner;
    Span summary = field.bytes;
    while (NextField(&summary, &inner)) {
      if (inner.number == 1 && inner.has_bytes) ReadValue(inner.bytes, tensor);
    }
  }
}

static double FromHalf(uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  double value;
  if (exponent == 0) {
    value = ldexp(fraction, -24);
  } else if (exponent == 31) {
    value = fraction == 0 ? R_PosInf : R_NaN;
  } else {
    value = ldexp(fraction + 1024, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

static double FromBfloat(uint16_t bits) {
  const uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof(value));
  return value;
}

static int SizeOfType(int type) {
  switch (type) {
    case kUint8:
    case kInt8:
    case kBool: return 1;
    case kInt16:
    case kUint16:
    case kFloat16:
    case kBfloat16: return 2;
    case kFloat32:
    case kInt32:
    case kUint32: return 4;
    case kFloat64:
    case kInt64:
    case kUint64:
    case kComplex64: return 8;
    case kComplex128: return 16;
    default: return 0;
  }
}

/* Values need not be aligned. */
#define LOAD(type) \
  type value;      \
  memcpy(&value, at, sizeof(value))

static double NumberAt(const uint8_t* at, int type) {
  switch (type) {
    case kFloat32: {
      LOAD(float);
      return value;
    }
    case kFloat64: {
      LOAD(double);
      return value;
    }
    case kInt32: {
      LOAD(int32_t);
      return value;
    }
    case kUint8: return *at;
    case kInt16: {
      LOAD(int16_t);
      return value;
    }
    case kInt8: {
      LOAD(int8_t);
      return value;
    }
    case kInt64: {
      LOAD(int64_t);
      return (double)value;
    }
    case kBool: return *at != 0;
    case kBfloat16: {
      LOAD(uint16_t);
      return FromBfloat(value);
    }
    case kUint16: {
      LOAD(uint16_t);
      return value;
    }
    case kFloat16: {
      LOAD(uint16_t);
      return FromHalf(value);
    }
    case kUint32: {
      LOAD(uint32_t);
      return value;
    }
    case kUint64: {
      LOAD(uint64_t);
      return (double)value;
    }
    default: return R_NaN;
  }
}

static SEXP StringsOf(const Tensor* tensor) {
  SEXP texts = PROTECT(Rf_allocVector(STRSXP, tensor->strings));
  Span message = tensor->message;
  Field field;
  R_xlen_t index = 0;
  while (NextField(&message, &field)) {
    if (field.number != 8 || !field.has_bytes) continue;
    const R_xlen_t length = field.bytes.end - field.bytes.at;
    if (length > INT32_MAX || memchr(field.bytes.at, 0, (size_t)length) != NULL) {
      Damaged("a text has a zero byte or is too long");
    }
    SET_STRING_ELT(texts, index++,
                   Rf_mkCharLenCE((const char*)field.bytes.at, (int)length, CE_UTF8));
  }
  UNPROTECT(1);
  return texts;
}

/* Integers of 32 bits and more become doubles: the smallest one is R's NA. Beyond 2^53 they are
 * rounded. */
static SEXP NumbersOf(const Tensor* tensor, R_xlen_t count) {
  const int size = SizeOfType(tensor->type);
  const uint8_t* at = tensor->content.at;
  if (tensor->type == kBool) {
    SEXP values = Rf_allocVector(LGLSXP, count);
    for (R_xlen_t i = 0; i < count; ++i) LOGICAL(values)[i] = at[i] != 0;
    return values;
  }
  if (tensor->type == kUint8 || tensor->type == kInt8 || tensor->type == kInt16 ||
      tensor->type == kUint16) {
    SEXP values = Rf_allocVector(INTSXP, count);
    for (R_xlen_t i = 0; i < count; ++i, at += size) {
      INTEGER(values)[i] = (int)NumberAt(at, tensor->type);
    }
    return values;
  }
  if (tensor->type == kComplex64 || tensor->type == kComplex128) {
    const int part = tensor->type == kComplex64 ? kFloat32 : kFloat64;
    SEXP values = Rf_allocVector(CPLXSXP, count);
    for (R_xlen_t i = 0; i < count; ++i, at += size) {
      COMPLEX(values)[i].r = NumberAt(at, part);
      COMPLEX(values)[i].i = NumberAt(at + size / 2, part);
    }
    return values;
  }
  SEXP values = Rf_allocVector(REALSXP, count);
  if (tensor->type == kFloat64) {
    if (count > 0) memcpy(REAL(values), at, (size_t)count * sizeof(double));
    return values;
  }
  for (R_xlen_t i = 0; i < count; ++i, at += size) REAL(values)[i] = NumberAt(at, tensor->type);
  return values;
}

static SEXP ValuesOf(const Tensor* tensor) {
  double count = 1;
  for (int i = 0; i < tensor->dimensions; ++i) count *= tensor->shape[i];
  if (tensor->type == kString || tensor->type == 0) {
    if (tensor->dimensions > 1 && count != (double)tensor->strings) {
      Rf_error("damaged record: %.0f texts, expected %.0f", (double)tensor->strings, count);
    }
    return StringsOf(tensor);
  }
  const int size = SizeOfType(tensor->type);
  if (size == 0) Rf_error("the tensor has the type %d, which is not supported", tensor->type);
  const double bytes = (double)(tensor->content.end - tensor->content.at);
  if (count * size != bytes) {
    Rf_error("damaged record: %.0f bytes of values, expected %.0f", bytes, count * size);
  }
  return NumbersOf(tensor, (R_xlen_t)count);
}

SEXP wr_parse_record(SEXP bytes) {
  if (TYPEOF(bytes) != RAWSXP) Rf_error("bytes is not a raw vector");
  const uint8_t* at = RAW(bytes);
  const uint64_t size = (uint64_t)Rf_xlength(bytes);
  uint64_t length = 0;
  if (size < kHeaderBytes + kTrailerBytes) Damaged("it is too short");
  memcpy(&length, at, sizeof(length));
  if (length > size - kHeaderBytes - kTrailerBytes) Damaged("it is shorter than it says");
  Tensor tensor;
  memset(&tensor, 0, sizeof(tensor));
  const Span event = {at + kHeaderBytes, at + kHeaderBytes + length};
  ReadEvent(event, &tensor);
  if (!tensor.has_tensor) Damaged("it has no tensor");
  const char* members[] = {"name", "type", "shape", "values", ""};
  SEXP result = PROTECT(Rf_mkNamed(VECSXP, members));
  const R_xlen_t letters = tensor.name.end - tensor.name.at;
  if (letters > INT32_MAX || (letters > 0 && memchr(tensor.name.at, 0, (size_t)letters) != NULL)) {
    Damaged("the name has a zero byte or is too long");
  }
  SET_VECTOR_ELT(result, 0,
                 Rf_ScalarString(Rf_mkCharLenCE(letters > 0 ? (const char*)tensor.name.at : "",
                                                (int)letters, CE_UTF8)));
  SET_VECTOR_ELT(result, 1, Rf_ScalarInteger(tensor.type));
  SEXP shape = Rf_allocVector(REALSXP, tensor.dimensions);
  SET_VECTOR_ELT(result, 2, shape);
  for (int i = 0; i < tensor.dimensions; ++i) REAL(shape)[i] = tensor.shape[i];
  SET_VECTOR_ELT(result, 3, ValuesOf(&tensor));
  UNPROTECT(1);
  return result;
}
