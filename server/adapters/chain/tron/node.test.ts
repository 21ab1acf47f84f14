import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DEVELOPMENT_CHAINS, TRON_DOUBLE } from "#domain/chain-id.ts";
import type { LapsingNode, UnsignedPayment } from "#domain/lapsing-chain.ts";
import type { LapsingReport } from "#domain/lapsing-report.ts";
import { judgeReports } from "#domain/lapsing-report.ts";
import { hexOfTron } from "#domain/tron-address.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { startTestTron, type TestTron, type TronWallet } from "#testing/tron.ts";
import { checkSigned } from "./check-signed.ts";
import { tronNode } from "./node.ts";
import { openTronChain } from "./open-tron-chain.ts";
import { decodeRaw } from "./transaction.ts";

const PATIENT = { timeoutMs: 2 * AT_ONCE_MS };

let tron: TestTron;
let node: LapsingNode;
let second: LapsingNode;
let treasury: TronWallet;
let holder: TronWallet;

beforeAll(async () => {
  tron = await startTestTron();
  [node, second] = [tronNode(tron.nodes[0].url, PATIENT), tronNode(tron.nodes[1].url, PATIENT)];
  treasury = await tron.wallet({ trx: 10_000, tokens: 10_000 });
  holder = await tron.wallet({ tokens: 5 });
});
afterAll(() => tron.stop());
afterEach(() => {
  for (const { knobs } of tron.nodes)
    Object.assign(knobs, { lag: 0, forgetBelow: 0, isSilent: false, refusesWith: null, losesAnswers: false });
  for (const { knobs } of tron.nodes) for (const ids of [knobs.hides, knobs.forgetsIds]) ids.clear();
});

let references = 0;
const intentOf = (recipient: string, amountBase = 1_000_000n, sender = treasury.address) => ({
  sender,
  recipient,
  token: tron.token,
  amountBase,
  reference: `set_${++references}`,
});
type Signed = { unsigned: UnsignedPayment; raw: string; id: string };
async function signedTo(recipient: string, amountBase?: bigint): Promise<Signed> {
  const unsigned = await node.prepare(intentOf(recipient, amountBase));
  const raw = await treasury.sign(unsigned);
  return { unsigned, raw, id: await checkSigned(raw, unsigned) };
}
const find = (at: LapsingNode, { unsigned, id }: Signed) => at.find({ id, ...unsigned });
const judge = (signed: Signed, reports: LapsingReport[], state: "sent" | "seen" = "sent") =>
  judgeReports({ state, after: signed.unsigned.after, expiry: signed.unsigned.expiry, owed: [owedOf(signed)] }, reports, {
    configured: 2,
    toPay: 2,
  });
const owedOf = ({ unsigned: { intent } }: Signed) => ({ token: intent.token, recipient: intent.recipient, amountBase: intent.amountBase });
const hexOf = ({ address }: TronWallet) => hexOfTron(address);
const bandwidthSun = ({ bytes }: UnsignedPayment) => BigInt(bytes.length / 2 + 3 + 67 + 64) * 1_000n;
/** Past the expiry, with the whole time solidified. */
const pastExpiry = () => tron.chain.mine(30);

