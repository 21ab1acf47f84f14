import { afterAll, beforeAll, expect, it } from "vitest";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import { areTermsSigned, isLiftSigned, isLimitSigned, unsignedPeriod } from "#domain/rules-in-force.ts";
import { openLimits, readLimits } from "#server/services/exposure/set-limit.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { passkeys } from "#testing/deciding-people.ts";
import { addTerms, TEST_CHAIN } from "#testing/factories.ts";
import { listUnsignedRules } from "./list-unsigned-rules.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
const list = async () => await listUnsignedRules({ db: database.db, passkeys, clock: { now: () => new Date() } });

it("names unsigned terms, limits, policy and lifts, and each fingerprint accepts its rule alone", async () => {
  await openLimits(database);
  expect(await list()).toEqual([]);
  const limit = { ...BLANK_LIMIT, kind: "velocity", mode: "enforce", countedBy: "all", windowSeconds: 3_600, amountAtto: 5n } as const;
  await openLimits(database, [{ ...limit, id: "all-hour" }], "Set on the machine.");
  await addTerms(database.db, { maximumSourceMinor: 100_000n, twoApprovalsAboveMinor: 500_000n });
  await addTerms(database.db, { maximumSourceMinor: 100_000n, twoApprovalsAboveMinor: 500_000n, version: 2, spreadBps: 7 });
  const rules = [{ id: "all", approvals: 1, who: "deciders", people: [], hints: [], amount: null }];
  const policy = {
    version: 1,
    rules: rules.map((rule) => ({ ...rule, partner_id: null, source_currency: null, destination_currency: null, chain: null })),
  };
  await database.sql`insert into approval_policies (id, version, rules, hints, reason, made_at)
    values ('ap_1', 1, ${JSON.stringify(policy.rules)}::text::jsonb, '{}', 'x', now())`;
  const scope = { kind: "chain", key: TEST_CHAIN.chain } as const;
  const halt = await database.db.transaction((tx) => haltScope(tx, { scope, cause: "operator", detail: "Something is wrong." }));
  await database.sql`update lane_halts set lifted_at = now(), lifted_by = 'x', lift_reason = 'x'`;

  const found = await list();
  expect(found.map(({ what }) => what)).toEqual([
    `terms, KES to USDT on ${TEST_CHAIN.chain}: one approval above 1000, two above 5000, a batch's sum never`,
    "limit all-hour, version 1: velocity, enforce. Set on the machine.",
    "approval policy, version 1: 1 rules",
    expect.stringMatching(`^lift of the halt ${halt?.id} of chain ${TEST_CHAIN.chain}, since `),
  ]);
  const [terms, one, version, lift] = found.map(({ fingerprint }) => new Set([fingerprint]));
  const stored = (await readLimits(database)).limits.find(({ id }) => id === "all-hour");
  if (terms === undefined || one === undefined || version === undefined || lift === undefined || stored === undefined || halt === null)
    throw new Error("something is missing");
  expect([isLimitSigned(stored, [], one), isLimitSigned({ ...stored, amountAtto: 6n }, [], one)]).toEqual([true, false]);
  const owner = { sourceCurrency: "KES", destinationCurrency: "USDT", chain: TEST_CHAIN.chain, partnerId: null, version: 9 };
  const thresholds = { maximumSourceMinor: 100_000n, twoApprovalsAboveMinor: 500_000n, batchMaximumSourceMinor: null };
  expect(areTermsSigned({ ...owner, ...thresholds }, [], terms)).toBe(true);
  expect(areTermsSigned({ ...owner, ...thresholds, chain: "eip155:1" }, [], terms)).toBe(false);
  expect(areTermsSigned({ ...owner, ...thresholds, twoApprovalsAboveMinor: null }, [], terms)).toBe(false);
  expect(unsignedPeriod(policy as never, [], version)).toBeNull();
  expect(unsignedPeriod({ ...policy, rules: [] }, [], version)).toEqual({ from: null, to: null });
  const lifted = { id: halt.id, scopeKind: scope.kind, scopeKey: scope.key, since: halt.since };
  expect([isLiftSigned(lifted, [], lift), isLiftSigned({ ...lifted, id: "lh_other" }, [], lift)]).toEqual([true, false]);
});
