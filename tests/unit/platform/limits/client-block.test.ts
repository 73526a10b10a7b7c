import { expect, test } from "vitest";
import { ipBlockOf, networkOf } from "#app/platform/limits/client-block.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:0002::", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("%s counts as %s", (address, block) => {
  expect(ipBlockOf(address)).toBe(block);
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["0:0:0:0::/64", "0:0:0::/48"],
])("the block %s belongs to %s", (block, network) => {
  expect(networkOf(block)).toBe(network);
});