describe("a payment", () => {
  it("is prepared with a solidified reference block, an expiry after the newest one, the reference, and a fee limit from the trial", async () => {
    const unsigned = await node.prepare(intentOf(holder.address));
    const { refBlock, expiration, memo, feeLimitSun } = decodeRaw(Buffer.from(unsigned.bytes, "hex"));
    const solid = tron.chain.blocks[tron.chain.solidHeight];
    expect(refBlock.hash.slice(16)).toBe(solid?.id.slice(16, 32));
    expect(unsigned.after).toBe(tron.chain.solidHeight);
    expect(expiration).toBe(tron.chain.head.timestamp + 60_000);
    expect(unsigned.expiry).toEqual({ by: "time", last: new Date(expiration) });
    expect(memo).toBe(unsigned.intent.reference);
    // The limit pays for at least a quarter more energy than the trial took. USDT takes 64,285 of a holder and 130,285 of a new one.
    const toNew = decodeRaw(Buffer.from((await node.prepare(intentOf((await tron.wallet()).address))).bytes, "hex"));
    expect(Number(feeLimitSun) / 100).toBeGreaterThan(64_285 * 1.25);
    expect(Number(toNew.feeLimitSun) / 100).toBeGreaterThan(120_000 * 1.25);
    expect(toNew.feeLimitSun - feeLimitSun).toBeGreaterThan(3_000_000n);
    expect(unsigned.feeAtMost).toEqual({ token: null, amountBase: feeLimitSun + 1_000_000n + bandwidthSun(unsigned) });
  });

  it("is paid, reported as seen and then as final, and every sun of its fee is on the receipt", async () => {
    const before = tron.chain.accounts.find(hexOf(treasury))?.balanceSun ?? 0n;
    const signed = await signedTo(holder.address, 2_500_000n);
    expect(await node.simulate(signed.unsigned)).toEqual({ outcome: "passes" });
    const had = await tron.tokensOf(holder.address);
    expect(await node.send(signed.raw)).toBe("accepted");
    expect(await second.send(signed.raw)).toBe("known");
    await tron.chain.mine();
    const { height, id: blockHash } = tron.chain.head;
    expect(await find(node, signed)).toEqual({ kind: "seen", height, blockHash });
    await tron.chain.mine(3);
    const report = await find(node, signed);
    const paid = (before ?? 0n) - (tron.chain.accounts.find(hexOf(treasury))?.balanceSun ?? 0n);
    const move = { token: tron.token, sender: treasury.address, recipient: holder.address, amountBase: 2_500_000n };
    const used = report.kind === "final" ? (report.used ?? {}) : {};
    expect(report).toEqual({
      kind: "final",
      outcome: "paid",
      height,
      at: expect.any(Date),
      blockHash,
      fee: { token: null, amountBase: paid },
      moves: [move],
      used,
    });
    // What was bought, and the memo, are the fee.
    expect(used).toMatchObject({ energy: Number(used.energy_fee) / 100, staked_energy: 0 });
    expect(Number(used.energy_fee) + Number(used.bandwidth_fee) + 1_000_000).toBe(Number(paid));
    expect(await tron.tokensOf(holder.address)).toBe(had + 2_500_000n);
    expect(judge(signed, [report, await find(second, signed)])).toMatchObject({ next: "pay" });
    expect(paid).toBeLessThanOrEqual(signed.unsigned.feeAtMost.amountBase);
  });

  it("to somebody new costs what the trial said, and is paid from a stake's energy first", async () => {
    const staked = await tron.wallet({ trx: 100, energy: 50_000, tokens: 10 });
    const recipient = (await tron.wallet()).address;
    const unsigned = await node.prepare(intentOf(recipient, 1n, staked.address));
    const raw = await staked.sign(unsigned);
    await node.send(raw);
    await tron.chain.mine(4);
    const info = tron.chain.info(await checkSigned(raw, unsigned));
    expect(info).toMatchObject({ result: "SUCCESS", energy: { usage: 50_000n } });
    const { energy, bandwidth, feeSun } = info ?? expect.fail("no receipt");
    expect(energy.feeSun).toBe((energy.total - 50_000n) * 100n);
    // The first transaction of a day has its bandwidth free; the memo is charged.
    expect(feeSun).toBe(energy.feeSun + bandwidth.feeSun + 1_000_000n);
    expect(await find(node, { unsigned, raw, id: info?.sent.id ?? "" })).toMatchObject({ outcome: "paid", fee: { amountBase: feeSun } });
  });

  it("waits before it is signed where TRX and energy are too little, and where the token is", async () => {
    const poor = await tron.wallet({ trx: 1, tokens: 10 });
    const waits = await node.simulate(await node.prepare(intentOf(holder.address, 1n, poor.address)));
    expect(waits).toEqual({ outcome: "treasury", reason: "The treasury holds too little energy and TRX for the chain's fee." });
    const without = await tron.wallet({ trx: 1_000 });
    expect(await node.simulate(await node.prepare(intentOf(holder.address, 1n, without.address)))).toMatchObject({ outcome: "treasury" });
    const staked = await tron.wallet({ trx: 3, energy: 500_000, tokens: 10 });
    expect(await node.simulate(await node.prepare(intentOf(holder.address, 1n, staked.address)))).toEqual({ outcome: "passes" });
  });

  it("waits when energy has become dearer than its bytes allow", async () => {
    const { unsigned } = await signedTo(holder.address);
    tron.chain.energyFeeSun = 1_000n;
    expect(await node.simulate(unsigned)).toMatchObject({ outcome: "treasury", reason: expect.stringContaining("dearer") });
    tron.chain.energyFeeSun = 100n;
    expect(await node.simulate(unsigned)).toEqual({ outcome: "passes" });
  });

  it("to a recipient whom the token refuses is refused, and a refused treasury waits", async () => {
    const toBlocked = await node.prepare(intentOf(tron.blocked));
    expect(await node.simulate(toBlocked)).toEqual({ outcome: "refused", reason: "The token's blocklist refuses this recipient." });
    await tron.evm.callToken("blockWallet(address)", [hexOf(treasury)]);
    expect(await node.simulate(await node.prepare(intentOf(holder.address)))).toMatchObject({ outcome: "treasury" });
    await tron.evm.callToken("unblockWallet(address)", [hexOf(treasury)]);
  });
});

