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
  return { problems, gas: chains.flatMap((chain) => (chain.family === "evm" ? [chain.gas] : [])) };
}

const WALLETS = [{ signer: "keystore", file: "k.json", password_env: "P" }];
const SOLANA = {
  chain: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
  name: "Solana",
  rpc_urls: ["https://sol.example/"],
  tokens: [{ currency: "USDC", address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", decimals: 6, accepts: ["freeze_authority"] }],
  priority_fee: { cap_lamports: 5_000 },
  two_nodes_from: { USDC: 500 },
  explorer_url: "https://explorer.example/",
  wallets: WALLETS,
};
const TRON = {
  chain: "tron:0x2b6653dc",
  name: "Tron",
  rpc_urls: ["https://tron.example/"],
  tokens: [{ currency: "USDT", address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", decimals: 6 }],
  api_key: "k-1",
  wallets: WALLETS,
};
const TEMPO = {
  chain: "eip155:4217",
  name: "Tempo",
  rpc_urls: ["https://tempo.example/"],
  confirmations: 2,
  tokens: [{ currency: "PATHUSD", address: "0x20c0000000000000000000000000000000000000", decimals: 6 }],
  fee_currency: "PATHUSD",
  wallets: WALLETS,
};

/** Instead of the EVM chain. */
function parseAll(...chains: object[]) {
  const problems: string[] = [];
  return { chains: parseChains(JSON.stringify(chains), "/etc", (problem) => problems.push(problem)), problems };
}

describe("chains whose payments lapse", () => {
  test("are read next to EVM's, each with the settings of its family", () => {
    const { chains, problems } = parseAll(CHAIN, SOLANA, TRON, TEMPO, {
      ...TEMPO,
      chain: "eip155:1337",
      gas: "token",
      valid_for_seconds: 40,
    });
    expect(problems).toEqual([]);
    expect(chains.map(({ family }) => family)).toEqual(["evm", "solana", "tron", "tempo", "tempo"]);
    expect(chains[1]).toMatchObject({
      native: { currency: "SOL", decimals: 9 },
      commitment: "finalized",
      priority: { percentile: 75, floorPrice: 1_000n, capLamports: 5_000n },
      tokens: SOLANA.tokens,
      twoNodesFrom: { USDC: 500 },
      explorerUrl: "https://explorer.example",
      wallets: [{ signer: "keystore", file: "/etc/k.json", passwordEnv: "P" }],
    });
    expect(chains[2]).toMatchObject({ native: { currency: "TRX", decimals: 6 }, apiKey: "k-1" });
    expect(chains.slice(3)).toMatchObject([{ native: null, feeCurrency: "PATHUSD", validForSeconds: 25 }, { validForSeconds: 40 }]);
  });

  test.each([
    [SOLANA, { chain: "solana:mainnet" }, /^CHAINS\[0\]\.chain wants the CAIP-2 name of a Solana cluster/],
    [SOLANA, { tokens: [{ ...SOLANA.tokens[0], address: "EPjFWdd5" }] }, /tokens\[0\]\.address wants the address of a mint: 32 bytes/],
    [SOLANA, { tokens: [{ ...SOLANA.tokens[0], currency: "SOL" }] }, /tokens\[0\]\.currency is the coin/],
    [SOLANA, { tokens: [{ ...SOLANA.tokens[0], accepts: ["theft"] }] }, /accepts\[0\] wants freeze_authority/],
    [SOLANA, { commitment: "processed" }, /commitment wants finalized or confirmed/],
    [SOLANA, { confirmations: 3 }, /^CHAINS\[0\] has unknown members: confirmations/],
    [SOLANA, { wallets: [{ signer: "aws-kms", key: "k", region: "eu-central-1", address: `0x${"1".repeat(40)}` }] }, /wants keystore/],
    [TRON, { chain: "tron:mainnet" }, /^CHAINS\[0\]\.chain wants the CAIP-2 name of a Tron network/],
    [TRON, { tokens: [{ ...TRON.tokens[0], address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T" }] }, /wants a Tron address in base 58/],
    [TEMPO, { gas: "coin" }, /^CHAINS\[0\]\.gas wants token: Tempo has no coin/],
    [TEMPO, { fee_currency: "USDX" }, /^CHAINS\[0\]\.fee_currency is USDX, and no token has it/],
    [TEMPO, { native: { currency: "X", decimals: 1 } }, /has unknown members: native/],
    [CHAIN, { gas: "token" }, /^CHAINS\[0\]\.fee_currency is missing/],
  ])("say with their place what is wrong: %#", (chain, change, sentence) => {
    expect(parseAll({ ...chain, ...change }).problems).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
  });
});

describe("what a chain's fees are paid in", () => {
  test.each([
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
