import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import { isChainHalted } from "#db/queries/transfers/chain-halt.ts";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import type { EvmNode } from "#server/ports.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { liftHalt } from "#server/services/treasury/lift-halt.ts";
import { settleLines } from "#server/services/treasury/settle-lines.ts";
import { watchMovements } from "#server/services/treasury/watch-movements.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addPartner, addTerms, setClockOffset, setRate, type TestPartner } from "#testing/factories.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { auditDatabase } from "./audit-database.ts";
import { keepTreasuryOpen } from "./open-treasury.ts";
import { readReconciliations } from "./read-books.ts";
import { reconcile } from "./reconcile.ts";

const order = {
  by: { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" } as const, requestId: null },
  reason: "because of a test",
};

const DAY_MS = 86_400_000;
let chain: TestChain;
let bench: TransferBench;
let partner: TestPartner;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

async function setUp(): Promise<void> {
  bench = await openTransferBench(chain, { onFinal: completeOwner });
  partner = await addPartner(bench.db);
  await addTerms(bench.db);
  await setRate(bench.db, "0.0077");
  await bench.run(bench.newWorker(), [], 1); // the worker registers its wallets
  await chain.mine(4);
  await keepTreasuryOpen(bench.ctx).run();
}

/** A settlement that is confirmed, and the id of its payment. */
async function owe(): Promise<{ id: string; transferId: string }> {
  const ctx = { db: bench.db, chains: bench.ctx.evm };
  const { id } = await createSettlement(ctx, {
    ...partner,
    sourceAmountMinor: 1_000_000n,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "merchant-1",
    chain: chain.chain,
    walletAddress: newAddress(),
    callbackUrl: "http://localhost:9/callback",
  });
  await confirmSettlement(ctx, { ...partner, id, externalTxId: `ref-${id}`, callbackUrl: null, expectedDestinationAmount: null });
  return { id, transferId: (await findTransferOf(bench.db, "settlement", id))?.id ?? "" };
}

/** A settlement that is executed. */
async function pay(): Promise<string> {
  const { id, transferId } = await owe();
  await bench.run(bench.newWorker(), [transferId]);
  return id;
}

const nextDay = async (day: number) => {
  await setClockOffset(bench.db, day * DAY_MS);
  return await reconcile(bench.ctx);
};
const treasury = async (currency: string) =>
  (await listLedgerBalances(bench.db)).find((one) => one.account === "treasury" && one.currency === currency)?.amount;
const errors = () => bench.lines.filter(({ level }) => level === "error").map(({ message }) => message);

describe("the reconciliation of a day", () => {
  it("finds nothing where all is well, and afterwards the ledger says what the wallets hold, the network's fees taken off", async () => {
    await setUp();
    await pay();
    const done = await reconcile(bench.ctx);
    expect(done).toMatchObject({ findings: [] });
    expect(done?.checked).toBeGreaterThan(10);
    const [wallet = ""] = bench.addresses;
    expect(await treasury("USDT")).toBe(await bench.tokenBalance(wallet));
    expect(await treasury("ETH")).toBe(await bench.etherBalance(wallet));
    expect((await auditDatabase({ db: bench.db, evm: bench.ctx.evm })).violations).toBe(0);
    expect(await isChainHalted(bench.db, chain.chain)).toBe(false);
  });

  it("finds nothing where payments become final between any two of its questions", async () => {
    await setUp();
    await bench.letLeasesLapse();
    const worker = bench.newWorker();
    // One in each block: with each further block one of them becomes final.
    for (let each = 0; each < 3; each += 1) await bench.run(worker, [(await owe()).transferId], 1);
    const moving = bench.ctx.evm.list().map((one) => ({
      ...one,
      nodes: one.nodes.map((node) => ({
        ...node,
        block: async (at: Parameters<typeof node.block>[0]) => {
          const seen = await node.block(at);
          if (at !== "latest") return seen;
          await bench.run(worker, [(await owe()).transferId], 1);
          await runTransfersOnce(worker, chain.chain);
          return seen;
        },
      })),
    }));
    const done = await reconcile({ ...bench.ctx, evm: { ...bench.ctx.evm, list: () => moving } });
    expect([done?.findings, await listOpenHalts(bench.ctx)]).toEqual([[], []]);
    expect((await bench.sql`select 1 from transfers where state = 'executed'`).length).toBeGreaterThan(3);
  });

  it("halts nothing for one wrong answer about a balance or a receipt, and asks again", async () => {
    await setUp();
    const [own] = bench.ctx.evm.list();
    if (own === undefined) throw new Error("there is a chain");
    let lies = 0;
    const isLie = () => lies-- > 0;
    const lying: ((node: EvmNode) => Partial<EvmNode>)[] = [
      (node) => ({ balance: async (...asked) => (await node.balance(...asked)) - (isLie() ? 1n : 0n) }),
      (node) => ({
        receipt: async (hash) => {
          const receipt = await node.receipt(hash);
          return receipt !== null && isLie() ? { ...receipt, succeeded: false } : receipt;
        },
      }),
    ];
    for (const [day, liar] of lying.entries()) {
      const nodes = own.nodes.map((node) => ({ ...node, ...liar(node) }));
      await setClockOffset(bench.db, day * DAY_MS);
      await bench.letLeasesLapse();
      await pay();
      lies = 1;
      const done = await reconcile({ ...bench.ctx, evm: { ...bench.ctx.evm, list: () => [{ ...own, nodes }] } });
      expect([day, lies < 1, done?.findings, await listOpenHalts(bench.ctx)]).toEqual([day, true, [], []]);
    }
  });

  it("opens the books with a deposit that was seen before they begin, and misses nothing", async () => {
    bench = await openTransferBench(chain, { onFinal: completeOwner });
    await bench.run(bench.newWorker(), [], 1);
    const [own] = bench.ctx.evm.list();
    const [wallet = ""] = bench.addresses;
    if (own === undefined) throw new Error("there is a chain");
    await watchMovements(bench.ctx, own, "wallet");
    await chain.fund(wallet as `0x${string}`, { ether: 100, tokens: 3_000_000 });
    await watchMovements(bench.ctx, own, "wallet");
    await chain.mine(4);
    await watchMovements(bench.ctx, own, "wallet");
    expect(await bench.sql`select 1 from suspense_lines where state = 'seen'`).not.toHaveLength(0);
    await keepTreasuryOpen(bench.ctx).run();
    expect(await treasury("USDT")).toBe(await bench.tokenBalance(wallet));
    expect(await reconcile(bench.ctx)).toMatchObject({ findings: [] });
    await settleLines(bench.ctx, own);
    expect(await treasury("USDT")).toBe(await bench.tokenBalance(wallet));
    expect(await nextDay(1)).toMatchObject({ findings: [] });
  });

  it("happens once, also when several workers try, and again when the next day has come", async () => {
    await setUp();
    const done = await Promise.all([reconcile(bench.ctx), reconcile(bench.ctx), reconcile(bench.ctx)]);
    expect(done.filter((one) => one !== null)).toHaveLength(1);
    expect(await reconcile(bench.ctx)).toBeNull();
    expect(await nextDay(1)).not.toBeNull();
    expect(await readReconciliations(bench.ctx)).toHaveLength(2);
  });

  it("is begun again when its worker died", async () => {
    await setUp();
    const dying = {
      ...bench.ctx,
      evm: {
        ...bench.ctx.evm,
        list: () => {
          throw new Error("died");
        },
      },
    };
    await expect(reconcile(dying)).rejects.toThrow("died");
    expect(await reconcile(bench.ctx)).toBeNull();
    await bench.sql`update reconciliations set lease_until = clock_timestamp() - interval '1 second'`;
    expect(await reconcile(bench.ctx)).toMatchObject({ findings: [] });
  });

  it("halts the chain whose money is missing, says so by name, and leaves it to an operator to go on", async () => {
    await setUp();
    await pay();
    await chain.call("anvil_impersonateAccount", bench.addresses[0]);
    const data = `0xa9059cbb${newAddress().slice(2).padStart(64, "0")}${(5_000_000).toString(16).padStart(64, "0")}`;
    await chain.call("eth_sendTransaction", { from: bench.addresses[0], to: chain.tokens.USDT, data });
    await chain.mine(4);
    const done = await reconcile(bench.ctx);
    // The coin, too: the fee of an unknown transaction is not one of our fees.
    const missing = { rule: "treasury_is_there", chain: chain.chain, halted: true };
    expect(done?.findings).toEqual([
      {
        ...missing,
        subject: `${chain.chain} USDT`,
        missingBase: "5000000",
        detail: expect.stringMatching(/^5 USDT is missing at height \d+$/),
      },
      {
        ...missing,
        subject: `${chain.chain} ETH`,
        missingBase: expect.stringMatching(/^\d+$/),
        detail: expect.stringMatching(/ETH is missing/),
      },
    ]);
    const [halt] = await listOpenHalts(bench.ctx);
    const scope = { kind: "chain", key: chain.chain };
    expect(halt).toMatchObject({ scope, cause: "broken_invariant", detail: expect.stringContaining("treasury_is_there") });
    expect(await isChainHalted(bench.db, chain.chain)).toBe(true);
    expect(errors()).toContain("the reconciliation found a difference");
    await liftHalt({ ...bench.ctx, mode: "sandbox" }, { ...order, haltId: halt?.id ?? "" });
    expect((await nextDay(1))?.findings).toMatchObject([{ halted: false }, { halted: false }]);
    expect(await isChainHalted(bench.db, chain.chain)).toBe(false);
  });

  it("books no deposit by a difference of balances, and halts nothing because of one", async () => {
    await setUp();
    const before = await treasury("USDC");
    await chain.fund(newAddress(), { ether: 1, tokens: 1 });
    const [wallet = "", donor] = [bench.addresses[0], newAddress()];
    await chain.fund(donor, { ether: 1, tokens: 7 });
    await chain.call("anvil_impersonateAccount", donor);
    const data = `0xa9059cbb${wallet.slice(2).padStart(64, "0")}${(7_000_000).toString(16).padStart(64, "0")}`;
    await chain.call("eth_sendTransaction", { from: donor, to: chain.tokens.USDC, data });
    await chain.mine(4);
    expect((await reconcile(bench.ctx))?.findings).toEqual([]);
    expect(await treasury("USDC")).toBe(before);
    expect((await nextDay(1))?.findings).toEqual([]);
  });

  it("looks again at what it could not ask a chain about", async () => {
    await setUp();
    await pay();
    const silent = bench.ctx.evm.list().map((one) => ({ ...one, nodes: [] }));
    const blind = await reconcile({ ...bench.ctx, evm: { ...bench.ctx.evm, list: () => silent } });
    expect(blind?.findings).toMatchObject([{ rule: "chain_was_asked", halted: false }]);
    await setClockOffset(bench.db, DAY_MS);
    const report = await reconcile(bench.ctx);
    expect(report?.findings).toEqual([]);
    expect(report?.rules).toBe((blind?.rules ?? 0) + 4);
  });
});
