import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import { TRON_DOUBLE } from "#domain/chain-id.ts";
import { newId } from "#domain/ids.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { MeteredUse } from "#domain/lapsing-report.ts";
import type { LapsingSigners } from "#domain/lapsing-signer.ts";
import { hexOfTron } from "#domain/tron-address.ts";
import { openTronChain } from "#server/adapters/chain/tron/open-tron-chain.ts";
import { tronKey } from "#server/adapters/signer/tron-key.ts";
import type { Observe } from "#server/engines/duty.ts";
import type { Log } from "#server/ports.ts";
import { auditLapsingChain } from "#server/services/ledger/audit-lapsing-chain.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { judgeQuoted } from "#server/services/settlements/judge-recipients.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { expectPaidOnce } from "#testing/both-put-back.ts";
import { createTestDatabase, processOf, type TestDatabase } from "#testing/database.ts";
import { Died, mortal } from "#testing/death.ts";
import { makeTestJournal } from "#testing/journal.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { plantTransfer } from "#testing/plant-transfer.ts";
import { noScreening } from "#testing/screening.ts";
import { expectConformance } from "#testing/settlement-conformance.ts";
import { startTestTron, type TestTron, type TronWallet } from "#testing/tron.ts";
import { createLapsingEngine, LAPSING_STEPS, type LapsingEngine, type LapsingStep } from "./engine.ts";
import { runLapsingOnce } from "./run-lapsing.ts";

let tron: TestTron;
let database: TestDatabase;
let chain: LapsingChain;
let treasury: TronWallet;
let holder: TronWallet;

beforeAll(async () => {
  [tron, database] = await Promise.all([startTestTron(), createTestDatabase()]);
  treasury = await tron.wallet({ trx: 100_000, tokens: 100_000 });
  holder = await tron.wallet({ tokens: 1 });
  chain = openTronChain({
    chain: TRON_DOUBLE,
    name: "Tron",
    rpcUrls: tron.nodes.map(({ url }) => url),
    rpcTimeoutMs: 2 * AT_ONCE_MS,
    tokens: [{ currency: "USDT", address: tron.token, decimals: 6 }],
    isLive: false,
  });
});
afterAll(async () => {
  await tron.stop();
  await database.close();
});
afterEach(() => {
  for (const { knobs } of tron.nodes) {
    Object.assign(knobs, { lag: 0, forgetBelow: 0, isSilent: false, refusesWith: null, losesAnswers: false });
    knobs.hides.clear();
    knobs.forgetsIds.clear();
  }
});

const quiet: Log = { info: () => {}, warn: () => {}, error: () => {}, child: () => quiet };

/** A separate worker process: only the database is shared with others. It dies where `observe` throws. */
function newWorker(
  observe?: Observe<LapsingStep>,
  { by = signers, onFinal = async () => {}, on = database }: { by?: LapsingSigners; onFinal?: OnFinal; on?: TestDatabase } = {},
): LapsingEngine {
  const meter = { transferMoved: () => {} };
  const ctx = { db: processOf(on.db, "worker"), log: quiet, meter, screener: noScreening };
  const fate = mortal(ctx as unknown as LapsingEngine["ctx"], observe);
  return createLapsingEngine({
    ...fate,
    chains: [chain],
    signers: by,
    onFinal,
    timings: { restMs: 0, lookMs: 0, leaseSeconds: 30 },
  });
}

/** The treasury's key in this process. What it signs is not sealed: the seal has its own tests. */
const signers: LapsingSigners = {
  of: () => [{ kind: "sandbox", signsSafes: false, address: async () => treasury.address }],
  async sign({ unsigned }) {
    const raw = await tronKey(async () => treasury.key).sign(unsigned.bytes);
    return { outcome: "signed", id: await chain.checkSigned(raw, unsigned), bytes: raw };
  },
  admit: async ({ bytes }) => ({ raw: bytes }),
  readJournal: async () => ({ records: 0, durable: 0, newest: null }),
};

async function owe(recipient: string, amountBase = 1_500_000n, { db } = database): Promise<string> {
  const now = new Date(Date.now() - 10);
  const payment = {
    purpose: "settlement",
    ownerId: newId("settlement", now),
    partnerId: null,
    chain: TRON_DOUBLE,
    currency: "USDT",
  } as const;
  const token = { tokenAddress: tron.token, tokenDecimals: 6, amountBase, recipient, now };
  const transfer = await plantTransfer(db, { ...payment, ...token });
  return transfer?.id ?? expect.fail("the payment is there already");
}

