#include "warden/jobs/launch/node.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "warden/jobs/launch/host_machine.h"
#include "warden/jobs/launch/launch_for_test.h"

namespace warden::jobs {
namespace {

TEST(NodeTest, ASpecGetsAddressesAndDevicesOfItsNode) {
  const os::TempFolder temp;
  const std::string file = temp.path() / "nodes";
  WriteText(file, "algo-1 node3 10.0.0.3\nalgo-2 node4 10.0.0.4\nhalf a\n");
  EXPECT_EQ(ReadNodes(file).size(), 2u);
  EXPECT_EQ(ReadNodes(file).at("algo-2").name, "node4");
  setenv("WARDEN_TEST_DEVICES", "2,3", 1);
  HostSpec spec;
  spec.nodes_file = file;
  spec.words = {"torchrun", "--master_addr", AddressOfHost("algo-1"), "algo-1"};
  spec.environment = {"MASTER_ADDR=" + AddressOfHost("algo-1"), "WARDEN_TEST_DEVICES=0"};
  spec.inherited = {"WARDEN_TEST_DEVICES="};
  ASSERT_TRUE(FillInNode(&spec).ok());
  EXPECT_EQ(spec.words,
            (std::vector<std::string>{"torchrun", "--master_addr", "10.0.0.3", "algo-1"}));
  EXPECT_EQ(spec.environment,
            (std::vector<std::string>{"MASTER_ADDR=10.0.0.3", "WARDEN_TEST_DEVICES=2,3"}));
  spec.nodes_file = temp.path() / "none";
  EXPECT_EQ(FillInNode(&spec).code(), Code::kNotFound);
}

}  // namespace
}  // namespace warden::jobs
