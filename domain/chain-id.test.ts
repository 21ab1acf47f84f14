import { describe, expect, it } from "vitest";
import { parseChainId } from "./chain-id.ts";

describe("parseChainId", () => {
  it.each([
    ["eip155:1", "eip155", "1"],
    ["eip155:31337", "eip155", "31337"],
    ["bip122:000000000019d6689c085ae165831e93", "bip122", "000000000019d6689c085ae165831e93"],
    ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana", "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"],
    ["tron:0x2b6653dc", "tron", "0x2b6653dc"],
    ["chainstd:8c3444cf8970a9e41a706fab93e7a6c4", "chainstd", "8c3444cf8970a9e41a706fab93e7a6c4"],
    ["a-b:-_Z", "a-b", "-_Z"],
  ])("reads %s", (text, namespace, reference) => {
    expect(parseChainId(text)).toEqual({ namespace, reference });
  });

  it.each([
    "",
    "eip155",
    "eip155:",
    ":1",
    "ab:1",
    "toolong99:1",
    "EIP155:1",
    "eip155:1:2",
    "eip155: 1",
    " eip155:1",
    "eip155:1\n",
    "eip155:é",
    "eip155:1/2",
    `eip155:${"1".repeat(33)}`,
  ])("refuses %j", (text) => {
    expect(parseChainId(text)).toBeNull();
  });
});
