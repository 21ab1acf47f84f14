import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeScreening } from "#domain/screening.ts";
import { openEvmChains } from "#server/adapters/chain/evm/open-evm-chains.ts";
import type { Log } from "#server/ports.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { deployNaming, type Naming } from "#testing/screening.ts";
import { newAddress } from "#testing/transfers.ts";
import type { ListTimings } from "./list-file.ts";
import type { Keeping } from "./on-chain.ts";
import { createScreener, type ScreenerSettings } from "./screener.ts";

/** Screening with contracts of the real interfaces on a real chain, and a file. */

const folder = mkdtempSync(join(tmpdir(), "screening-"));
let chain: TestChain;
let node: RpcProxy;
let second: RpcProxy;
let oracle: Naming;
let tether: Naming;
let circle: Naming;

beforeAll(async () => {
  chain = await startTestChain();
  node = await startRpcProxy(chain.rpcUrl);
  second = await startRpcProxy(chain.rpcUrl);
  oracle = await deployNaming(chain, "SanctionsOracle");
  tether = await deployNaming(chain, "TetherBlocklist");
  circle = await deployNaming(chain, "CircleBlocklist");
});
afterAll(async () => {
  await Promise.all([node.stop(), second.stop()]);
  await chain.stop();
  rmSync(folder, { recursive: true });
});

type Asked = Partial<ScreenerSettings> & { nodes?: string[]; keeping?: Partial<Keeping & ListTimings>; lines?: string[] };
function open({ nodes = [node.url], keeping, lines = [], ...settings }: Asked = {}) {
  const chains = [chain.chain, "eip155:1"].map((name) => ({
    chain: name,
    name,
    confirmations: 1,
    rpcUrls: nodes,
    rpcTimeoutMs: 1_000,
    native: { currency: "ETH", decimals: 18 },
    tokens: [{ currency: "USDT", address: chain.tokens.USDT, decimals: 6 }],
  }));
  const write = (_fields: object, message: string) => void lines.push(message);
  const log: Log = { info: write, warn: write, error: write, child: () => log };
  const nothing = { isOn: true, confirmMs: 2_000, list: null, oracles: {}, blocklists: [] };
  return createScreener(
    { ...nothing, ...settings },
    { evm: openEvmChains(chains), log },
    { answerMs: 0, silenceMs: 0, lookMs: 0, ...keeping },
  );
}
const withOracle = (more: Asked = {}) => open({ oracles: { [chain.chain]: oracle.address }, ...more });
const to = (address: string, tokenAddress: string | null = chain.tokens.USDT) => ({ chain: chain.chain, tokenAddress, address });
const outcomes = async (screener: ReturnType<typeof open>, ...destinations: ReturnType<typeof to>[]) =>
  (await screener.screen(destinations, "sign")).map(({ outcome }) => outcome);
const broken = { error: { code: -32_000, message: "execution reverted" } };

