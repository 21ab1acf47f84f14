import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { LapsingChain, LapsingIntent, LapsingNode, LookUp, UnsignedPayment } from "#domain/lapsing-chain.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { newSolanaKey, newSolanaWallet, startTestCluster, type TestCluster } from "#testing/solana.ts";
import { associatedAccount } from "./instructions.ts";
import { openSolanaChain } from "./open-solana-chains.ts";

const SOL = 1_000_000_000n;
const RENT = 2_039_280n;
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

let cluster: TestCluster;
let chain: LapsingChain;
let node: LapsingNode;
let witness: LapsingNode;
let sender: string;
const treasury = newSolanaKey();

beforeAll(async () => {
  cluster = await startTestCluster();
  chain = openSolanaChain(cluster.settings([0, 1]));
  [node, witness] = chain.nodes as [LapsingNode, LapsingNode];
  sender = await treasury.address();
  const tokens = { USDC: 1_000_000_000n, FREE: 1_000_000n, PLAIN22: 1_000_000n, FEE0: 1_000_000n, HOOK: 1_000n, DELEGATE: 1_000n };
  await cluster.fund(sender, 10n * SOL, tokens);
  await cluster.finish();
});
beforeEach(async () => {
  await cluster.faults({}, 0);
  await cluster.faults({}, 1);
  await cluster.traffic();
});
afterAll(() => cluster?.stop());

let made = 0;
/** A payment of 1.5 USDC to a wallet that has no account for it yet, unless said otherwise. */
async function intentOf(other: Partial<LapsingIntent> = {}): Promise<LapsingIntent> {
  made += 1;
  return {
    sender,
    recipient: await newSolanaWallet(),
    token: cluster.mints.USDC ?? "",
    amountBase: 1_500_000n,
    reference: `set_${made}`,
    ...other,
  };
}

async function sign(unsigned: UnsignedPayment): Promise<{ raw: string; attempt: LookUp }> {
  const raw = await treasury.sign(unsigned.bytes);
  const { after, expiry, bytes } = unsigned;
  return { raw, attempt: { id: await chain.checkSigned(raw, unsigned), after, expiry, bytes } };
}

/** Prepares, plays, signs and sends. */
async function pay(other: Partial<LapsingIntent> = {}) {
  const unsigned = await node.prepare(await intentOf(other));
  expect(await node.simulate(unsigned)).toEqual({ outcome: "passes" });
  const signed = await sign(unsigned);
  expect(await node.send(signed.raw)).toBe("accepted");
  return { ...signed, unsigned, intent: unsigned.intent };
}

const lastOf = ({ expiry }: { expiry: UnsignedPayment["expiry"] }) => (expiry.by === "height" ? expiry.last : 0);

