#ifndef WARDEN_NET_XML_H_
#define WARDEN_NET_XML_H_

// As much XML as S3 needs, on both of its sides: writing answers and reading the few documents that
// clients send (s3), reading a server's answers (storage/s3). STS's and IAM's answers
// (sagemaker/sts.h) are written with it, too.
//
//   XmlWriter xml;
//   xml.Open("Owner").Leaf("ID", "1 & 2").Close("Owner");  // ...<Owner><ID>1 &amp; 2</ID></Owner>

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"

namespace warden::net {

// Writes a document. Names are ours and written as they are; texts may be anything and are escaped.
// Whoever opens an element closes it: that is not checked.
class XmlWriter {
 public:
  // Begins with the XML declaration.
  XmlWriter();
  // name_space: for the xmlns attribute of a root element.
  XmlWriter& Open(std::string_view name, std::string_view name_space = "");
  XmlWriter& Close(std::string_view name);  // The element that was opened last.
  // An element with a text alone.
  XmlWriter& Leaf(std::string_view name, std::string_view text);

  // The document so far.
  const std::string& text() const { return out_; }

 private:
  std::string out_;
};

// An element of a small document. Attributes are not kept.
struct XmlElement {
  std::string name;                  // Without the prefix of its namespace.
  std::string text;                  // Decoded; of elements with children the text between them.
  std::vector<XmlElement> children;  // In their order.

  // The text of the first child of that name, empty if there is none. Valid as long as this
  // element.
  std::string_view Text(std::string_view child) const;
};

// Returns the root of a document. kInvalid says what is wrong. Reads what clients and servers send:
// elements, attributes (dropped), text, comments and the five named entities. No other
// declarations, at most 16 levels and 100,000 elements, so that no small document becomes large on
// being read.
Result<XmlElement> ParseXml(std::string_view text);

}  // namespace warden::net

#endif  // WARDEN_NET_XML_H_