describe("the settlement API on Tron", () => {
  it("refuses, pays, holds and halts as on every family", async () => {
    const last = treasury.address.at(-1);
    await expectConformance({
      ...database,
      chain,
      lapsing: { list: () => [chain], find: (name) => (name === chain.chain ? chain : null) },
      currency: "USDT",
      treasury: treasury.address,
      newWallet: async () => (await tron.wallet()).address,
      refused: {
        "a wrong checksum": holder.address.slice(0, -1) + (holder.address.endsWith("a") ? "b" : "a"),
        "a wallet that the token's issuer has blocked": tron.blocked,
        "the hex form": `41${hexOfTron(holder.address).slice(2)}`,
        "an address of EVM": hexOfTron(holder.address),
        "the treasury's with another last character": treasury.address.slice(0, -1) + (last === "1" ? "2" : "1"),
      },
      async block(wallet) {
        await tron.evm.callToken("blockWallet(address)", [hexOfTron(wallet)]);
      },
      async work() {
        await runLapsingOnce({ ...newWorker(), onFinal: completeOwner }, chain);
        await tron.chain.mine(2);
      },
      costTolerance: 5,
      held: (owner) => tron.tokensOf(owner),
      memoIn: async (hash) => Buffer.from(tron.chain.info(hash)?.sent.raw ?? "", "hex").toString("utf8"),
    });
  });
});

it("a recipient is refused by a word of a node, and never by its silence", async () => {
  const asked = [{ chain: chain.chain, destinationCurrency: "USDT", walletAddress: tron.blocked }];
  const directory = { list: () => [chain], find: () => chain };
  const judged = () => judgeQuoted({ chains: directory, lapsing: directory }, asked);
  expect(await judged()).toEqual(["The token's issuer has blocked the recipient's address."]);
  for (const { knobs } of tron.nodes) knobs.isSilent = true;
  expect(await judged()).toEqual([null]);
});

it("pays once where database and journal were both put back", async () => {
  const [on, own, journal] = [await createTestDatabase(), await tron.wallet({ trx: 1_000, tokens: 100 }), makeTestJournal()];
  const ended: string[] = [];
  const onFinal: OnFinal = async (_, ends) => void ended.push(...ends.map(({ id }) => id));
  await expectPaidOnce({
    ...on,
    chain,
    key: tronKey(async () => own.key),
    journal,
    owe: async () => (await findTransfer(on.db, await owe((await tron.wallet()).address, 1_500_000n, on))) ?? expect.fail("no payment"),
    newWorker: (by) => newWorker(undefined, { by, onFinal, on }),
    advance: () => tron.chain.mine(2),
    finish: () => tron.chain.mine(4),
    lapse: () => tron.chain.mine(100),
    held: (recipient) => tron.tokensOf(recipient),
    announced: async (id) => ended.filter((one) => one === id).length,
  });
  await on.close();
  journal.remove();
});

type Row = { state: string; attempts: string[]; ids: string[]; used: (MeteredUse | null)[]; waiting: string | null; fee: string };
async function rowOf(id: string): Promise<Row> {
  const [row] = await database.sql<Row[]>`
    select t.state, t.waiting_reason as waiting,
      coalesce((select array_agg(a.state order by a.number) from lapsing_attempts a where a.transfer_id = t.id), '{}') as attempts,
      coalesce((select array_agg(a.id order by a.number) from lapsing_attempts a where a.transfer_id = t.id), '{}') as ids,
      coalesce((select jsonb_agg(a.used order by a.number) from lapsing_attempts a where a.transfer_id = t.id), '[]') as used,
      coalesce((select sum(fee_base) from network_fees f where f.transfer_id = t.id), 0)::text as fee
    from transfers t where t.id = ${id}`;
  return row ?? expect.fail("no such transfer");
}

/** Passes, with a block after each, until all of them are at an end or the passes are over. */
async function run(worker: LapsingEngine, ids: readonly string[], passes = 12): Promise<Row[]> {
  for (let pass = 0; pass < passes; pass += 1) {
    await runLapsingOnce(worker, chain);
    const rows = await Promise.all(ids.map(rowOf));
    if (rows.every(({ state }) => ["executed", "failed", "needs_review"].includes(state))) return rows;
    await tron.chain.mine();
  }
  return await Promise.all(ids.map(rowOf));
}