describe("contracts on the chain", () => {
  it("an oracle clears whom it does not name and hits whom it names, as of the block where it was asked", async () => {
    const [bad, good] = [newAddress(), newAddress()];
    await oracle.name(bad);
    const height = Number(await chain.call("eth_blockNumber"));
    const screened = await withOracle().screen([to(bad), to(good, null)], "confirm");
    expect(screened.map(({ outcome }) => outcome)).toEqual(["hit", "clear"]);
    expect(screened[0]?.words).toMatchObject([{ kind: "oracle", source: oracle.address, answer: "hit", block: height }]);
    expect(screened[0]?.words[0]?.detail).toContain("isSanctioned, by 127.0.0.1");
    await oracle.clear(bad);
    expect(await outcomes(withOracle(), to(bad))).toEqual(["clear"]);
  });

  it.each([
    ["USDT's", "isBlackListed", () => tether],
    ["USDC's", "isBlacklisted", () => circle],
  ] as const)("%s blocklist is found out by asking, and is one answer among others", async (_, question, issuer) => {
    const [bad, good] = [newAddress(), newAddress()];
    const token = issuer().address;
    await issuer().name(bad);
    const screener = withOracle({ blocklists: [{ chain: chain.chain, token, question: null }] });
    expect(await outcomes(screener, to(bad, token), to(good, token), to(bad, newAddress()))).toEqual(["hit", "clear", "clear"]);
    const [verdict] = await screener.screen([to(bad, token)], "sign");
    expect(verdict?.words.map(({ kind, answer }) => [kind, answer])).toEqual([
      ["oracle", "clear"],
      ["issuer", "hit"],
    ]);
    expect(verdict?.words[1]?.detail).toContain(question);
  });

  it("Tether's newer interface, isBlocked, counts as well; a token without any is not counted, unless the settings say that it has one", async () => {
    const blocked = { chain: chain.chain, token: chain.tokens.USDT, question: null };
    expect(await outcomes(withOracle({ blocklists: [blocked] }), to(chain.blockedWallet), to(newAddress()))).toEqual(["hit", "clear"]);
    const none = { chain: chain.chain, token: oracle.address, question: null };
    expect(await outcomes(withOracle({ blocklists: [none] }), to(newAddress(), oracle.address))).toEqual(["clear"]);
    const said = { ...none, question: "isBlackListed" as const };
    expect(await outcomes(withOracle({ blocklists: [said] }), to(newAddress(), oracle.address))).toEqual(["silent"]);
  });

  it("a contract without the function is a trouble from the start on, in the log too, until it answers", async () => {
    const lines: string[] = [];
    const blocklist = { chain: chain.chain, token: oracle.address, question: "isBlackListed" as const };
    const screener = open({ oracles: { [chain.chain]: oracle.address }, blocklists: [blocklist], lines });
    expect(screener.state().troubles).toEqual([]);
    await screener.watch();
    const { troubles, covers } = screener.state();
    expect(troubles).toEqual([
      { kind: "issuer", detail: expect.stringMatching(`^${oracle.address} on ${chain.chain} knows no isBlackListed`) },
    ]);
    expect(lines).toEqual(["a screening source does not answer"]);
    expect(describeScreening({ isOn: true, covers, troubles })).toMatch(/knows no isBlackListed .* waits\.; covered: /);

    const wrong = open({ oracles: { [chain.chain]: tether.address } });
    await wrong.watch();
    expect(wrong.state().troubles).toEqual([{ kind: "oracle", detail: expect.stringContaining("knows no isSanctioned") }]);
    expect(describeScreening(wrong.state())).not.toContain(`covered: ${chain.chain}`);
    node.rule = (method) => (method === "eth_call" ? { result: `0x${"0".repeat(64)}` } : "pass");
    await wrong.screen([to(newAddress())], "sign");
    expect(wrong.state().troubles).toEqual([]);
    node.rule = () => "pass";
    const unsaid = open({ blocklists: [{ ...blocklist, question: null }] });
    await unsaid.watch();
    expect(unsaid.state().troubles).toEqual([]);
  });

  it("what is no answer is silence: no contract there, a revert, no bool, a fault, nothing at all, and too late", async () => {
    const nowhere = open({ oracles: { [chain.chain]: newAddress() } });
    expect(await outcomes(nowhere, to(newAddress()))).toEqual(["silent"]);
    const word = (hex: string) => ({ result: `0x${hex.padStart(64, "0")}` });
    for (const said of [
      broken,
      word("2"),
      { result: "0x" },
      { result: "0x01" },
      { error: { code: -32_603, message: "busy" } },
      "swallow",
    ] as const) {
      node.rule = (method) => (method === "eth_call" ? said : "pass");
      expect(await outcomes(withOracle(), to(newAddress())), JSON.stringify(said)).toEqual(["silent"]);
    }
    node.rule = () => "pass";
    node.delayMs = 300;
    const [late] = await withOracle({ confirmMs: 50 }).screen([to(newAddress())], "confirm");
    node.delayMs = 0;
    expect(late).toMatchObject({ outcome: "silent", words: [{ answer: "silent", detail: "not within 50 ms", block: null }] });
  });

  it("a second node is asked too: its hit counts, and its silence does not while another one speaks", async () => {
    const both = { nodes: [node.url, second.url] };
    const yes = { result: `0x${"1".padStart(64, "0")}` };
    second.rule = (method) => (method === "eth_call" ? yes : "pass");
    expect(await outcomes(withOracle(both), to(newAddress()))).toEqual(["hit"]);
    second.rule = () => "swallow";
    expect(await outcomes(withOracle(both), to(newAddress()))).toEqual(["clear"]);
    node.rule = () => "refuse";
    second.rule = () => "pass";
    expect(await outcomes(withOracle(both), to(newAddress()))).toEqual(["clear"]);
    node.rule = () => "pass";
  });

  it("many are asked in one request, and an answer is kept for as long as is said", async () => {
    const [bad, ...others] = Array.from({ length: 100 }, newAddress);
    await oracle.name(bad ?? "");
    node.calls.length = 0;
    node.waits = 0;
    const screener = withOracle({ keeping: { answerMs: 60_000 } });
    const destinations = [bad ?? "", ...others].map((address) => to(address));
    expect((await outcomes(screener, ...destinations)).filter((outcome) => outcome === "hit")).toHaveLength(1);
    expect(node.calls.filter((method) => method === "eth_call")).toHaveLength(100);
    expect(node.waits, "requests one after another").toBe(1);
    expect((await outcomes(screener, ...destinations)).filter((outcome) => outcome === "hit")).toHaveLength(1);
    expect(node.calls.filter((method) => method === "eth_call")).toHaveLength(100);
  });
});

