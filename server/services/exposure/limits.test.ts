import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { listHoldsOf, listVerdictsOf } from "#db/queries/holds/payment-holds.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { databaseErrorOf } from "#db/trouble.ts";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import { HOUR_SECONDS, type LimitTerms } from "#domain/exposure-limit.ts";
import { refusePayment, releasePayment } from "#server/services/holds/decide-hold.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setClockOffset, setRate, TEST_CHAIN, type TestPartner, testChains } from "#testing/factories.ts";
import { endLimits } from "#testing/limits.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { addPerson } from "#testing/people.ts";
import { openTamperer } from "#testing/tamper.ts";
import { openLimits } from "./set-limit.ts";

let database: TestDatabase;
let pool: OpenDatabase;
const clock = { now: () => new Date() };
const ADMIN = { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000000" }, requestId: "req_test" } as const;
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: "limits", maxConnections: 50, layout: database.layout });
  await addTerms(database.db, { platformFeeBase: 0n, maximumSourceMinor: 1_000_000n });
  await setRate(database.db, "0.01");
});
afterAll(async () => {
  await pool.close();
  await database.close();
});
let partner: TestPartner;
beforeEach(async () => {
  partner = await addPartner(database.db);
});
afterEach(async () => {
  await endLimits(database.sql);
  await setClockOffset(database.db, 0);
});

const BLANK: LimitTerms = {
  ...BLANK_LIMIT,
  kind: "velocity",
  mode: "enforce",
  countedBy: "partner",
  windowSeconds: HOUR_SECONDS,
};
const units = (amount: number) => BigInt(amount) * 10n ** 18n;
async function limit(terms: Partial<LimitTerms>): Promise<string> {
  const id = `limit-${randomUUID().slice(0, 8)}`;
  expect(await openLimits(pool, [{ ...BLANK, ...terms, id }], "for a test")).toEqual([id]);
  return id;
}

/** 1,000.00 KES are 10 USDT. */
async function quote(sourceAmountMinor = 100_000n, walletAddress = WALLET, of = partner): Promise<string> {
  const ctx = {
    db: pool.db,
    chains: testChains,
    clock,
    mode: "sandbox",
    policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
  } as const;
  const pair = { sourceCurrency: "KES", destinationCurrency: "USDT", chain: TEST_CHAIN.chain, externalMerchantId: "merchant-1" };
  const quoted = { ...of, ...pair, sourceAmountMinor, walletAddress, callbackUrl: "http://localhost:9/callback" };
  const { id, approvalState } = await createSettlement(ctx, quoted);
  // Beyond a limit already: the confirmation judges it again anyway.
  if (approvalState === "pending") await approveSettlement(ctx, { by: ADMIN, id, note: null, expectedExchangeRate: null });
  return id;
}
async function confirm(id: string, of = partner) {
  const values = { externalTxId: id, callbackUrl: null, expectedDestinationAmount: null };
  const { settlement, waiting } = await untilHeard(() => confirmSettlement({ db: pool.db }, { ...of, ...values, id }));
  expect(settlement.status).toBe("processing");
  return waiting?.kind === "hold" ? "held" : "passed";
}

const LOCK_TIMEOUT = "55P03";

/** As a caller that retries after 503: on a busy machine a hundred in one queue take longer than the database's lock timeout. */
async function untilHeard<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (databaseErrorOf(error)?.code !== LOCK_TIMEOUT) throw error;
    }
  }
}
const pay = async (...args: Parameters<typeof quote>) => await confirm(await quote(...args), args[2]);
const counted = async (id: string) => {
  const rows = await database.sql<{ counter: string; sum: string }[]>`
    select counter, sum(amount_atto)::text as sum from exposure_counters where limit_id = ${id} group by 1 order by 1`;
  return Object.fromEntries(rows.map(({ counter, sum }) => [counter, Number(BigInt(sum) / 10n ** 12n) / 1e6]));
};