/** What the chain took for the attempts of a payment, in sun. */
const feeOf = ({ ids }: Row) => String(ids.reduce((sum, id) => sum + (tron.chain.info(id)?.feeSun ?? 0n), 0n));
/** As the double's receipt has it. */
function usedOnChain(id = "") {
  const info = tron.chain.info(id) ?? expect.fail(`no receipt of ${id}`);
  const { energy, bandwidth } = info;
  const [staked_energy, energy_fee] = [Number(energy.usage), Number(energy.feeSun)];
  return {
    energy: Number(energy.total),
    staked_energy,
    energy_fee,
    bandwidth: Number(bandwidth.usage),
    bandwidth_fee: Number(bandwidth.feeSun),
  };
}
/** What the audit of the chain finds. */
async function audited(): Promise<string[]> {
  const [node] = chain.nodes;
  const rules = await auditLapsingChain(database, { chain, node: node ?? expect.fail("no node") }, { scope: null, endedSince: null });
  return rules.flatMap(({ violations }) => violations.map(({ detail }) => detail));
}
const onChain = (id: string) => tron.chain.blocks.flatMap(({ transactions }) => transactions).filter(({ sent }) => sent.id === id).length;

describe("payments on the double of a Tron node", () => {
  it("are made to a holder and to a new address, and the books have each fee to the sun", async () => {
    const fresh = await tron.wallet();
    const had = {
      holder: await tron.tokensOf(holder.address),
      sun: tron.chain.accounts.find(hexOfTron(treasury.address))?.balanceSun ?? 0n,
    };
    const rows = await run(newWorker(), [await owe(holder.address, 2_000_000n), await owe(fresh.address, 3_000_000n)]);
    for (const row of rows) {
      expect(row).toMatchObject({ state: "executed", attempts: ["paid"], fee: feeOf(row) });
      expect(onChain(row.ids[0] ?? "")).toBe(1);
      expect(row.used).toEqual([usedOnChain(row.ids[0])]);
    }
    // The new holder's account costs the token a place in its storage.
    const [toHolder = 0, toNew = 0] = rows.map(({ used }) => used[0]?.energy);
    expect(toNew - toHolder).toBeGreaterThan(10_000);
    expect(await tron.tokensOf(holder.address)).toBe(had.holder + 2_000_000n);
    expect(await tron.tokensOf(fresh.address)).toBe(3_000_000n);
    // Another figure than the chain's is found by the audit.
    const [id = ""] = rows[1]?.ids ?? [];
    const add = (energy: number) =>
      database.sql`update lapsing_attempts set used = used || jsonb_build_object('energy', (used->>'energy')::int + ${energy}) where id = ${id}`;
    expect(await audited()).toEqual([]);
    await add(7);
    expect(await audited()).toEqual([`${id} used ${toNew} energy, and ${toNew + 7} is stored`]);
    await add(-7);
    const left = tron.chain.accounts.find(hexOfTron(treasury.address))?.balanceSun ?? 0n;
    expect(had.sun - left).toBe(rows.reduce((sum, { fee }) => sum + BigInt(fee), 0n));
  });

  it("fail with nothing signed where the token refuses the recipient, and after it where it refuses only then", async () => {
    const refused = await owe(tron.blocked);
    expect(await run(newWorker(), [refused])).toMatchObject([{ state: "failed", attempts: [], fee: "0" }]);
    const late = await tron.wallet();
    const id = await owe(late.address);
    await runLapsingOnce(newWorker(), chain);
    await tron.evm.callToken("blockWallet(address)", [hexOfTron(late.address)]);
    const [row] = await run(newWorker(), [id]);
    expect(row).toMatchObject({ state: "failed", attempts: ["failed"], fee: row && feeOf(row) });
    expect(tron.chain.info(row?.ids[0] ?? "")).toMatchObject({ result: "REVERT" });
    expect(await tron.tokensOf(late.address)).toBe(0n);
  });

  it("that run out of energy are reviewed, with the whole limit booked", async () => {
    const fresh = await tron.wallet();
    const id = await owe(fresh.address);
    await runLapsingOnce(newWorker(), chain);
    tron.chain.energyFactor = 200_000n;
    await tron.chain.mine();
    tron.chain.energyFactor = 23_000n;
    const [row] = await run(newWorker(), [id]);
    expect(row).toMatchObject({ state: "needs_review", attempts: ["failed"], fee: row && feeOf(row) });
    expect(tron.chain.info(row?.ids[0] ?? "")).toMatchObject({ result: "OUT_OF_ENERGY" });
    expect(row?.used).toEqual([usedOnChain(row?.ids[0])]);
    expect(Number(row?.fee)).toBeGreaterThanOrEqual(row?.used[0]?.energy_fee ?? 0);
    expect(await tron.tokensOf(fresh.address)).toBe(0n);
  });

  it("wait with nothing signed where energy and TRX are too little", async () => {
    const sun = tron.chain.accounts.find(hexOfTron(treasury.address)) ?? expect.fail("no treasury");
    tron.chain.accounts.set(hexOfTron(treasury.address), { ...sun, balanceSun: 1_000_000n });
    const fresh = await tron.wallet();
    const id = await owe(fresh.address);
    expect(await run(newWorker(), [id], 2)).toMatchObject([
      { state: "queued", attempts: [], waiting: expect.stringContaining("energy and TRX") },
    ]);
    tron.chain.accounts.set(hexOfTron(treasury.address), sun);
    expect(await run(newWorker(), [id])).toMatchObject([{ state: "executed", attempts: ["paid"] }]);
    expect(await tron.tokensOf(fresh.address)).toBe(1_500_000n);
  });

  it("whose answer is lost are duplicates at the other node, and are made once", async () => {
    tron.nodes[0].knobs.losesAnswers = true;
    const fresh = await tron.wallet();
    const [row] = await run(newWorker(), [await owe(fresh.address)]);
    expect(row).toMatchObject({ state: "executed", attempts: ["paid"] });
    expect(await tron.tokensOf(fresh.address)).toBe(1_500_000n);
  });
});

