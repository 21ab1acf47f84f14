import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getAddressEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LapsingChain, LapsingIntent, LapsingNode } from "#domain/lapsing-chain.ts";
import { SOLANA_PROGRAMS } from "#domain/solana-address.ts";
import type { MintPower } from "#domain/solana-mint.ts";
import { newSolanaKey, newSolanaWallet, startTestCluster, type TestCluster } from "#testing/solana.ts";
import { associatedAccount } from "./instructions.ts";
import { openSolanaChain } from "./open-solana-chains.ts";
import { toBytes } from "./payment-bytes.ts";

const SOL = 1_000_000_000n;
const TOKEN = SOLANA_PROGRAMS.token as Address;

let cluster: TestCluster;
let chain: LapsingChain;
let node: LapsingNode;
let sender: string;
const treasury = newSolanaKey();

beforeAll(async () => {
  cluster = await startTestCluster({ ports: [0] });
  chain = openSolanaChain(cluster.settings());
  [node] = chain.nodes as [LapsingNode];
  sender = await treasury.address();
  await cluster.fund(sender, 10n * SOL, { USDC: 1_000_000n, FEE0: 1_000_000n, DELEGATE: 1_000_000n });
  await cluster.finish();
});
afterAll(() => cluster?.stop());

const mint = (name: string) => cluster.mints[name] ?? "";
const intentOf = async (other: Partial<LapsingIntent> = {}): Promise<LapsingIntent> => {
  return { sender, recipient: await newSolanaWallet(), token: mint("USDC"), amountBase: 1_000n, reference: "set_1", ...other };
};
const trial = async (other: Partial<LapsingIntent>) => node.simulate(await node.prepare(await intentOf(other)));
const refused = (reason: string) => ({ outcome: "refused", reason: expect.stringContaining(reason) });
const waits = (reason: string) => ({ outcome: "treasury", reason: expect.stringContaining(reason) });

async function sendPayment(other: Partial<LapsingIntent>, key = treasury) {
  const unsigned = await node.prepare(await intentOf({ sender: await key.address(), ...other }));
  const raw = await key.sign(unsigned.bytes);
  await node.send(raw);
  const { after, expiry, bytes } = unsigned;
  return { id: await chain.checkSigned(raw, unsigned), after, expiry, bytes };
}