describe("a quote", () => {
  const ask = (sourceAmountMinor: bigint, walletAddress = WALLET) =>
    createSettlement(
      { db: pool.db, chains: testChains },
      {
        ...partner,
        sourceAmountMinor,
        walletAddress,
        sourceCurrency: "KES",
        destinationCurrency: "USDT",
        chain: TEST_CHAIN.chain,
        externalMerchantId: "merchant-1",
        callbackUrl: null,
      },
    );

  it("beyond a limit awaits an admin, with the reason, and counts for nothing; within it goes on by itself", async () => {
    const id = await limit({ amountAtto: units(25) });
    await limit({ amountAtto: units(1), mode: "dry_run", windowSeconds: 24 * HOUR_SECONDS });
    const beyond = await ask(260_000n);
    expect([(await ask(250_000n)).approvalState, beyond.approvalState]).toEqual([null, "pending"]);
    expect(await listVerdictsOf(pool.db, beyond.id)).toMatchObject([
      { check: "limit", stage: "quote", findings: [{ key: id, outcome: "hold" }] },
    ]);
    expect(await counted(id)).toEqual({});
    // Payments counted before also block it.
    expect(await pay(200_000n)).toBe("passed");
    expect([(await ask(50_000n)).approvalState, (await ask(50_001n)).approvalState]).toEqual([null, "pending"]);
    const { rules } = await auditDatabase({ db: pool.db });
    expect(rules.flatMap(({ violations }) => violations)).toEqual([]);
  });

  it("to a wallet that is not on the list awaits an admin", async () => {
    await limit({ kind: "allow_list", countedBy: null, windowSeconds: null, addresses: [WALLET.toLowerCase()] });
    expect([(await ask(100_000n)).approvalState, (await ask(100_000n, OTHER)).approvalState]).toEqual([null, "pending"]);
  });
});

