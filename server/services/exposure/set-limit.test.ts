import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertLimit } from "#db/queries/exposure/limits.ts";
import { BLANK_LIMIT, DEFAULT_LIMITS } from "#domain/default-limits.ts";
import type { LimitTerms } from "#domain/exposure-limit.ts";
import { readLimit } from "#domain/written-limit.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { testChains } from "#testing/factories.ts";
import { addPerson, addProvenPerson, refusalOf } from "#testing/people.ts";
import { NO_CHAINS, NO_LAPSING_CHAINS } from "#testing/surface.ts";
import { openLimits, readLimits, setLimit } from "./set-limit.ts";

let database: TestDatabase;
const clock = { now: () => new Date() };
const powers = (mode: "live" | "sandbox") => ({
  db: database.db,
  clock,
  mode,
  chains: testChains,
  evm: NO_CHAINS,
  lapsing: NO_LAPSING_CHAINS,
  policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
});
const REASON = "They have grown.";

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

function terms(amount: string): LimitTerms {
  const any = {
    ...BLANK_LIMIT,
    destinationCurrency: "USDT",
    waitHours: null,
  };
  return readLimit({ ...any, kind: "velocity", mode: "enforce", countedBy: "partner", window: "day", amount });
}
const current = async (id: string) => (await readLimits(database)).limits.find((limit) => limit.id === id);

describe("limits", () => {
  it("that a live service begins with are set once, however many workers begin, and never over what people have changed", async () => {
    const opened = await Promise.all([openLimits(database), openLimits(database), openLimits(database)]);
    expect(opened.flat().toSorted()).toEqual(DEFAULT_LIMITS.map(({ id }) => id).toSorted());
    const { by } = await addPerson(database.db, "admin");
    await setLimit(powers("sandbox"), {
      by,
      id: "default-hour",
      terms: { ...terms("1"), mode: "off" },
      expectedVersion: 1,
      reason: REASON,
    });
    expect(await openLimits(database)).toEqual([]);
    expect(await current("default-hour")).toMatchObject({ version: 2, mode: "off" });
  });

  it("that nobody has changed follow the defaults of the version that runs; what was set on the machine does not", async () => {
    const own = await createTestDatabase();
    const [wallet] = DEFAULT_LIMITS.filter(({ id }) => id === "default-wallet-hour");
    if (wallet === undefined) throw new Error("there is no default of that name");
    // As an earlier version began.
    const before = { ...wallet, amountAtto: null, timesMaximum: 30 };
    await insertLimit(own.db, { ...before, version: 1, reason: "What a live service begins with.", madeBy: null, madeAt: new Date() });
    const [hour] = DEFAULT_LIMITS.filter(({ id }) => id === "default-hour");
    if (hour !== undefined) await openLimits(own, [{ ...hour, timesMaximum: 3 }], "Set on the machine.");
    const opened = await Promise.all([openLimits(own), openLimits(own), openLimits(own)]);
    expect(opened.flat()).toContain("default-wallet-hour");
    const { limits } = await readLimits(own);
    const find = (name: string) => limits.find(({ id }) => id === name);
    expect(find("default-wallet-hour")).toMatchObject({ version: 2, amountAtto: wallet.amountAtto, timesMaximum: null, madeBy: null });
    expect(find("default-hour")).toMatchObject({ version: 1, timesMaximum: 3 });
    expect(await openLimits(own)).toEqual([]);
    const entries = await own.sql`select count(*)::int as entries from audit_entries where object_id = 'default-wallet-hour'`;
    expect(entries).toEqual([{ entries: 1 }]);
    await own.close();
  });

  it("are changed by two people in live mode, by version, and are in the audit log", async () => {
    const [ana, ben] = [await addProvenPerson(database.db, "admin"), await addProvenPerson(database.db, "admin")];
    const order = { by: ana.by, id: "by-day", terms: terms("50000"), expectedVersion: 0, reason: REASON };
    const { proposal, result } = await setLimit(powers("live"), order);
    expect([result, await current("by-day")]).toEqual([null, undefined]);
    expect(await refusalOf(confirmProposal(powers("live"), { by: ana.by, id: proposal.id }))).toBe("same_approver");
    await confirmProposal(powers("live"), { by: ben.by, id: proposal.id });
    expect(await current("by-day")).toMatchObject({ version: 1, amountAtto: 50_000n * 10n ** 18n, madeBy: ben.id });
    const entries = await database.sql`select action, partner_id, reason from audit_entries where object_id = 'by-day'`;
    expect(entries).toEqual([{ action: "exposure_limit.set", partner_id: null, reason: REASON }]);
  });

  it("are refused where they do not fit together, are old, or are not an administrator's to set", async () => {
    const { by } = await addPerson(database.db, "admin");
    const order = { by, id: "other", terms: terms("1"), expectedVersion: 0, reason: REASON };
    const refused = (fields: object) => refusalOf(setLimit(powers("sandbox"), { ...order, ...fields }));
    expect(await refused({ id: "No Name" })).toBe("validation_failed");
    expect(await refused({ terms: { ...terms("1"), windowSeconds: null } })).toBe("validation_failed");
    expect(await refused({ terms: { ...terms("1"), partnerId: "00000000-0000-4000-8000-000000000000" } })).toBe("not_found");
    expect(await refused({ by: (await addPerson(database.db, "approver")).by })).toBe("forbidden");
    expect(await refused({})).toBeNull();
    expect(await refused({})).toBe("conflict");
    await expect(database.sql`update exposure_limits set amount_atto = 2 where id = 'other'`).rejects.toThrow("append only");
  });
});
