import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askRule } from "#db/queries/audit/rules/rule.ts";
import { transferRules } from "#db/queries/audit/rules/transfers.ts";
import { listHoldsOf, listVerdictsOf } from "#db/queries/holds/payment-holds.ts";
import { restTransfers } from "#db/queries/transfers/transfers.ts";
import type { By } from "#domain/access.ts";
import type { Transfer } from "#domain/transfer.ts";
import { createScreener } from "#server/adapters/screening/screener.ts";
import type { TransferEngine, TransferStep } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import type { Screener } from "#server/ports.ts";
import { refusePayment, releasePayment } from "#server/services/holds/decide-hold.ts";
import { judgeBeforeSigning } from "#server/services/holds/judge-before-signing.ts";
import { askUnansweredAgain } from "#server/services/screening/ask-again.ts";
import { recordScreening } from "#server/services/screening/record-screening.ts";
import { screeningCheck } from "#server/services/screening/screening-check.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { Died } from "#testing/death.ts";
import { addPerson } from "#testing/people.ts";
import { type ProxyRule, type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { deployNaming, type Naming, noScreening } from "#testing/screening.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";

/** What is asked about recipients before anything is signed, by contracts on a real chain. */

const REASON = "Looked into: another person of the same name.";
/** What an answer takes while waits are counted. */
const LATENCY_MS = 250;
const IS_SANCTIONED = "0xdf592f7d";
let chain: TestChain;
let node: RpcProxy;
let oracle: Naming;
let tether: Naming;
let bench: TransferBench;
let by: By;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  node = await startRpcProxy(chain.rpcUrl);
  oracle = await deployNaming(chain, "SanctionsOracle");
  tether = await deployNaming(chain, "TetherBlocklist");
});
afterAll(async () => {
  await node.stop();
  await chain.stop();
});
beforeEach(async () => {
  const oracles = { [chain.chain]: oracle.address };
  bench = await openTransferBench(chain, {
    rpcUrls: [node.url],
    screening: { isOn: true, confirmMs: 1_000, list: null, oracles, blocklists: [] },
  });
  ({ by } = await addPerson(bench.db, "admin"));
  await recordScreening({ ...bench.ctx, mode: "sandbox" });
});
afterEach(async () => {
  Object.assign(node, { rule: () => "pass", delayMs: 0 });
  await bench.close();
});

/** What the node does with questions to the oracle; everything else passes. */
function oracleAnswers(rule: ReturnType<ProxyRule>): void {
  node.rule = (_method, [call]) => (JSON.stringify(call ?? "").includes(IS_SANCTIONED) ? rule : "pass");
}
const worker = () => bench.newWorker({ timings: { leaseSeconds: 2 } });
async function pass(engine: TransferEngine = worker()): Promise<void> {
  await runTransfersOnce(engine, chain.chain).catch((error) => {
    if (!(error instanceof Died)) throw error;
  });
  await bench.letLeasesLapse();
}
const stateOf = async ({ id }: Transfer) => (await bench.transfer(id)).state;
const holdsOf = async ({ ownerId }: Transfer) => (await listHoldsOf(bench.db, [ownerId])).map(({ outcome, reason }) => [outcome, reason]);
const verdictsOf = async ({ ownerId }: Transfer) =>
  (await listVerdictsOf(bench.db, ownerId)).map(({ stage, outcome }) => `${stage} ${outcome}`);
const about = ({ purpose, ownerId }: Transfer) => ({ purpose, ownerId, by, reason: REASON });
const askAgain = () => askUnansweredAgain(bench.ctx, null);
const brokenRules = async () =>
  (await Promise.all(transferRules(null).map((rule) => askRule(bench.db, rule)))).flatMap(({ rule, violations }) =>
    violations.length > 0 ? [rule] : [],
  );