describe("a limit by the hour", () => {
  it("is never exceeded by a hundred confirmations at once, on many connections; what is beyond it waits", async () => {
    const id = await limit({ amountAtto: units(375) });
    const quotes = [];
    for (let each = 0; each < 100; each += 1) quotes.push(await quote());
    const outcomes = await Promise.all(quotes.map((each) => confirm(each)));
    expect(outcomes.filter((outcome) => outcome === "passed")).toHaveLength(37);
    expect(await counted(id)).toEqual({ [partner.partnerId]: 370 });
    const held = quotes.filter((_, index) => outcomes[index] === "held");
    expect((await listHoldsOf(pool.db, held)).every(({ outcome, check }) => outcome === "open" && check === "limit")).toBe(true);
    const states = await database.sql`select distinct state, waiting_kind from transfers where owner_id = any(${held})`;
    expect(states).toEqual([{ state: "queued", waiting_kind: "hold" }]);
  });

  it("is each partner's own, has room again as time passes, and keeps every verdict with its version", async () => {
    const id = await limit({ amountAtto: units(15) });
    const other = await addPartner(database.db);
    const first = await quote();
    expect([await confirm(first), await pay(), await pay(100_000n, WALLET, other)]).toEqual(["passed", "held", "passed"]);
    const [verdict] = await listVerdictsOf(pool.db, first);
    expect(verdict).toMatchObject({
      check: "limit",
      stage: "confirm",
      outcome: "pass",
      findings: [{ key: id, version: "1", outcome: "pass" }],
    });
    await setClockOffset(database.db, 66 * 60_000);
    expect(await pay()).toBe("passed");
  });

  it("is counted by pair, destination or all together", async () => {
    await limit({ countedBy: "destination", amountAtto: units(10) });
    const other = await addPartner(database.db);
    expect([await pay(), await pay(100_000n, WALLET.toLowerCase(), other), await pay(100_000n, OTHER, other)]).toEqual([
      "passed",
      "held",
      "passed",
    ]);
    await endLimits(database.sql);
    const id = await limit({ countedBy: "all", amountAtto: units(10) });
    expect([await pay(), await pay(100_000n, OTHER, other)]).toEqual(["passed", "held"]);
    expect(await counted(id)).toEqual({ "*": 10 });
  });

  it("may be so many times the pair's maximum", async () => {
    await limit({ countedBy: "pair", timesMaximum: 2 });
    expect([await pay(900_000n), await pay(900_000n), await pay(200_001n), await pay(200_000n)]).toEqual([
      "passed",
      "passed",
      "held",
      "passed",
    ]);
  });

  it("gives way to the one that names the partner, which may be wider, or off", async () => {
    await limit({ amountAtto: units(10) });
    await limit({ amountAtto: units(20), partnerId: partner.partnerId });
    expect([await pay(), await pay(), await pay()]).toEqual(["passed", "passed", "held"]);
    const free = await addPartner(database.db);
    await limit({ amountAtto: units(0), partnerId: free.partnerId, mode: "off" });
    expect([await pay(100_000n, WALLET, free), await pay(100_000n, WALLET, free)]).toEqual(["passed", "passed"]);
  });

  it("holds next to one that names as much and is off, whatever the two are called", async () => {
    for (const names of ["ab", "ba"]) {
      const idOf = (place: number) => `limit-${names[place]}-${randomUUID().slice(0, 8)}`;
      const enforced = { ...BLANK, id: idOf(0), sourceCurrency: "KES", amountAtto: units(10) };
      const off = { ...BLANK, id: idOf(1), chain: TEST_CHAIN.chain, amountAtto: units(10), mode: "off" as const };
      await openLimits(pool, [enforced, off], "for a test");
      const of = await addPartner(database.db);
      expect([await pay(100_000n, WALLET, of), await pay(100_000n, WALLET, of)]).toEqual(["passed", "held"]);
      await endLimits(database.sql);
    }
  });

  it("only records in a dry run, also next to the one that holds", async () => {
    const dry = await limit({ amountAtto: units(5), mode: "dry_run" });
    const id = await quote();
    expect(await confirm(id)).toBe("passed");
    const [verdict] = await listVerdictsOf(pool.db, id);
    expect(verdict).toMatchObject({ outcome: "pass", findings: [{ key: dry, outcome: "hold", dryRun: true }] });
    await limit({ amountAtto: units(0) });
    expect(await pay()).toBe("held");
  });

  it("counts what is released beyond it, so that the next one waits", async () => {
    const id = await limit({ amountAtto: units(15) });
    const { by } = await addPerson(database.db, "admin");
    const [first, second] = [await quote(), await quote()];
    expect([await confirm(first), await confirm(second)]).toEqual(["passed", "held"]);
    expect(await counted(id)).toEqual({ [partner.partnerId]: 10 });
    await releasePayment({ db: pool.db, clock, mode: "sandbox" }, { purpose: "settlement", ownerId: second, by, reason: "Looked into." });
    expect(await counted(id)).toEqual({ [partner.partnerId]: 20 });
    expect((await listVerdictsOf(pool.db, second)).map(({ stage, outcome }) => [stage, outcome])).toEqual([
      ["confirm", "hold"],
      ["release", "pass"],
    ]);
  });

  it("counts nothing for a confirmation that is refused or repeated", async () => {
    const id = await limit({ amountAtto: units(15) });
    const quoted = await quote();
    const values = { ...partner, id: quoted, externalTxId: "ref", callbackUrl: null };
    const wrong = confirmSettlement({ db: pool.db }, { ...values, expectedDestinationAmount: { coefficient: 1n, scale: 0 } });
    await expect(wrong).rejects.toMatchObject({ code: "quote_changed" });
    expect(await counted(id)).toEqual({});
    const same = { ...values, expectedDestinationAmount: null };
    await Promise.all([confirmSettlement({ db: pool.db }, same), confirmSettlement({ db: pool.db }, same)]);
    expect(await counted(id)).toEqual({ [partner.partnerId]: 10 });
  });
});

