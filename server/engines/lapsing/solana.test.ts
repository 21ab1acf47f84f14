import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { insertAuditEntries } from "#db/queries/audit/audit-entries.ts";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import { newId } from "#domain/ids.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { LapsingSigners } from "#domain/lapsing-signer.ts";
import { SOLANA_PROGRAMS } from "#domain/solana-address.ts";
import type { Transfer } from "#domain/transfer.ts";
import { associatedAccount } from "#server/adapters/chain/solana/instructions.ts";
import { openSolanaChain } from "#server/adapters/chain/solana/open-solana-chains.ts";
import type { EnqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { silentLog } from "#testing/callbacks.ts";
import { createTestDatabase, processOf, type TestDatabase } from "#testing/database.ts";
import { Died, mortal } from "#testing/death.ts";
import { plantTransfer } from "#testing/plant-transfer.ts";
import { noScreening } from "#testing/screening.ts";
import { newSolanaKey, newSolanaWallet, startTestCluster, type TestCluster } from "#testing/solana.ts";
import { createLapsingEngine, type LapsingEngine, type LapsingStep } from "./engine.ts";
import { runLapsingOnce } from "./run-lapsing.ts";

const SOL = 1_000_000_000n;
const AMOUNT = 1_500_000n;
const key = newSolanaKey();

let cluster: TestCluster;
let database: TestDatabase;
let chain: LapsingChain;
let treasury: string;

beforeAll(async () => {
  [cluster, database] = await Promise.all([startTestCluster(), createTestDatabase()]);
  // Two nodes, and every payment needs both.
  chain = openSolanaChain(cluster.settings([0, 1]));
  treasury = await key.address();
  await cluster.fund(treasury, 100n * SOL, { USDC: 1_000_000_000n, PLAIN22: 1_000_000_000n });
  await cluster.finish();
});
beforeEach(async () => {
  await cluster.faults({}, 0);
  await cluster.faults({}, 1);
  await cluster.traffic();
});
afterAll(async () => {
  await cluster?.stop();
  await database?.close();
});

/** The key in this process. It opens only bytes that it signed itself. */
function openSigners(): LapsingSigners {
  return {
    of: () => [{ kind: key.kind, address: () => key.address(), signsSafes: false }],
    async sign({ unsigned }) {
      const raw = await key.sign(unsigned.bytes);
      return { outcome: "signed", id: await chain.checkSigned(raw, unsigned), bytes: raw };
    },
    admit: async ({ bytes }) => ({ raw: bytes }),
  };
}

const recordFinal: OnFinal = async (tx, transfers) => {
  const by = { actor: { type: "system" as const }, requestId: null };
  const entry = { by, partnerId: null, action: "test.final", now: new Date() };
  await insertAuditEntries(
    tx,
    transfers.map(({ id, state }) => ({ ...entry, objectId: id, change: { state } })),
  );
};

/** A worker process. Only the database is shared with others; it dies where `observe` throws. */
function newWorker(observe?: (step: LapsingStep) => void): LapsingEngine {
  const meter = { transferMoved: () => {}, settlementExecuted: () => {}, treasuryBalance: () => {}, chainHead: () => {} };
  const ctx = { db: processOf(database.db, "worker"), log: silentLog, meter, screener: noScreening };
  const timings = { leaseSeconds: 30, restMs: 0, lookMs: 0 };
  return createLapsingEngine({ chains: [chain], signers: openSigners(), onFinal: recordFinal, timings, ...mortal(ctx, observe) });
}

async function owe(what: Partial<EnqueueTransfer> = {}): Promise<Transfer> {
  const now = new Date(Date.now() - 10);
  const token = { currency: "USDC", tokenAddress: cluster.mints.USDC ?? "", tokenDecimals: 6 };
  const owed = {
    purpose: "settlement" as const,
    ownerId: newId("settlement", now),
    partnerId: null,
    chain: chain.chain,
    ...token,
    amountBase: AMOUNT,
    recipient: await newSolanaWallet(),
    now,
  };
  const stored = await plantTransfer(database.db, { ...owed, ...what });
  if (stored === null) throw new Error("it is owed already");
  return stored;
}

const stateOf = async ({ id }: Transfer) => (await findTransfer(database.db, id))?.state;
const attemptsOf = async ({ id }: Transfer) =>
  await database.sql`select id, state, block_number as height, fee_at_most::text as most from lapsing_attempts where transfer_id = ${id} order by number`;
const statesOf = async (transfer: Transfer) => (await attemptsOf(transfer)).map(({ state }) => state);
const announced = async ({ id }: Transfer) =>
  (await database.sql`select 1 from audit_entries where object_id = ${id} and action = 'test.final'`).length;

/** Passes, with two blocks after each, until none is open any more. */
async function run(worker: LapsingEngine, of: readonly Transfer[], passes = 12): Promise<void> {
  for (let pass = 0; pass < passes; pass += 1) {
    await runLapsingOnce(worker, chain);
    const states = await Promise.all(of.map(stateOf));
    if (states.every((state) => state === "executed" || state === "failed" || state === "needs_review")) return;
    await cluster.advance(2);
  }
}

const held = async (owner: string, name = "USDC") => (await chain.nodes[1]?.balance(owner, cluster.mints[name] ?? "")) ?? 0n;
const coin = async () => (await chain.nodes[1]?.balance(treasury, null)) ?? 0n;
const booked = async () => {
  const [row] = await database.sql`select coalesce(sum(fee_base), 0)::text as fees from network_fees where chain = ${chain.chain}`;
  return BigInt(String(row?.fees));
};

/** What one payment moved and cost, in the books and on the chain, to the base unit. */
async function measure(work: () => Promise<void>): Promise<{ paid: bigint; cost: bigint }> {
  const before = { tokens: await held(treasury), coin: await coin(), booked: await booked() };
  await work();
  await cluster.finish();
  const cost = before.coin - (await coin());
  expect((await booked()) - before.booked).toBe(cost);
  return { paid: before.tokens - (await held(treasury)), cost };
}

describe("payments on Solana through the engine", () => {
  it("pays new and old recipients of both token programs, each once, and books fee and rent to the lamport", async () => {
    const old = await newSolanaWallet();
    await cluster.fund(old, 0n, { USDC: 5n });
    const plain = { currency: "PLAIN22", tokenAddress: cluster.mints.PLAIN22 ?? "", tokenDecimals: 9 };
    const usdc = [await owe(), await owe(), await owe({ recipient: old })];
    const other = await owe({ ...plain });
    const { paid, cost } = await measure(() => run(newWorker(), [...usdc, other]));
    expect(paid).toBe(3n * AMOUNT);
    // Two accounts of SPL Token, one of Token-2022, and four fees.
    expect(cost).toBeGreaterThan(2n * 2_039_280n + 2_074_080n + 4n * 5_000n);
    for (const transfer of [...usdc, other]) {
      expect([await stateOf(transfer), await statesOf(transfer), await announced(transfer)]).toEqual(["executed", ["paid"], 1]);
    }
    expect(await held(old)).toBe(AMOUNT + 5n);
    expect(await held(other.recipient, "PLAIN22")).toBe(AMOUNT);
  });

  it("waits, and says why, where the token's mint is not accepted", async () => {
    const transfer = await owe({ currency: "FEE", tokenAddress: cluster.mints.FEE ?? "" });
    const { cost } = await measure(() => run(newWorker(), [transfer], 2));
    const waiting = await findTransfer(database.db, transfer.id);
    expect([waiting?.state, waiting?.waitingReason, await attemptsOf(transfer), cost]).toEqual([
      "queued",
      expect.stringContaining("FEE: the token takes a fee"),
      [],
      0n,
    ]);
    await database.sql`delete from transfers where id = ${transfer.id}`;
  });

  it("fails a payment to a frozen account before anything is signed", async () => {
    const recipient = await newSolanaWallet();
    await cluster.fund(recipient, 0n, { USDC: 0n });
    await cluster.freeze(recipient, "USDC");
    const transfer = await owe({ recipient });
    const { paid, cost } = await measure(() => run(newWorker(), [transfer]));
    expect([await stateOf(transfer), await attemptsOf(transfer), paid, cost, await announced(transfer)]).toEqual(["failed", [], 0n, 0n, 1]);
  });

  it("fails a payment whose recipient was frozen after it was sent: it cost the fee, and moved nothing", async () => {
    const recipient = await newSolanaWallet();
    await cluster.fund(recipient, 0n, { USDC: 0n });
    const transfer = await owe({ recipient });
    const worker = newWorker();
    const { paid, cost } = await measure(async () => {
      await cluster.traffic({ isCongested: true });
      await runLapsingOnce(worker, chain);
      expect(await statesOf(transfer)).toEqual(["sent"]);
      await cluster.freeze(recipient, "USDC");
      await cluster.traffic();
      await run(worker, [transfer]);
    });
    expect([await stateOf(transfer), await statesOf(transfer), paid, await announced(transfer)]).toEqual(["failed", ["failed"], 0n, 1]);
    expect(cost).toBeGreaterThanOrEqual(5_000n);
    expect(cost).toBeLessThan(6_000n);
  });

  it("makes a payment again whose blockhash has lapsed, and not before both nodes prove it", async () => {
    const transfer = await owe();
    const worker = newWorker();
    const { paid } = await measure(async () => {
      await cluster.traffic({ isCongested: true });
      await runLapsingOnce(worker, chain);
      await cluster.faults({ keepsBlocks: 20 }, 1);
      await cluster.advance(170);
      for (let pass = 0; pass < 3; pass += 1) await runLapsingOnce(worker, chain);
      expect(await statesOf(transfer)).toEqual(["sent"]);
      await cluster.faults({}, 1);
      await cluster.traffic();
      await run(worker, [transfer]);
    });
    expect([await stateOf(transfer), await statesOf(transfer), paid, await announced(transfer)]).toEqual([
      "executed",
      ["lapsed", "paid"],
      AMOUNT,
      1,
    ]);
  });

  it("never makes a payment again that landed, although a node hides it past its expiry", async () => {
    const transfer = await owe();
    const worker = newWorker();
    const { paid } = await measure(async () => {
      await runLapsingOnce(worker, chain);
      const [attempt] = await attemptsOf(transfer);
      await cluster.faults({ hides: [attempt?.id] }, 0);
      await cluster.advance(170);
      for (let pass = 0; pass < 5; pass += 1) await runLapsingOnce(worker, chain);
      expect([await stateOf(transfer), await statesOf(transfer)]).toEqual(["broadcast", ["sent"]]);
      await cluster.faults({}, 0);
      await run(worker, [transfer]);
    });
    expect([await stateOf(transfer), await statesOf(transfer), paid, await announced(transfer)]).toEqual(["executed", ["paid"], AMOUNT, 1]);
  });

  it("is not final by one node while the other has forgotten the block", async () => {
    const transfer = await owe();
    const worker = newWorker();
    const { paid } = await measure(async () => {
      await runLapsingOnce(worker, chain);
      await cluster.finish();
      await cluster.faults({ keepsBlocks: 1 }, 1);
      for (let pass = 0; pass < 3; pass += 1) await runLapsingOnce(worker, chain);
      expect(await stateOf(transfer)).not.toBe("executed");
      await cluster.faults({}, 1);
      await run(worker, [transfer]);
    });
    expect([await stateOf(transfer), paid, await announced(transfer)]).toEqual(["executed", AMOUNT, 1]);
  });

  it("sends again what a node took and lost", async () => {
    const transfer = await owe();
    const worker = newWorker();
    await cluster.faults({ swallows: true }, 0);
    await cluster.faults({ swallows: true }, 1);
    const { paid } = await measure(async () => {
      await runLapsingOnce(worker, chain);
      await cluster.advance(5);
      expect(await held(transfer.recipient)).toBe(0n);
      await cluster.faults({}, 0);
      await cluster.faults({}, 1);
      await run(worker, [transfer]);
    });
    expect([await stateOf(transfer), await statesOf(transfer), paid]).toEqual(["executed", ["paid"], AMOUNT]);
  });

  it("sends again what a fork took out of its block", async () => {
    const transfer = await owe();
    const worker = newWorker();
    const { paid } = await measure(async () => {
      await runLapsingOnce(worker, chain);
      await cluster.advance(2);
      await runLapsingOnce(worker, chain);
      expect(await statesOf(transfer)).toEqual(["seen"]);
      await cluster.call("sandbox_fork", [2, false]);
      await runLapsingOnce(worker, chain);
      expect(await statesOf(transfer)).toEqual(["sent"]);
      await run(worker, [transfer]);
    });
    expect([await stateOf(transfer), await statesOf(transfer), paid]).toEqual(["executed", ["paid"], AMOUNT]);
  });

  it("waits while a node makes up that the treasury has too little", async () => {
    const transfer = await owe();
    const worker = newWorker();
    const place = { mint: cluster.mints.USDC as never, tokenProgram: SOLANA_PROGRAMS.token as never };
    await cluster.faults({ balances: { [await associatedAccount(treasury as never, place)]: "7" } }, 1);
    await runLapsingOnce(worker, chain);
    const waiting = await findTransfer(database.db, transfer.id);
    expect([waiting?.state, waiting?.waitingReason, await attemptsOf(transfer)]).toEqual([
      "queued",
      expect.stringContaining("too little"),
      [],
    ]);
    await cluster.faults({}, 1);
    const { paid } = await measure(() => run(worker, [transfer]));
    expect([await stateOf(transfer), paid]).toEqual(["executed", AMOUNT]);
  });

  it.each<LapsingStep>(["signed", "stored", "asked", "admitted", "sent", "noted", "final_written"])(
    "pays once where the process dies at `%s`",
    async (fatal) => {
      const transfer = await owe();
      let deaths = 0;
      const dying = newWorker((step) => {
        if (step !== fatal) return;
        deaths += 1;
        throw new Died(step);
      });
      const { paid } = await measure(async () => {
        await run(dying, [transfer]).catch(() => {});
        expect(deaths).toBeGreaterThan(0);
        await database.sql`update transfers set lease_until = clock_timestamp() - interval '1 second', rest_until = null where lease_until is not null`;
        await run(newWorker(), [transfer]);
      });
      expect([await stateOf(transfer), await statesOf(transfer), paid, await announced(transfer)]).toEqual([
        "executed",
        ["paid"],
        AMOUNT,
        1,
      ]);
    },
  );

  it("pays once where the process dies as it finds a payment lapsed", async () => {
    const transfer = await owe();
    const { paid } = await measure(async () => {
      await cluster.traffic({ isCongested: true });
      await runLapsingOnce(newWorker(), chain);
      await cluster.advance(170);
      const dying = newWorker((step) => {
        if (step === "lapsed") throw new Died(step);
      });
      await run(dying, [transfer], 2).catch(() => {});
      await cluster.traffic();
      await run(newWorker(), [transfer]);
    });
    expect([await stateOf(transfer), await statesOf(transfer), paid]).toEqual(["executed", ["lapsed", "paid"], AMOUNT]);
  });
});