describe("a recipient whom nobody names", () => {
  it("is paid, with the evidence written in the moment of signing: who was asked, what was said, as of which block", async () => {
    const owed = await bench.enqueuePayment();
    await pass();
    expect(await stateOf(owed)).toBe("broadcast");
    const [verdict, ...others] = await listVerdictsOf(bench.db, owed.ownerId);
    expect(others).toEqual([]);
    expect(verdict).toMatchObject({ check: "screening", stage: "sign", outcome: "pass" });
    expect(verdict?.findings).toMatchObject([
      {
        outcome: "pass",
        version: expect.stringMatching(/^block \d+$/),
        facts: { source: `oracle ${oracle.address}`, answer: "clear", address: owed.recipient },
      },
    ]);
    const [signed] = await bench.sql`select created_at from transactions where transfer_id = ${owed.id}`;
    expect(verdict?.at).toEqual(new Date(signed?.created_at));
    expect(await brokenRules()).toEqual([]);
  });

  it("is asked about in one request for all of a batch: one wait more, however many there are", async () => {
    await pass();
    async function waits(payments: number, screener: Screener): Promise<number> {
      for (let each = 0; each < payments; each += 1) await bench.enqueuePayment();
      // What is asked at the same time counts as one wait only where answers take longer than the reads of the database in between.
      Object.assign(node, { waits: 0, delayMs: LATENCY_MS });
      await pass(bench.newWorker({ ctx: { ...bench.ctx, screener }, timings: { leaseSeconds: 120 } }));
      const { waits: waited } = node;
      node.delayMs = 0;
      for (let time = 0; time < 3; time += 1) {
        await chain.mine(4);
        await pass();
      }
      return waited;
    }
    // A new worker reads the chain's number, what its fees are paid in, its head, and each of two tokens: 5. Then it reads the fees with the
    // counts of every wallet, the balances, the simulations; it sends; and it reads the treasury: 5. The counts of unknown transactions are
    // asked with the fees, so they add no wait.
    const unscreened = 10;
    await recordScreening({ ...bench.ctx, screener: noScreening, mode: "sandbox" });
    expect(await waits(40, noScreening)).toBe(unscreened);
    expect(await waits(40, bench.ctx.screener)).toBe(unscreened + 1);
    expect(await waits(1, bench.ctx.screener)).toBe(unscreened + 1);
  });

  it("of a top-up is asked about too; what moves between our own is not", async () => {
    const [bad, topup] = [newAddress(), { ownerId: "tu_1", purpose: "topup" as const }];
    await oracle.name(bad);
    const owed = await bench.enqueuePayment({ ...topup, recipient: bad });
    const sweep = await bench.enqueuePayment({ purpose: "return", ownerId: "wd_1", recipient: bad });
    await pass();
    expect([await stateOf(owed), await stateOf(sweep)]).toEqual(["queued", "broadcast"]);
  });
});