describe("what nobody asks about", () => {
  it("is unknown: a chain without oracle and list, and whom an issuer alone clears", async () => {
    const elsewhere = { chain: "eip155:1", tokenAddress: null, address: newAddress() };
    expect((await withOracle().screen([elsewhere], "sign"))[0]).toMatchObject({ outcome: "uncovered", words: [] });
    const issuerAlone = open({ blocklists: [{ chain: chain.chain, token: tether.address, question: null }] });
    expect(await outcomes(issuerAlone, to(newAddress(), tether.address))).toEqual(["uncovered"]);
    expect(withOracle().state()).toMatchObject({
      isOn: true,
      covers: [
        { chain: chain.chain, covered: true, sources: [`the sanctions oracle ${oracle.address}`] },
        { chain: "eip155:1", covered: false, sources: [] },
      ],
    });
  });
});

describe("a list in a file", () => {
  const file = join(folder, "list.txt");
  const listed = (...addresses: string[]) => `# published: 2026-11-20\n# addresses: ${addresses.length}\n${addresses.join("\n")}\n`;
  const put = (text: string) => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };

  it("speaks of every EVM chain, with its edition, and is read again when it changes", async () => {
    const [bad, next] = [newAddress(), newAddress()];
    put(listed(bad));
    const lines: string[] = [];
    const screener = open({ list: file, lines });
    const screened = await screener.screen([to(bad.toLowerCase()), { ...to(bad), chain: "eip155:1" }, to(next)], "sign");
    expect(screened.map(({ outcome }) => outcome)).toEqual(["hit", "hit", "clear"]);
    expect(screened[0]?.words[0]).toMatchObject({ kind: "list", source: "list.txt", block: null });
    expect(screened[0]?.words[0]?.version).toMatch(/^sha256:[0-9a-f]{16} of 2026-11-20$/);
    put(listed(next, newAddress()));
    expect(await outcomes(screener, to(bad), to(next))).toEqual(["clear", "hit"]);
    expect(lines).toEqual(["another edition of the list is in force"]);
  });

  it("keeps the last whole edition while the file is no list, says so, and is silent after that has lasted", async () => {
    const bad = newAddress();
    put(listed(bad));
    const lines: string[] = [];
    const [patient, strict] = [open({ list: file, lines }), open({ list: file, keeping: { graceMs: 0 } })];
    put(listed(bad, newAddress()).slice(0, -20));
    expect(await outcomes(patient, to(bad), to(newAddress()))).toEqual(["hit", "clear"]);
    expect(patient.state().troubles[0]?.detail).toMatch(/^list.txt has a damaged address: .* in force is sha256:/);
    rmSync(file);
    expect(await outcomes(patient, to(bad))).toEqual(["hit"]);
    expect(patient.state().troubles[0]?.detail).toContain("cannot be read (ENOENT)");
    expect(lines).toHaveLength(2);
    expect(await outcomes(strict, to(bad), to(newAddress())), "the edition is no longer believed").toEqual(["silent", "silent"]);
    put(listed(newAddress()));
    expect(await outcomes(patient, to(bad))).toEqual(["clear"]);
    expect(patient.state().troubles).toEqual([]);
    expect(await outcomes(strict, to(bad))).toEqual(["clear"]);
  });

  it("is refused where it is no whole list from the start", () => {
    put("");
    expect(() => open({ list: file })).toThrow("is empty");
  });
});
