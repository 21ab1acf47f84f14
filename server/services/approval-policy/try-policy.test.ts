import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listDemands } from "#db/queries/settlements/settlement-approvals.ts";
import type { By } from "#domain/access.ts";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import type { WrittenRule } from "#domain/policy-rule.ts";
import { UNANSWERED } from "#domain/screening.ts";
import type { Settlement } from "#domain/settlement.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, BLANK_RULE, setRate, TEST_CHAIN, type TestPartner, testChains } from "#testing/factories.ts";
import { addProvenPerson, refusalOf } from "#testing/people.ts";
import { setPolicy } from "./set-policy.ts";
import { MOST_TRIED, type TrialPart, tryPolicy } from "./try-policy.ts";

/** The facts of a settlement at its quote, and those of past ones. The test edits the books, so there is no audit at the end. */

const MAXIMUM = 1_000_000n;
const WALLETS = ["0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D"] as const;

let database: TestDatabase;
let partner: TestPartner;
let admin: By;
const ctx = () =>
  ({
    db: database.db,
    clock: { now: () => new Date() },
    chains: testChains,
    policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
    mode: "sandbox",
  }) as const;

beforeAll(async () => {
  database = await createTestDatabase();
  await addTerms(database.db, { maximumSourceMinor: MAXIMUM, twoApprovalsAboveMinor: 5n * MAXIMUM, platformFeeBase: 0n });
  await setRate(database.db, "0.01");
  admin = (await addProvenPerson(database.db, "admin")).by;
  await addProvenPerson(database.db, "approver");
});
beforeEach(async () => {
  partner = await addPartner(database.db);
});
afterAll(() => database.close());

let version = 0;
async function rules(...changes: Partial<WrittenRule>[]) {
  const written = changes.map((each, place) => ({ ...BLANK_RULE, id: `rule-${place}`, ...each }));
  await setPolicy(ctx(), { by: admin, rules: written, expectedVersion: version, reason: "as the story goes" });
  version += 1;
}
const quote = (amount = 100_000n, more: { walletAddress?: string; externalMerchantId?: string } = {}) =>
  createSettlement(ctx(), {
    ...partner,
    sourceAmountMinor: amount,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "merchant",
    chain: TEST_CHAIN.chain,
    walletAddress: WALLETS[0],
    callbackUrl: "http://localhost:9/a",
    ...more,
  });
const demandOf = async ({ id }: Settlement) => (await listDemands(database.db, [id])).get(id);
const confirm = ({ id }: Settlement) =>
  confirmSettlement(ctx(), { ...partner, id, externalTxId: randomUUID(), callbackUrl: null, expectedDestinationAmount: null });

describe("a policy", () => {
  it("holds for the hints that it names, and looks no others up", async () => {
    const [first, fresh] = [WALLETS[0], WALLETS[1]];
    const found = async (hint: WrittenRule["hints"][number], more: Parameters<typeof quote>[1] = {}, amount?: bigint) => {
      await rules({ hints: [hint] });
      const settlement = await quote(amount, more);
      return (await demandOf(settlement))?.hints ?? [];
    };
    expect(await found("first_of_merchant")).toEqual(["first_of_merchant"]);
    expect(await found("first_wallet_use")).toEqual(["first_wallet_use"]);
    // That quote was the second of these within ten minutes.
    expect(await found("repeated")).toEqual(["repeated"]);
    expect(await found("repeated", {}, 100_001n)).toEqual([]);
    await rules();
    const paid = await quote();
    await confirm(paid);
    await database.sql`update settlements set status = 'executed', executed_at = now(), tx_hash = '0x1' where id = ${paid.id}`;
    expect(await found("first_of_merchant")).toEqual([]);
    expect(await found("first_wallet_use")).toEqual([]);
    expect(await found("first_wallet_use", { walletAddress: first.toLowerCase() })).toEqual([]);
    expect(await found("first_wallet_use", { walletAddress: fresh })).toEqual(["first_wallet_use"]);
    expect(await found("new_key")).toEqual(["new_key"]);
    await database.sql`update api_keys set created_at = created_at - interval '2 days' where id = ${partner.apiKeyId}`;
    expect(await found("new_key")).toEqual([]);
    expect(await found("screened_before")).toEqual([]);
    await holdByScreening(paid.id, `list sdn${UNANSWERED}`);
    expect(await found("screened_before")).toEqual([]);
    await holdByScreening(paid.id, "list sdn");
    expect(await found("screened_before")).toEqual(["screened_before"]);
    expect(await found("screened_before", { walletAddress: fresh })).toEqual([]);
    await holdByScreening(paid.id, `list sdn${UNANSWERED}`, 1_000);
    expect(await found("screened_before", { walletAddress: fresh })).toEqual([]);
    await holdByScreening(paid.id, "list sdn", 1_000);
    // More than the trial covers: the policy of the others is unknown.
    expect(await found("screened_before", { walletAddress: fresh })).toEqual(["screened_before"]);
    partner = await addPartner(database.db);
    // Another partner's rows have no effect.
    expect(await found("screened_before")).toEqual([]);
    expect(await found("first_wallet_use")).toEqual(["first_wallet_use"]);
  });
});