describe("a payment that fails on the chain", () => {
  it("is reverted: it moves nothing, costs what it used, and says why", async () => {
    const signed = await signedTo(tron.blocked);
    await node.send(signed.raw);
    await tron.chain.mine(4);
    const report = await find(node, signed);
    expect(report).toMatchObject({ kind: "final", outcome: "failed", fault: "payment", moves: [] });
    expect(report).toMatchObject({
      reason: "The token's blocklist refuses this recipient.",
      fee: { amountBase: tron.chain.info(signed.id)?.feeSun },
    });
    expect(judge(signed, [report, await find(second, signed)])).toMatchObject({ next: "fail" });
  });

  it("runs out of energy: all of its limit is burned, and it is the treasury's trouble", async () => {
    const signed = await signedTo(holder.address);
    await node.send(signed.raw);
    tron.chain.energyFactor = 200_000n;
    await tron.chain.mine(4);
    tron.chain.energyFactor = 23_000n;
    const { feeLimitSun } = decodeRaw(Buffer.from(signed.unsigned.bytes, "hex"));
    expect(tron.chain.info(signed.id)).toMatchObject({ result: "OUT_OF_ENERGY", energy: { feeSun: feeLimitSun } });
    expect(await find(node, signed)).toMatchObject({
      outcome: "failed",
      fault: "treasury",
      reason: "The payment ran out of energy.",
      moves: [],
    });
  });
});

describe("a broadcast", () => {
  it("that a node refuses for the bytes is a fact, and the same bytes are a duplicate afterwards", async () => {
    const late = await signedTo(holder.address);
    await tron.chain.mine(20);
    await expect(node.send(late.raw)).rejects.toThrow("TRANSACTION_EXPIRATION_ERROR");
    await expect(node.send(late.raw)).resolves.toBe("known");
    const unsigned = await node.prepare(intentOf(holder.address));
    await expect(node.send(await holder.sign(unsigned))).rejects.toThrow("SIGERROR");
    const elsewhere = { ...unsigned, bytes: unsigned.bytes.replace(/^(0a02.{4}2208).{16}/, "$1ffffffffffffffff") };
    const refused = node.send(await treasury.sign(elsewhere));
    await expect(refused).rejects.toBeInstanceOf(Rejected);
    await expect(refused).rejects.toThrow("TAPOS_ERROR");
  });

  it("that a busy node refuses says nothing, and neither does a lost answer", async () => {
    const signed = await signedTo(holder.address);
    for (const code of ["SERVER_BUSY", "OTHER_ERROR"] as const) {
      tron.nodes[0].knobs.refusesWith = { code, message: "" };
      await expect(node.send(signed.raw)).rejects.toBeInstanceOf(Unreachable);
    }
    Object.assign(tron.nodes[0].knobs, { refusesWith: null, losesAnswers: true });
    await expect(node.send(signed.raw)).rejects.toBeInstanceOf(Unreachable);
    tron.nodes[0].knobs.losesAnswers = false;
    expect(await node.send(signed.raw)).toBe("known");
    await tron.chain.mine(4);
    expect(await find(node, signed)).toMatchObject({ outcome: "paid" });
    tron.nodes[0].knobs.isSilent = true;
    await expect(tronNode(tron.nodes[0].url, { timeoutMs: 100 }).finalPoint()).rejects.toBeInstanceOf(Unreachable);
  });
});