describe("a recipient who is named", () => {
  let owed: Transfer;
  let bad: string;
  beforeEach(async () => {
    bad = newAddress();
    await oracle.name(bad);
    owed = await bench.enqueuePayment({ recipient: bad });
  });

  it("is not paid, others are, and an admin sees who named it", async () => {
    const other = await bench.enqueuePayment();
    for (let time = 0; time < 3; time += 1) await pass();
    expect([await stateOf(owed), await stateOf(other)]).toEqual(["queued", "broadcast"]);
    expect(await holdsOf(owed)).toEqual([["open", `The recipient is named by the sanctions oracle ${oracle.address}.`]]);
    expect(await verdictsOf(owed), "kept once, however often workers pass").toEqual(["sign hold"]);
    expect(await bench.transfer(owed.id)).toMatchObject({ waitingReason: expect.stringContaining("is named by"), txHash: null });
    await askAgain();
    expect(await stateOf(owed), "a hit does not go away by asking").toBe("queued");
    expect((await holdsOf(owed)).map(([outcome]) => outcome)).toEqual(["open"]);
  });

  it("is paid once an admin releases it, although it is still named; another source's hit holds it again", async () => {
    await pass();
    await tether.name(bad);
    await releasePayment(bench.ctx, about(owed));
    const blocklists = [{ chain: chain.chain, token: tether.address, question: null }];
    const more = { isOn: true, confirmMs: 1_000, list: null, oracles: { [chain.chain]: oracle.address }, blocklists };
    const other = await bench.enqueuePayment({ recipient: bad, tokenAddress: tether.address });
    const stricter = createScreener(more, bench.ctx, { answerMs: 0 });
    await pass(bench.newWorker({ ctx: { ...bench.ctx, screener: stricter } }));
    expect([await stateOf(owed), await stateOf(other)]).toEqual(["broadcast", "queued"]);
    expect(await verdictsOf(owed)).toEqual(["sign hold", "sign pass"]);
    expect((await holdsOf(other)).map(([, reason]) => reason)).toEqual([
      `The recipient is named by the sanctions oracle ${oracle.address}. The recipient is named by the issuer's blocklist of ${tether.address}.`,
    ]);
    expect(await brokenRules()).toEqual([]);
  });

  it("stays held, whatever a worker says of it whose lease lapsed before another held it", async () => {
    await pass();
    await restTransfers(bench.db, [owed.id], { kind: null, restMs: 0 });
    await restTransfers(bench.db, [owed.id], { kind: "treasury_funding", reason: "No wallet holds it.", restMs: 0 });
    expect(await bench.sql`select waiting_kind as kind from transfers where id = ${owed.id}`).toEqual([{ kind: "hold" }]);
    await oracle.clear(bad);
    await pass();
    expect(await stateOf(owed), "people have not decided").toBe("queued");
    expect(await brokenRules()).toEqual([]);
  });

  it("is released for what was known: a source that names it later holds it again", async () => {
    await oracle.clear(bad);
    oracleAnswers("refuse");
    await pass();
    await releasePayment(bench.ctx, about(owed));
    node.rule = () => "pass";
    await oracle.name(bad);
    await pass();
    expect(await stateOf(owed)).toBe("queued");
    expect((await holdsOf(owed)).map(([outcome]) => outcome)).toEqual(["released", "open"]);
  });

  it("fails once an admin refuses it, with nothing signed", async () => {
    await pass();
    await refusePayment(bench.ctx, { ...about(owed), onFinal: async () => {} });
    await pass();
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "failed", failureReason: REASON, txHash: null });
  });

  it("stays unpaid wherever the worker dies, and is held by the next one", async () => {
    for (const step of ["claimed", "held"] satisfies TransferStep[]) {
      const dying = bench.newWorker({
        observe: (met) => {
          if (met === step) throw new Died(step);
        },
      });
      await pass(dying);
      expect(await stateOf(owed)).toBe("queued");
    }
    await pass();
    expect(await stateOf(owed)).toBe("queued");
    expect((await holdsOf(owed)).map(([outcome]) => outcome)).toEqual(["open"]);
    expect(await bench.sql`select 1 from transactions where transfer_id = ${owed.id}`).toEqual([]);
  });
});