describe("the other limits at a confirmation", () => {
  it("a destination that is new waits, also if much was confirmed to it, and one that was first paid long enough ago does not", async () => {
    await limit({ kind: "new_destination", countedBy: null, windowSeconds: null, waitSeconds: HOUR_SECONDS });
    expect([await pay(), await pay()]).toEqual(["held", "held"]);
    await setClockOffset(database.db, HOUR_SECONDS * 1_000 + 60_000);
    expect(await pay()).toBe("held");
    const paidAt = await readBusinessNow(database.db);
    await database.sql`update settlements set status = 'executed', executed_at = ${paidAt.toISOString()}::timestamptz, tx_hash = '0x1'
      where id = (select min(id) from settlements where partner_id = ${partner.partnerId}) and partner_id = ${partner.partnerId}`;
    expect(await pay()).toBe("held");
    await setClockOffset(database.db, 2 * (HOUR_SECONDS * 1_000 + 60_000));
    expect([await pay(), await pay(100_000n, OTHER)]).toEqual(["passed", "held"]);
  });

  it("a key that is new waits", async () => {
    await limit({ kind: "new_key", countedBy: null, windowSeconds: null, waitSeconds: HOUR_SECONDS });
    expect(await pay()).toBe("held");
    await setClockOffset(database.db, HOUR_SECONDS * 1_000 + 60_000);
    expect(await pay()).toBe("passed");
  });

  it("one that comes into force while a confirmation waits for its settlement is minded by that very confirmation", async () => {
    expect(await pay()).toBe("passed");
    const id = await quote();
    let asked: Promise<string> | undefined;
    await pool.sql.begin(async (tx) => {
      await tx`select id from settlements where id = ${id} and partner_id = ${partner.partnerId} for update`;
      asked = confirm(id);
      // On Citus it waits on the partner's node.
      const onCitus = database.layout === "citus";
      const waiting = () =>
        onCitus
          ? database.sql`select waiting_gpid from citus_lock_waits`
          : pool.sql`select pid from pg_stat_activity
              where datname = current_database() and application_name = 'limits' and wait_event_type = 'Lock'`;
      await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: AT_ONCE_MS });
      // Before signing, nobody knows any more whose key it was.
      await limit({ kind: "new_key", countedBy: null, windowSeconds: null, waitSeconds: HOUR_SECONDS });
    });
    expect(await asked).toBe("held");
  });

  it("only what is on an allow-list is paid", async () => {
    await limit({
      kind: "allow_list",
      countedBy: null,
      windowSeconds: null,
      addresses: [WALLET.toLowerCase()],
      partnerId: partner.partnerId,
    });
    expect([await pay(), await pay(100_000n, OTHER)]).toEqual(["passed", "held"]);
  });

  it("a credit line counts what is on its way and what was paid out, and is never exceeded at once either", async () => {
    await limit({ kind: "credit_line", countedBy: null, windowSeconds: null, amountAtto: units(5_500), sourceCurrency: "KES" });
    const quotes = [];
    for (let each = 0; each < 20; each += 1) quotes.push(await quote());
    const outcomes = await Promise.all(quotes.map((each) => confirm(each)));
    expect(outcomes.filter((outcome) => outcome === "passed")).toHaveLength(5);
  });
});

describe("the audit", () => {
  const RULES = ["held_payment_waits", "hold_has_its_verdict", "refused_was_not_paid", "limits_count_what_passed"];
  it("knows what is held, why, and what is counted", async () => {
    await limit({ amountAtto: units(15) });
    expect([await pay(), await pay(), await pay()]).toEqual(["passed", "held", "held"]);
    const { by } = await addPerson(database.db, "admin");
    const [{ owner_id: refused = "" } = {}] = await database.sql<
      { owner_id: string }[]
    >`select owner_id from payment_holds where outcome = 'open' order by id desc limit 1`;
    await refusePayment(
      { db: pool.db, clock },
      { purpose: "settlement", ownerId: refused, by, reason: "Not this one.", onFinal: completeOwner },
    );
    const tamperer = openTamperer(database.url);
    const broken = async (change: string) => {
      const { rules } = await tamperer.tamper(change, (tx) => auditDatabase({ db: tx }));
      return rules.filter(({ rule, violations }) => RULES.includes(rule) && violations.length > 0).map(({ rule }) => rule);
    };
    const report = await auditDatabase({ db: pool.db });
    expect(report.rules.filter(({ rule, checked }) => RULES.includes(rule) && checked > 0)).toHaveLength(RULES.length);
    expect(await broken("select 1")).toEqual([]);
    expect(await broken("update transfers set waiting_kind = null where waiting_kind = 'hold'")).toEqual(["held_payment_waits"]);
    expect(await broken("update payment_holds set outcome = 'released' where outcome = 'open'")).toEqual(["held_payment_waits"]);
    expect(await broken("update payment_verdicts set outcome = 'pass' where outcome = 'hold'")).toEqual(["hold_has_its_verdict"]);
    expect(await broken("delete from payment_holds where outcome = 'released'")).toEqual(["hold_has_its_verdict"]);
    expect(await broken("update exposure_counters set amount_atto = amount_atto + 1")).toEqual(["limits_count_what_passed"]);
    expect(await broken("delete from exposure_counters")).toEqual(["limits_count_what_passed"]);
    expect(await broken("update transfers set state = 'queued', failure_reason = null where state = 'failed'")).toEqual([
      "refused_was_not_paid",
    ]);
    await tamperer.close();
  });
});