describe("a merchant's wallet has changed within a day", () => {
  const [old, fresh] = WALLETS;
  const changed = async (walletAddress: string) => ((await demandOf(await quote(100_000n, { walletAddress })))?.hints ?? []).length > 0;
  /** This many hours later. */
  const later = (hours: number) => {
    // In UTC: what depends on the session's zone may not change rows on the nodes of Citus.
    const earlier = (column: string) => `(${column} at time zone 'UTC' - interval '${hours} hours') at time zone 'UTC'`;
    return database.sql.unsafe(`update settlements set created_at = ${earlier("created_at")}, confirmed_at = ${earlier("confirmed_at")}
      where partner_id = '${partner.partnerId}'`);
  };
  const copied = (id: string, times: number) =>
    withConnection(database.url, (owner) =>
      owner.unsafe(`
    insert into settlements select (jsonb_populate_record(s, jsonb_build_object('id', s.id || '_' || n))).* from settlements s, generate_series(1, ${times}) n
    where id = '${id}'`),
    );
  beforeEach(async () => {
    await rules();
    await confirm(await quote());
    await later(48);
    await rules({ hints: ["wallet_changed"] });
  });

  it("and goes on being so until it was confirmed, and a day has gone by: quotes alone are no proof", async () => {
    expect(await changed(old)).toBe(false);
    expect(await changed(fresh)).toBe(true);
    await later(25);
    expect(await changed(fresh)).toBe(true);
    await rules();
    await confirm(await quote(100_000n, { walletAddress: fresh }));
    await rules({ hints: ["wallet_changed"] });
    expect(await changed(fresh)).toBe(true);
    await later(25);
    expect(await changed(fresh.toLowerCase())).toBe(false);
    expect(await changed(old)).toBe(false);
    expect((await quote(100_000n, { walletAddress: fresh, externalMerchantId: "new" })).approvalState).toBeNull();
  });

  it("or so much has come that nobody knows: then it counts as changed, and many of one day hide no older payment", async () => {
    const quoted = await quote(100_000n, { walletAddress: fresh });
    await copied(quoted.id, 1_000);
    expect([await changed(fresh), await changed(old)]).toEqual([true, false]);
    await later(25);
    expect([await changed(fresh), await changed(old)]).toEqual([true, true]);
  });
});

async function holdByScreening(ownerId: string, key: string, times = 1): Promise<void> {
  const verdict = `vd_${randomUUID()}`;
  await database.sql`insert into payment_verdicts (id, purpose, owner_id, partner_id, "check", stage, outcome, findings, at)
    values (${verdict}, 'settlement', ${ownerId}, ${partner.partnerId}, 'screening', 'confirm', 'hold', '[]', now())`;
  await database.sql`insert into payment_holds (id, purpose, owner_id, partner_id, "check", verdict_id, keys, reason, held_at, outcome, decided_at)
    select 'ho_' || gen_random_uuid(), 'settlement', ${ownerId}, ${partner.partnerId}, 'screening', ${verdict}, ${[key]}, 'x', now(), 'ended', now()
    from generate_series(1, ${times})`;
}