describe("a payment on Solana", () => {
  it("is absent, then seen, then final, with its moves, its fee and the rent of the recipient's new account", async () => {
    const before = [await node.balance(sender, null), await node.balance(sender, cluster.mints.USDC ?? "")];
    const { raw, attempt, intent, unsigned } = await pay();
    expect(await node.find(attempt)).toMatchObject({ kind: "absent", isExpired: false });
    await cluster.advance();
    expect(await node.find(attempt)).toEqual({ kind: "absent", history: null, isExpired: false });
    expect(await node.send(raw)).toBe("known");
    await cluster.advance();
    const seen = await node.find(attempt);
    expect(seen).toMatchObject({ kind: "seen", height: unsigned.after + 4 });
    await cluster.finish();
    const found = await node.find(attempt);
    const { recipient, token, amountBase } = intent;
    expect(found).toEqual({
      ...seen,
      kind: "final",
      at: expect.any(Date),
      outcome: "paid",
      fee: { token: null, amountBase: expect.any(BigInt) },
      moves: [{ token, sender, recipient, amountBase, place: 4 }],
    });
    expect(await witness.find(attempt)).toEqual(found);
    if (found.kind !== "final") throw new Error("it is final");
    expect(found.fee.amountBase).toBeGreaterThan(RENT + 5_000n);
    expect(found.fee.amountBase).toBeLessThanOrEqual(unsigned.feeAtMost.amountBase);
    // What the chain shows is what the report says, to the lamport.
    expect(await node.balance(sender, null)).toBe((before[0] ?? 0n) - found.fee.amountBase);
    expect(await node.balance(sender, token)).toBe((before[1] ?? 0n) - amountBase);
    expect(await node.balance(recipient, token)).toBe(amountBase);
    expect(await node.balance(recipient, null)).toBe(0n);
  });

  it("costs no rent to a recipient who has an account", async () => {
    const { intent, attempt } = await pay();
    await cluster.finish();
    const again = await pay({ recipient: intent.recipient });
    await cluster.finish();
    const [first, second] = [await node.find(attempt), await node.find(again.attempt)];
    if (first.kind !== "final" || second.kind !== "final") throw new Error("both are final");
    expect(second.fee.amountBase).toBeLessThan(6_000n);
    expect(first.fee.amountBase - second.fee.amountBase).toBeGreaterThanOrEqual(RENT);
    expect(await node.balance(intent.recipient, intent.token)).toBe(2n * intent.amountBase);
  });

  it.each(["FREE", "PLAIN22"])("moves %s, of each token program", async (name) => {
    const { intent, attempt, unsigned } = await pay({ token: cluster.mints[name] ?? "", amountBase: 7n });
    await cluster.finish();
    const found = await node.find(attempt);
    if (found.kind !== "final") throw new Error("it is final");
    expect(found.moves).toEqual([{ token: intent.token, sender, recipient: intent.recipient, amountBase: 7n, place: 4 }]);
    // The rent of each program's accounts is known exactly: all that is left of the most is the fee's own rounding.
    expect(unsigned.feeAtMost.amountBase).toBe(found.fee.amountBase);
  });

  it("moves the coin, and books what the cluster took alone", async () => {
    const { attempt, intent } = await pay({ token: null, amountBase: SOL });
    await cluster.finish();
    const found = await node.find(attempt);
    expect(found).toMatchObject({ outcome: "paid", moves: [{ token: null, sender, recipient: intent.recipient, amountBase: SOL }] });
    if (found.kind === "final") expect(found.fee.amountBase).toBeLessThan(6_000n);
    expect(await node.balance(intent.recipient, null)).toBe(SOL);
  });

  it("carries its reference, which the recipient can read", async () => {
    const { attempt, intent } = await pay({ reference: "order 4711 / ☕" });
    await cluster.finish();
    const options = { encoding: "base64", commitment: "finalized", maxSupportedTransactionVersion: 0 };
    const { meta } = (await cluster.call("getTransaction", [attempt.id, options])) as { meta: { logMessages: string[] } };
    expect(meta.logMessages).toContain(`Program log: ${intent.reference}`);
  });

  it("offers more where recent blocks took more, and never more than the cap", async () => {
    const quiet = await node.prepare(await intentOf());
    await cluster.faults({ prioritizationFee: 100_000 });
    const busy = await node.prepare(await intentOf());
    await cluster.faults({ prioritizationFee: 10 ** 12 });
    const mad = await node.prepare(await intentOf());
    const offered = (unsigned: UnsignedPayment) => unsigned.feeAtMost.amountBase - RENT - 5_000n;
    expect(offered(quiet)).toBeLessThan(offered(busy));
    expect(offered(busy)).toBeLessThan(offered(mad));
    expect(offered(mad)).toBeLessThanOrEqual(1_000_000n);
    expect(offered(mad)).toBeGreaterThan(990_000n);
  });
});

describe("what lapses", () => {
  it("is proven by a complete history past the expiry, and never lands afterwards", async () => {
    await cluster.traffic({ isCongested: true });
    const { raw, attempt, unsigned, intent } = await pay();
    await cluster.advance(lastOf(unsigned) - unsigned.after);
    expect(await node.find(attempt)).toMatchObject({ kind: "absent", isExpired: false });
    await cluster.advance();
    const found = await node.find(attempt);
    if (found.kind !== "absent" || found.history === null) throw new Error("it is absent");
    expect(found.isExpired).toBe(true);
    expect(found.history.from.height).toBeLessThanOrEqual(unsigned.after + 1);
    expect(found.history.to.height).toBeGreaterThan(lastOf(unsigned));
    await expect(node.send(raw)).rejects.toThrow("Blockhash not found");
    await cluster.traffic();
    await cluster.finish();
    expect(await node.balance(intent.recipient, intent.token)).toBe(0n);
  });

  it("may land in the last block that the hash is good for, which is before the expiry", async () => {
    await cluster.traffic({ isCongested: true });
    const { attempt, unsigned } = await pay();
    const tip = Number(await cluster.call("getBlockHeight", [{ commitment: "processed" }]));
    // `lastValidBlockHeight` and one more, as the runtime counts; the expiry is later by a margin.
    const lastBlock = lastOf(unsigned) - 8 + 1;
    await cluster.advance(lastBlock - tip - 1);
    await cluster.traffic();
    await cluster.finish();
    expect(await node.find(attempt)).toMatchObject({ kind: "final", outcome: "paid", height: lastBlock });
  });

  it("is not proven by a node that has forgotten, and contradicted by one that has not", async () => {
    const { attempt, unsigned } = await pay();
    await cluster.advance(lastOf(unsigned) - unsigned.after + 10);
    await cluster.faults({ keepsBlocks: 40 });
    const forgot = await node.find(attempt);
    if (forgot.kind !== "absent") throw new Error("it has forgotten");
    expect(forgot.isExpired).toBe(true);
    expect(forgot.history?.from.height).toBeGreaterThan(unsigned.after + 1);
    await cluster.faults({ hides: [attempt.id] });
    expect(await node.find(attempt)).toMatchObject({ kind: "absent", isExpired: true });
    expect(await witness.find(attempt)).toMatchObject({ kind: "final", outcome: "paid" });
  });

  it("is not expired for a node that is behind, nor right after it was prepared", async () => {
    const { attempt, unsigned } = await pay();
    // The hash is newer than this node's final block, so it is not valid there yet.
    expect(await node.find(attempt)).toMatchObject({ kind: "absent", isExpired: false });
    await cluster.advance(lastOf(unsigned) - unsigned.after + 10);
    await cluster.faults({ lag: 60, hides: [attempt.id] });
    expect(await node.find(attempt)).toMatchObject({ kind: "absent", isExpired: false });
  });

  it("comes back when a fork drops its block", async () => {
    const { attempt } = await pay();
    await cluster.advance(2);
    expect(await node.find(attempt)).toMatchObject({ kind: "seen" });
    await cluster.call("sandbox_fork", [2, true]);
    expect(await node.find(attempt)).toMatchObject({ kind: "absent", isExpired: false });
    await cluster.finish();
    expect(await node.find(attempt)).toMatchObject({ kind: "final", outcome: "paid" });
  });
});