describe("a recipient", () => {
  it("is refused where the chain has something else than a wallet at its address", async () => {
    const account = await associatedAccount(sender as Address, { mint: mint("USDC") as Address, tokenProgram: TOKEN });
    expect(await trial({ recipient: mint("USDT") })).toEqual(refused("is a mint"));
    expect(await trial({ recipient: mint("FEE") })).toEqual(refused("is a mint"));
    expect(await trial({ recipient: account })).toEqual(refused("is a token account"));
    expect(await trial({ recipient: SOLANA_PROGRAMS.memo })).toEqual(refused("is a program"));
    expect(await trial({ recipient: mint("USDT"), token: null })).toEqual(refused("is a mint"));
    const fine = await Promise.all(Array.from({ length: 120 }, () => newSolanaWallet()));
    const asked = [mint("USDT"), ...fine, account];
    const found = await node.judgeRecipients?.(asked, mint("USDC"));
    expect(found?.map((fault) => fault?.replace(/^The recipient's address is /, ""))).toEqual([
      "a mint, not a wallet.",
      ...fine.map(() => undefined),
      "a token account, not a wallet.",
    ]);
  });

  it("is paid under the longest reference that a partner may give, and under none that is longer than the chain says", async () => {
    const longest = `${"€".repeat(128)} ${"x".repeat(29)}`;
    expect(Buffer.byteLength(longest)).toBeLessThanOrEqual(chain.memoBytes);
    expect(await trial({ reference: longest })).toEqual({ outcome: "passes" });
    const fits = "y".repeat(chain.memoBytes);
    expect(await trial({ reference: fits })).toEqual({ outcome: "passes" });
    await expect(trial({ reference: "y".repeat(900) })).rejects.toThrow("reference is too long");
  });

  it("is refused while its account is frozen, and paid after it is thawed", async () => {
    const recipient = await newSolanaWallet();
    await cluster.fund(recipient, 0n, { USDC: 0n });
    await cluster.freeze(recipient, "USDC");
    expect(await trial({ recipient })).toEqual(refused("frozen"));
    await cluster.freeze(recipient, "USDC", false);
    expect(await trial({ recipient })).toEqual({ outcome: "passes" });
  });

  it("is refused where its account was given to somebody else", async () => {
    const owner = newSolanaKey();
    await cluster.fund(await owner.address(), SOL, { USDC: 0n });
    await giveAway(owner, await newSolanaWallet());
    expect(await trial({ recipient: await owner.address() })).toEqual(refused("belongs to somebody else"));
  });

  it("that is frozen only after it was sent ends failed, moves nothing, and costs the fee", async () => {
    const recipient = await newSolanaWallet();
    await cluster.fund(recipient, 0n, { USDC: 0n });
    await cluster.traffic({ isCongested: true });
    const attempt = await sendPayment({ recipient });
    await cluster.freeze(recipient, "USDC");
    await cluster.traffic();
    const before = await node.balance(sender, mint("USDC"));
    await cluster.finish();
    const found = await node.find(attempt);
    expect(found).toMatchObject({ kind: "final", outcome: "failed", fault: "payment", moves: [] });
    if (found.kind === "final") expect(found.fee.amountBase).toBeLessThan(6_000n);
    expect(await node.balance(sender, mint("USDC"))).toBe(before);
  });

  it("of the coin is refused below what a new account must hold", async () => {
    expect(await trial({ token: null, amountBase: 1_000n })).toEqual(refused("below what a new account"));
    expect(await trial({ token: null, amountBase: 1_000_000n })).toEqual({ outcome: "passes" });
  });
});

describe("the treasury's trouble", () => {
  it("waits: too few tokens, no coin for fee or rent, a frozen account", async () => {
    expect(await trial({ amountBase: 1_000_001n })).toEqual(waits("too little of the token"));
    const [poor, broke] = [await newSolanaWallet(), await newSolanaWallet()];
    await cluster.fund(poor, 1_000_000n, { USDC: 5_000n });
    await cluster.fund(broke, 0n, { USDC: 5_000n });
    await cluster.finish();
    expect(await trial({ sender: poor })).toEqual(waits("of the native coin"));
    expect(await trial({ sender: broke })).toEqual(waits("of the native coin"));
    await cluster.freeze(poor, "USDC");
    expect(await trial({ sender: poor })).toEqual(waits("treasury's account is frozen"));
  });

  it("that comes only after a payment was sent ends it failed, and not as the recipient's", async () => {
    const own = newSolanaKey();
    const recipient = await newSolanaWallet();
    await cluster.fund(await own.address(), SOL, { USDC: 5_000n });
    await cluster.fund(recipient, 0n, { USDC: 0n });
    await cluster.traffic({ isCongested: true });
    const attempt = await sendPayment({ recipient }, own);
    await cluster.freeze(await own.address(), "USDC");
    await cluster.traffic();
    await cluster.finish();
    expect(await node.find(attempt)).toMatchObject({ kind: "final", outcome: "failed", fault: "treasury", moves: [] });
  });
});

describe("a mint", () => {
  it.each([
    ["FEE", "takes a fee"],
    ["FEE0", "transfer_fee"],
    ["SOUL", "cannot be transferred"],
    ["DELEGATE", "permanent_delegate"],
    ["HOOK", "which is not supported"],
    ["ICE", "can freeze accounts"],
  ])("%s is refused", async (name, reason) => {
    await expect(node.prepare(await intentOf({ token: mint(name) }))).rejects.toThrow(reason);
  });

  const withAccepted = (name: string, accepts: readonly MintPower[], decimals?: number) => {
    const settings = cluster.settings();
    const tokens = settings.tokens.map((token) =>
      token.currency === name ? { ...token, accepts, ...(decimals === undefined ? {} : { decimals }) } : token,
    );
    return openSolanaChain({ ...settings, tokens }).nodes[0] as LapsingNode;
  };

  it.each<[string, MintPower]>([
    ["FEE0", "transfer_fee"],
    ["DELEGATE", "permanent_delegate"],
  ])("%s is paid in where the operator accepts %s, for exactly what the payment said it costs at most", async (name, power) => {
    const own = withAccepted(name, [power]);
    const unsigned = await own.prepare(await intentOf({ token: mint(name) }));
    expect(await own.simulate(unsigned)).toEqual({ outcome: "passes" });
    const raw = await treasury.sign(unsigned.bytes);
    await own.send(raw);
    await cluster.finish();
    const { after, expiry, bytes } = unsigned;
    const found = await own.find({ id: await chain.checkSigned(raw, unsigned), after, expiry, bytes });
    expect(found).toMatchObject({ kind: "final", outcome: "paid", moves: [{ amountBase: 1_000n }], fee: unsigned.feeAtMost });
  });

  it.each<[string, MintPower]>([
    ["FEE", "transfer_fee"],
    ["HOOK", "transfer_hook"],
    ["ICE", "freeze_authority"],
  ])("%s is refused even where %s is accepted: a payment would not arrive as it is owed", async (name, power) => {
    await expect(withAccepted(name, [power]).prepare(await intentOf({ token: mint(name) }))).rejects.toThrow(
      /fee|not supported|are frozen/,
    );
  });

  it("that is not accepted any more makes a prepared payment wait", async () => {
    const unsigned = await node.prepare(await intentOf());
    expect(await withAccepted("USDC", []).simulate(unsigned)).toEqual(waits("freeze_authority"));
  });

  it("is refused where freezing is not accepted, with other decimals, or where there is none", async () => {
    const payment = await intentOf();
    await expect(withAccepted("USDC", []).prepare(payment)).rejects.toThrow("freeze_authority");
    await expect(withAccepted("USDC", ["freeze_authority"], 9).prepare(payment)).rejects.toThrow("6 decimals, not 9");
    await expect(node.prepare({ ...payment, token: await newSolanaWallet() })).rejects.toThrow("not configured");
    const settings = cluster.settings();
    const tokens = settings.tokens.map((token) => ({ ...token, address: sender }));
    const [misled] = openSolanaChain({ ...settings, tokens }).nodes;
    await expect(misled?.prepare({ ...payment, token: sender })).rejects.toThrow("is not a mint");
  });
});

/** What an owner does who makes its account for USDC another's. */
async function giveAway(owner: ReturnType<typeof newSolanaKey>, to: string): Promise<void> {
  const address = (await owner.address()) as Address;
  const account = await associatedAccount(address, { mint: mint("USDC") as Address, tokenProgram: TOKEN });
  const { value } = (await cluster.call("getLatestBlockhash")) as { value: { blockhash: Blockhash; lastValidBlockHeight: bigint } };
  const setAuthority = {
    programAddress: TOKEN,
    accounts: [
      { address: account, role: AccountRole.WRITABLE },
      { address, role: AccountRole.READONLY_SIGNER },
    ],
    data: Uint8Array.from([6, 2, 1, ...getAddressEncoder().encode(to as Address)]),
  };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayer(address, one),
    (one) => setTransactionMessageLifetimeUsingBlockhash(value, one),
    (one) => appendTransactionMessageInstructions([setAuthority], one),
  );
  await cluster.call("sendTransaction", [await owner.sign(toBytes(compileTransaction(message))), { encoding: "base64" }]);
  await cluster.finish();
}
