import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decimal, formatDecimal } from "#domain/decimal.ts";
import type { Uses } from "#server/context.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { justProven } from "#testing/people.ts";
import { setPartnerStatus, updateChargeFee } from "./change-partner.ts";
import { readPartner } from "./read-partners.ts";

let database: TestDatabase;
let ctx: Uses<"db" | "clock">;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = { db: database.db, clock: { now: () => new Date() } };
});
afterAll(() => database.close());

const admin = () => ({
  actor: { type: "user", userId: randomUUID(), role: "admin", partnerId: null } as const,
  requestId: "req_1",
  proof: justProven(),
});
const change = (partnerId: string, fee: string, expected: string) =>
  updateChargeFee(ctx, {
    by: admin(),
    partnerId,
    chargeFeePercentage: decimal(fee),
    expected: decimal(expected),
    reason: `to ${fee} percent`,
  });
const trail = (partnerId: string) =>
  database.sql`select reason, change from audit_entries where object_id = ${partnerId} and action = 'partner.charge_fee_updated' order by id`;

describe("two admins who change a fee at once", () => {
  it("never overwrite each other unseen: one wins, the other learns the present fee, and the log has one change", async () => {
    const { partnerId } = await addPartner(database.db);
    const before = formatDecimal((await readPartner(database, partnerId)).chargeFeePercentage);
    const ends = await Promise.allSettled([change(partnerId, "1.5", before), change(partnerId, "2.5", before)]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const now = formatDecimal((await readPartner(database, partnerId)).chargeFeePercentage);
    const lost = ends.find((end) => end.status === "rejected");
    expect(lost?.reason).toMatchObject({ code: "conflict", particulars: { members: { charge_fee_percentage: now } } });
    expect(await trail(partnerId)).toEqual([{ reason: `to ${now} percent`, change: { charge_fee_percentage: [before, now] } }]);
    await change(partnerId, "3", now);
    expect(await trail(partnerId)).toHaveLength(2);
  });

  it("are refused without the role, and for what is no partner", async () => {
    const { partnerId } = await addPartner(database.db);
    const viewer = { actor: { ...admin().actor, role: "viewer" as const }, requestId: null };
    const command = { partnerId, chargeFeePercentage: decimal("1") };
    await expect(updateChargeFee(ctx, { ...command, by: viewer })).rejects.toMatchObject({ code: "forbidden" });
    await expect(updateChargeFee(ctx, { ...command, by: admin(), partnerId: "nobody" })).rejects.toMatchObject({ code: "not_found" });
    await expect(setPartnerStatus(ctx, { by: viewer, partnerId, status: "suspended" })).rejects.toMatchObject({ code: "forbidden" });
  });
});
