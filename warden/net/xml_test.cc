#include "warden/net/xml.h"

#include <gtest/gtest.h>

#include <string>

namespace warden::net {
namespace {

TEST(XmlTest, WritesAnything) {
  XmlWriter xml;
  xml.Open("a", "urn:x").Leaf("b", "<&>\"\x01\r\n\xC3\xA9").Close("a");
  EXPECT_EQ(xml.text(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<a xmlns=\"urn:x\"><b>&lt;&amp;&gt;&quot;&#x1;&#xD;\n\xC3\xA9</b></a>");
}

TEST(XmlTest, WhatItWritesCanBeRead) {
  XmlWriter xml;
  xml.Open("a").Leaf("b", std::string_view("x\0y", 3)).Close("a");
  const Result<XmlElement> root = ParseXml(xml.text());
  ASSERT_TRUE(root.ok()) << root.status().message();
  EXPECT_EQ(root.value().Text("b"), "x\xEF\xBF\xBDy");
}

TEST(XmlTest, ReadsWhatClientsSend) {
  const Result<XmlElement> root = ParseXml(
      "<?xml version='1.0'?><!-- c --><s3:a xmlns:s3=\"u\" k = 'v'>\n <b>x&amp;&#x41;&#66;</b>"
      "<c/><b>2</b></s3:a>\n");
  ASSERT_TRUE(root.ok());
  EXPECT_EQ(root.value().name, "a");
  EXPECT_EQ(root.value().children.size(), 3u);
  EXPECT_EQ(root.value().Text("b"), "x&AB");
  EXPECT_EQ(root.value().Text("none"), "");
}

TEST(XmlTest, RefusesEverythingElse) {
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "<a>";
  for (const std::string& text :
       {std::string(), std::string("a"), std::string("<a>"), std::string("<a></b>"),
        std::string("<a/><b/>"), std::string("<a b></a>"), std::string("<a>&b;</a>"),
        std::string("<a>&#0;</a>"), std::string("<a>&#xD800;</a>"), std::string("<a>&amp</a>"),
        std::string("<!DOCTYPE a><a/>"), std::string("<a><![CDATA[x]]></a>"),
        std::string("<a>\xFF</a>"), std::string("<a>\0</a>", 8), deep}) {
    EXPECT_EQ(ParseXml(text).status().code(), Code::kInvalid) << text.substr(0, 40);
  }
  std::string many = "<a>";
  for (int i = 0; i < 100'001; ++i) many += "<b/>";
  EXPECT_FALSE(ParseXml(many + "</a>").ok());
}

}  // namespace
}  // namespace warden::net