describe("no answer", () => {
  it("holds and never passes, and goes on by itself once there is one", async () => {
    oracleAnswers("refuse");
    const owed = await bench.enqueuePayment();
    for (let time = 0; time < 3; time += 1) {
      await pass();
      await askAgain();
    }
    expect(await stateOf(owed)).toBe("queued");
    expect(await holdsOf(owed)).toEqual([["open", `There is no answer from the sanctions oracle ${oracle.address}.`]]);
    expect(await verdictsOf(owed), "silence is kept once").toEqual(["sign hold"]);
    node.rule = () => "pass";
    await askAgain();
    expect((await holdsOf(owed)).map(([outcome]) => outcome)).toEqual(["ended"]);
    await pass();
    expect(await stateOf(owed)).toBe("broadcast");
    expect(await verdictsOf(owed)).toEqual(["sign hold", "sign pass", "sign pass"]);
    expect(await brokenRules()).toEqual([]);
  });

  it("goes to an admin once the answer is a hit, without ever being due in between", async () => {
    oracleAnswers({ error: { code: -32_000, message: "execution reverted" } });
    const owed = await bench.enqueuePayment();
    await pass();
    await oracle.name(owed.recipient);
    node.rule = () => "pass";
    await askAgain();
    expect((await holdsOf(owed)).map(([outcome]) => outcome)).toEqual(["ended", "open"]);
    await pass();
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("is named by") });
  });

  it("leaves what another check holds with people", async () => {
    oracleAnswers("refuse");
    const owed = await bench.enqueuePayment();
    await pass();
    const finding = { key: "rule-1", version: "1", outcome: "hold" as const, dryRun: false, words: "The day's limit.", facts: {} };
    const limit = {
      check: "limit" as const,
      purposes: new Set(["settlement" as const]),
      judge: async () => new Map([[owed.id, [finding]]]),
    };
    await bench.sql`update payment_holds set outcome = 'ended', decided_at = now() where owner_id = ${owed.ownerId}`;
    await bench.db.transaction((tx) =>
      judgeBeforeSigning(tx, [owed], { walletId: "w", now: new Date() }, [limit, screeningCheck(new Map())]),
    );
    node.rule = () => "pass";
    await askAgain();
    await pass();
    expect(await stateOf(owed)).toBe("queued");
    expect((await holdsOf(owed)).map(([outcome]) => outcome).sort()).toEqual(["ended", "ended", "open"]);
  });

  it("and people who are faster: no matter who decides first, it is decided once", async () => {
    oracleAnswers("refuse");
    const owed = await Promise.all(Array.from({ length: 6 }, () => bench.enqueuePayment()));
    await pass();
    node.rule = () => "pass";
    await Promise.all([askAgain(), askAgain(), ...owed.slice(0, 3).map((one) => releasePayment(bench.ctx, about(one)).catch(() => {}))]);
    for (const one of owed) expect((await holdsOf(one)).map(([outcome]) => outcome)).toEqual([expect.stringMatching(/^(ended|released)$/)]);
    await pass();
    expect(await Promise.all(owed.map(stateOf))).toEqual(owed.map(() => "broadcast"));
  });
});

describe("what nobody covers", () => {
  it("is unknown, never clean: it waits for an admin", async () => {
    const settings = { isOn: true, confirmMs: 1_000, list: null, oracles: {}, blocklists: [] };
    const engine = () => bench.newWorker({ ctx: { ...bench.ctx, screener: createScreener(settings, bench.ctx) } });
    const owed = await bench.enqueuePayment();
    await pass(engine());
    expect(await holdsOf(owed)).toEqual([["open", `Nothing that is asked knows the addresses of ${chain.chain}.`]]);
    await releasePayment(bench.ctx, about(owed));
    await pass(engine());
    expect(await stateOf(owed)).toBe("broadcast");
  });

  it("is not signed where the evidence was lost on the way", async () => {
    const owed = await bench.enqueuePayment();
    const about = { walletId: "w", now: new Date() };
    const stopped = await bench.db.transaction((tx) => judgeBeforeSigning(tx, [owed], about, [screeningCheck(new Map())]));
    expect([...stopped]).toEqual([owed.id]);
  });
});

describe("the audit", () => {
  it("finds a payment that was signed by a worker that does not screen, where recipients are screened", async () => {
    const owed = await bench.enqueuePayment();
    await pass(bench.newWorker({ ctx: { ...bench.ctx, screener: noScreening } }));
    expect(await stateOf(owed)).toBe("broadcast");
    expect(await brokenRules()).toEqual(["signed_was_screened"]);
  });

  it("asks nothing of what was signed before screening began, or after it was turned off", async () => {
    await recordScreening({ ...bench.ctx, screener: noScreening, mode: "sandbox" });
    const owed = await bench.enqueuePayment();
    await pass(bench.newWorker({ ctx: { ...bench.ctx, screener: noScreening } }));
    expect(await stateOf(owed)).toBe("broadcast");
    expect(await brokenRules()).toEqual([]);
    const settings = await bench.sql`select is_on, sources from screening_settings order by since`;
    await recordScreening({ ...bench.ctx, screener: noScreening, mode: "sandbox" });
    expect(settings).toEqual([
      { is_on: true, sources: [`${chain.chain}: the sanctions oracle ${oracle.address}`] },
      { is_on: false, sources: [] },
    ]);
    expect(await bench.sql`select count(*)::int as count from screening_settings`).toEqual([{ count: 2 }]);
  });
});