describe("a trial of a draft", () => {
  const DAY_MS = 86_400_000;
  const around = () => ({ by: admin, from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) });
  const tried = (...fields: Partial<WrittenRule>[]) =>
    whole(fields.map((each, place) => ({ ...BLANK_RULE, id: `draft-${place}`, partner_id: partner.partnerId, ...each })));
  /** Part after part, as the console asks for it. */
  const whole = async (rules: WrittenRule[]) => {
    const period = around();
    const parts: TrialPart[] = [];
    do parts.push(await tryPolicy(ctx(), { ...period, rules, after: parts.at(-1)?.next ?? null }));
    while (parts.at(-1)?.next !== null);
    const sum = (of: (part: TrialPart) => number) => parts.reduce((total, part) => total + of(part), 0);
    return {
      parts,
      examined: sum(({ examined }) => examined),
      moreAsked: sum(({ moreAsked }) => moreAsked),
      isSample: parts.every(({ isSample }) => isSample),
      wouldWait: parts.flatMap(({ wouldWait }) => wouldWait),
      noLonger: parts.flatMap(({ noLonger }) => noLonger),
    };
  };
  const idsOf = (found: readonly { id: string; partnerId: string }[]) =>
    found.flatMap(({ id, partnerId }) => (partnerId === partner.partnerId ? [id] : [])).toSorted();
  const sorted = (...made: Settlement[]) => idsOf(made);

  it("finds what would have waited, and what did and would no longer; what the terms and limits ask stays", async () => {
    await rules({ id: "now", partner_id: partner.partnerId, source_currency: "KES", amount: { of: "source", from: "2000", below: null } });
    const [small, large, above, two] = [
      await quote(150_000n),
      await quote(250_000n),
      await quote(MAXIMUM + 1n),
      await quote(5n * MAXIMUM + 1n),
    ];
    await openLimits(database, [
      {
        ...BLANK_LIMIT,
        id: `limit-${randomUUID().slice(0, 8)}`,
        kind: "allow_list",
        mode: "enforce",
        partnerId: partner.partnerId,
        addresses: [WALLETS[0].toLowerCase()],
      },
    ]);
    const limited = await quote(150_000n, { walletAddress: WALLETS[1] });
    expect(limited.approvalState).toBe("pending");

    const none = await tried();
    expect([idsOf(none.wouldWait), idsOf(none.noLonger)]).toEqual([[], sorted(large)]);
    const all = await tried({ approvals: 2 });
    expect([idsOf(all.wouldWait), idsOf(all.noLonger)]).toEqual([sorted(small), []]);
    // One more than before: the large one, the one above the maximum, and the one beyond a limit; not the one that needs two people anyway.
    expect(all).toMatchObject({ moreAsked: 3, isSample: false });
    expect(two.approvalState).toBe("pending");
    const same = await tried({ source_currency: "KES", amount: { of: "source", from: "2000", below: null } });
    expect([idsOf(same.wouldWait), idsOf(same.noLonger), same.moreAsked]).toEqual([[], [], 0]);
    const narrow = await tried({ source_currency: "KES", amount: { of: "source", from: "1500", below: "1500.01" } });
    expect(idsOf(narrow.wouldWait)).toEqual(sorted(small));
    expect(narrow.wouldWait[0]).toMatchObject({ sourceAmountMinor: 150_000n, destinationAmountBase: 15_000_000n, rule: { id: "draft-0" } });
    expect(above.approvalState).toBe("pending");
  });

  it("knows of each settlement what was known at its quote, and no more", async () => {
    await rules();
    const first = await quote(100_000n, { externalMerchantId: "shop" });
    await confirm(first);
    const again = await quote(100_000n, { externalMerchantId: "shop" });
    await quote(100_001n, { externalMerchantId: "shop" });
    const merchant = await tried({ hints: ["first_of_merchant"] });
    expect(idsOf(merchant.wouldWait)).toEqual(sorted(first));
    expect(idsOf((await tried({ hints: ["repeated"] })).wouldWait)).toEqual(sorted(again));
    expect((await tried({ hints: ["wallet_changed"] })).wouldWait).toEqual([]);
    expect((await tried({ hints: ["new_key"] })).wouldWait).toHaveLength(3);
  });

  it("looks at the newest of a period, and says when there are more", async () => {
    await rules();
    const { id } = await quote();
    for (const table of ["settlements", "settlement_quotes"] as const) {
      const key = table === "settlements" ? "id" : "settlement_id";
      const [{ columns } = { columns: "" }] = await database.sql<{ columns: string }[]>`
        select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
        where table_schema = 'public' and table_name = ${table} and column_name <> ${key}`;
      await database.sql.unsafe(`insert into ${table} (${key}, ${columns}) select 'tx_copy_' || n, ${columns} from ${table}, generate_series(1, ${MOST_TRIED}) n
        where ${key} = '${id}'`);
    }
    const { examined, isSample, wouldWait, parts } = await tried({});
    expect([examined, isSample, wouldWait.length]).toEqual([MOST_TRIED, true, MOST_TRIED]);
    // Each once, in parts that say how far they are of how many.
    expect(new Set(wouldWait.map((each) => each.id)).size).toBe(MOST_TRIED);
    expect(parts.map(({ next }) => next?.seen ?? null)).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, null]);
    expect(parts.every(({ of, since }) => of === MOST_TRIED && since !== null)).toBe(true);
  });

  it("is an administrator's, and of a period that is one", async () => {
    const approver = (await addProvenPerson(database.db, "approver")).by;
    const from = new Date();
    expect(await refusalOf(tryPolicy(ctx(), { ...around(), by: approver, rules: [], after: null }))).toBe("forbidden");
    expect(await refusalOf(tryPolicy(ctx(), { ...around(), by: partner.by, rules: [], after: null }))).toBe("forbidden");
    expect(await refusalOf(tryPolicy(ctx(), { by: admin, rules: [], from, to: from, after: null }))).toBe("validation_failed");
    expect(await refusalOf(tryPolicy(ctx(), { ...around(), rules: [BLANK_RULE, BLANK_RULE], after: null }))).toBe("validation_failed");
  });
});
