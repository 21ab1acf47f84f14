import { describe, expect, test } from "vitest";
import { parseChains } from "./chains.ts";

const CHAIN = {
  chain: "eip155:1",
  name: "Ethereum",
  rpc_urls: ["https://rpc.example/v1"],
  confirmations: 12,
  native: { currency: "ETH", decimals: 18 },
  tokens: [{ currency: "USDT", address: "0xdAC17F958D2ee523a2206206994597C13D831ec7", decimals: 6 }],
};
const ARC = { chain: "eip155:5042", native: { currency: "USD", decimals: 18 } };
const COIN = { currency: "USDC", address: "0x3600000000000000000000000000000000000000", decimals: 6 };

function parse(change: object) {
  const problems: string[] = [];
  const chains = parseChains(JSON.stringify([{ ...CHAIN, ...change }]), "/", (problem) => problems.push(problem));
  return { problems, gas: chains.map(({ gas }) => gas) };
}

describe("what a chain's fees are paid in", () => {
  test.each([
    [{ chain: "eip155:4217" }, "CHAINS names eip155:4217 (Tempo), whose fees are paid in a token: this is not supported yet."],
    [
      { chain: "eip155:42431", gas: "token" },
      "CHAINS names eip155:42431 (Tempo's test network), whose fees are paid in a token: this is not supported yet.",
    ],
    [{ chain: "eip155:4217", gas: "coin" }, "CHAINS[0].gas is coin, and Tempo (eip155:4217) has token: leave it out."],
    [{ gas: "token" }, "CHAINS names eip155:1, whose fees are paid in a token: this is not supported yet."],
    [{ ...ARC, tokens: [COIN] }, "CHAINS[0].tokens[0] is the balance of the coin USD counted a second time: leave the token out."],
    [
      { ...ARC, chain: "eip155:5042002", tokens: [CHAIN.tokens[0], COIN] },
      "CHAINS[0].tokens[1] is the balance of the coin USD counted a second time: leave the token out.",
    ],
    [
      { gas: "same-as-token", tokens: [COIN] },
      "CHAINS[0].tokens[0] is the balance of the coin ETH counted a second time: leave the token out.",
    ],
    [{ ...ARC, gas: "coin" }, "CHAINS[0].gas is coin, and Arc (eip155:5042) has same-as-token: leave it out."],
  ])("is refused where the books cannot hold it: %j", (change, sentence) => {
    expect(parse(change).problems).toEqual([sentence]);
  });

  test("is known for Arc, which is paid by its coin alone, and a coin anywhere else", () => {
    expect(parse(ARC)).toEqual({ problems: [], gas: ["same-as-token"] });
    expect(parse({ ...ARC, gas: "same-as-token" })).toEqual({ problems: [], gas: ["same-as-token"] });
    expect(parse({})).toEqual({ problems: [], gas: ["coin"] });
  });
});
