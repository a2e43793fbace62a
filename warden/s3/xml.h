#ifndef WARDEN_S3_XML_H_
#define WARDEN_S3_XML_H_

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"

namespace warden::s3 {

// Writes a document; names are ours, texts are anybody's.
class XmlWriter {
 public:
  XmlWriter();
  XmlWriter& Open(std::string_view name, std::string_view name_space = "");
  XmlWriter& Close(std::string_view name);
  XmlWriter& Leaf(std::string_view name, std::string_view text);

  const std::string& text() const { return out_; }

 private:
  std::string out_;
};

// An element of a small document: either text or children are of interest.
struct XmlElement {
  std::string name;  // Without the prefix of its name space.
  std::string text;
  std::vector<XmlElement> children;

  // The text of the first child of that name, empty if there is none.
  std::string_view Text(std::string_view child) const;
};

// The root of a document. kInvalid says what is wrong. Of XML it knows what clients send: elements,
// attributes (left out), text, comments and the five named entities; no declarations of others, so
// that nothing grows on being read.
Result<XmlElement> ParseXml(std::string_view text);

}  // namespace warden::s3

#endif  // WARDEN_S3_XML_H_