describe("a payment past its expiry", () => {
  it("is made again only when no node took it, and the recipient has it once", async () => {
    for (const { knobs } of tron.nodes) knobs.refusesWith = { code: "SERVER_BUSY", message: "" };
    const fresh = await tron.wallet();
    const id = await owe(fresh.address);
    expect(await run(newWorker(), [id], 3)).toMatchObject([{ attempts: ["stored"] }]);
    for (const { knobs } of tron.nodes) knobs.refusesWith = null;
    await tron.chain.mine(30);
    const [row] = await run(newWorker(), [id]);
    expect(row).toMatchObject({ state: "executed", attempts: ["lapsed", "paid"], fee: row && feeOf(row) });
    expect(row?.ids.map(onChain)).toEqual([0, 1]);
    expect(await tron.tokensOf(fresh.address)).toBe(1_500_000n);
  });

  it("is not made again where one of two nodes hides it, or both have lost its receipt", async () => {
    for (const hide of ["hides", "forgetsIds"] as const) {
      const fresh = await tron.wallet();
      const id = await owe(fresh.address);
      await runLapsingOnce(newWorker(), chain);
      const [attempt = ""] = (await rowOf(id)).ids;
      const blind = hide === "hides" ? [tron.nodes[0]] : tron.nodes;
      for (const { knobs } of blind) knobs[hide].add(attempt);
      await tron.chain.mine(30);
      expect(await run(newWorker(), [id], 4)).toMatchObject([{ attempts: ["sent"], waiting: expect.stringMatching(/nodes? /i) }]);
      expect(await tron.tokensOf(fresh.address)).toBe(1_500_000n);
      for (const { knobs } of blind) knobs[hide].clear();
      expect(await run(newWorker(), [id])).toMatchObject([{ state: "executed", attempts: ["paid"] }]);
      expect(await tron.tokensOf(fresh.address)).toBe(1_500_000n);
    }
  });
});

describe("a worker that dies", () => {
  const steps = LAPSING_STEPS.filter((step) => !["held", "lapsed"].includes(step));
  it(`pays exactly once after a death at each of ${steps.length} steps`, async () => {
    for (const step of steps) {
      const fresh = await tron.wallet();
      const id = await owe(fresh.address);
      let seen = false;
      const doomed = newWorker((reached) => {
        if (reached !== step || seen) return;
        seen = true;
        throw new Died(`died at ${step}`);
      });
      for (let pass = 0; pass < 8 && !seen; pass += 1) {
        await runLapsingOnce(doomed, chain).catch((error: unknown) => {
          if (!(error instanceof Died)) throw error;
        });
        await tron.chain.mine();
      }
      expect(seen, step).toBe(true);
      await database.sql`update transfers set lease_until = clock_timestamp() - interval '1 second', rest_until = null where lease_until is not null`;
      const [row] = await run(newWorker(), [id]);
      expect(row, step).toMatchObject({ state: "executed", attempts: ["paid"], fee: row && feeOf(row) });
      expect(await tron.tokensOf(fresh.address), step).toBe(1_500_000n);
    }
  });
});