describe("a node", () => {
  it("names its cluster", async () => {
    expect([await node.identity(), chain.identity]).toEqual([cluster.genesisHash.slice(0, 32), cluster.genesisHash.slice(0, 32)]);
    expect(await node.double?.()).toMatch(/^sandbox/);
    expect(() => openSolanaChain({ ...cluster.settings(), chain: "solana:mainnet" })).toThrow("is no Solana cluster");
  });

  it("names heights, not slots: some slots have no block", async () => {
    await cluster.advance(40);
    const { height, at } = await node.finalPoint();
    const slot = Number(await cluster.call("getSlot", [{ commitment: "finalized" }]));
    expect(height).toBe(Number(await cluster.call("getBlockHeight", [{ commitment: "finalized" }])));
    expect(slot - height).toBeGreaterThan(1_000);
    expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it("that is behind tries a payment out under its own blockhash, and does not send one that is newer", async () => {
    const unsigned = await node.prepare(await intentOf());
    await cluster.faults({ lag: 4 }, 1);
    expect(await witness.simulate(unsigned)).toEqual({ outcome: "passes" });
    await expect(witness.send((await sign(unsigned)).raw)).rejects.toThrow("Blockhash not found");
  });

  it("that is silent is unreachable, and says nothing", async () => {
    const { attempt } = await pay();
    await cluster.faults({ isSilent: true });
    const [impatient] = openSolanaChain({ ...cluster.settings(), rpcTimeoutMs: 100 }).nodes;
    await expect(impatient?.find(attempt)).rejects.toThrow(Unreachable);
  });

  it("that is behind names no balance of a height that it does not know yet", async () => {
    const { height } = await node.finalPoint();
    await cluster.faults({ lag: 1 });
    await expect(node.balance(sender, null, height)).rejects.toThrow(Unreachable);
    expect(await witness.balance(sender, null, height)).toBeGreaterThan(SOL);
  });

  it("that makes up a balance is contradicted by another", async () => {
    const account = await associatedAccount(sender as never, { mint: cluster.mints.USDC as never, tokenProgram: TOKEN as never });
    await cluster.faults({ balances: { [account]: "7" } });
    expect(await node.balance(sender, cluster.mints.USDC ?? "")).toBe(7n);
    expect(await witness.balance(sender, cluster.mints.USDC ?? "")).toBeGreaterThan(7n);
    expect(await node.balance(await newSolanaWallet(), cluster.mints.USDC ?? "")).toBe(0n);
  });

  it("counts what confirmed blocks hold as final where the settings say so", async () => {
    const [quick] = openSolanaChain({ ...cluster.settings(), commitment: "confirmed" }).nodes;
    const { attempt } = await pay();
    await cluster.advance(2);
    expect(await quick?.find(attempt)).toMatchObject({ kind: "final", outcome: "paid" });
    expect(await node.find(attempt)).toMatchObject({ kind: "seen" });
  });

  it("refuses bytes with another's signature", async () => {
    const unsigned = await node.prepare(await intentOf());
    const forged = await newSolanaKey().sign(unsigned.bytes);
    await expect(node.send(forged)).rejects.toThrow(Rejected);
  });
});