describe("a payment that no block has", () => {
  it("has lapsed only after its expiry, by every block of the time in which one could have it", async () => {
    const signed = await signedTo(holder.address);
    expect(judge(signed, [await find(node, signed), await find(second, signed)])).toEqual({ next: "send" });
    await tron.chain.mine(21);
    const young = await find(node, signed);
    expect(young).toMatchObject({ kind: "absent", isExpired: false });
    await tron.chain.mine(4);
    const reports = [await find(node, signed), await find(second, signed)];
    expect(reports[0]).toMatchObject({ kind: "absent", isExpired: true, history: { from: { height: signed.unsigned.after + 1 } } });
    expect(judge(signed, reports)).toEqual({ next: "lapse" });
    expect(judge(signed, reports.slice(0, 1))).toEqual({ next: "wait", for: "second_node" });
  });

  it("has not lapsed where one of two nodes hides that it landed", async () => {
    const signed = await signedTo(holder.address);
    await node.send(signed.raw);
    tron.nodes[0].knobs.hides.add(signed.id);
    await pastExpiry();
    const reports = [await find(node, signed), await find(second, signed)];
    expect(reports.map(({ kind }) => kind)).toEqual(["absent", "final"]);
    expect(judge(signed, reports)).toEqual({ next: "wait", for: "contradiction" });
  });

  it("has not lapsed where a node has lost its receipt, or the blocks of that time", async () => {
    const signed = await signedTo(holder.address);
    await node.send(signed.raw);
    tron.nodes[0].knobs.forgetsIds.add(signed.id);
    await pastExpiry();
    await expect(find(node, signed)).rejects.toThrow("has no receipt");
    Object.assign(tron.nodes[0].knobs, { forgetBelow: signed.unsigned.after + 5 });
    tron.nodes[0].knobs.forgetsIds.clear();
    expect(await find(node, signed)).toEqual({ kind: "absent", isExpired: true, history: null });
    tron.nodes[1].knobs.lag = 35;
    expect(await find(second, signed)).toMatchObject({ kind: "absent", isExpired: false });
  });

  it("has not lapsed where the blocks do not follow one another, or not the block that its bytes name", async () => {
    const signed = await signedTo(holder.address);
    await pastExpiry();
    const { blocks } = tron.chain;
    for (const height of [signed.unsigned.after + 1, signed.unsigned.after + 7]) {
      const block = blocks[height] ?? expect.fail("no block");
      blocks[height] = { ...block, parentId: "f".repeat(64) };
      expect(await find(node, signed), String(height)).toEqual({ kind: "absent", isExpired: true, history: null });
      blocks[height] = block;
    }
    expect(judge(signed, [await find(node, signed), await find(second, signed)])).toEqual({ next: "lapse" });
  });

  it("is sent again where its block is gone, and is paid once", async () => {
    const signed = await signedTo(holder.address);
    const had = await tron.tokensOf(holder.address);
    await node.send(signed.raw);
    await tron.chain.mine(2);
    expect(await find(node, signed)).toMatchObject({ kind: "seen" });
    await tron.chain.fork(2, { lost: true });
    expect(await tron.tokensOf(holder.address)).toBe(had);
    await tron.chain.mine(3);
    expect(judge(signed, [await find(node, signed)], "seen")).toEqual({ next: "drop" });
    expect(await node.send(signed.raw)).toBe("accepted");
    await tron.chain.mine(4);
    expect(await find(node, signed)).toMatchObject({ outcome: "paid" });
    expect(await tron.tokensOf(holder.address)).toBe(had + 1_000_000n);
  });
});

it("says which network it is on, and what an address has in solidified blocks", async () => {
  expect(await node.identity()).toBe("0x646f7562");
  expect(await node.balance(treasury.address, null)).toBe(tron.chain.accounts.find(hexOf(treasury))?.balanceSun);
  expect(await node.balance(holder.address, tron.token)).toBe(await tron.tokensOf(holder.address));
  await expect(node.balance(holder.address, holder.address)).rejects.toBeInstanceOf(Rejected);
  expect(await node.finalPoint()).toMatchObject({ height: tron.chain.solidHeight });
});

it("says on its face that it is a double, and live mode never opens its network", async () => {
  const face = await (await fetch(tron.nodes[0].url)).text();
  expect(face).toContain("double of a Tron node (sandbox only, no Tron network)");
  const { headers } = await fetch(`${tron.nodes[0].url}/wallet/getnodeinfo`);
  expect(headers.get("server")).toContain("double of a Tron node");
  const settings = { chain: TRON_DOUBLE, name: "Tron", rpcUrls: [tron.nodes[0].url], tokens: [] };
  const open = (isLive: boolean) => openTronChain({ ...settings, isLive });
  expect(() => open(true)).toThrow("live mode never pays there");
  const chain = open(false);
  expect(await chain.nodes[0]?.identity()).toBe(chain.identity);
  expect(DEVELOPMENT_CHAINS).toContain(TRON_DOUBLE);
});
