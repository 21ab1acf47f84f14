import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { citusOutbox } from "#db/citus-tables.ts";
import { bringFromOutbox } from "#db/queries/settlements/outbox.ts";
import { saveOnNodes } from "#db/queries/settlements/write-on-nodes.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import type { TestPartner } from "#testing/factories.ts";
import { newAddress } from "#testing/transfers.ts";
import { openPartnerNode, type PartnerNode } from "./partner-node.ts";
import { type CitusStage, openCitusStage } from "./stage.ts";

/** Records that cannot be brought, or not now: they stop no others, and no payment is lost with one. */

let on: CitusStage;
let partner: TestPartner;
let others: TestPartner[];
let at: PartnerNode;
beforeAll(async () => {
  on = await openCitusStage({ partners: 6 });
  const [one, ...more] = on.stage.partners;
  if (one === undefined) throw new Error("there is no partner");
  partner = one;
  others = more;
  at = openPartnerNode(on, partner);
});
afterAll(() => on.close());

const worker = () => ({ db: on.database.db });
const FORGED = 9;
afterEach(async () => {
  await on.database.sql`delete from citus_outbox where version = ${FORGED}`;
  await bringOutbox(worker());
});

const quote = (whose = partner) => on.stage.quote(whose, { amountMinor: 100_000n, wallet: newAddress() });
/** A record that no confirmation has left. `entry`: its own is the oldest of all, and has no columns. */
const forge = async (settlementId: string, { of = partner, transferId = null as string | null, entry = { id: "au_0" } as object } = {}) => {
  await on.database.db.insert(citusOutbox).values({ partnerId: of.partnerId, settlementId, version: FORGED, entry, transferId });
};
const forgedOf = (id: string) => on.database.sql`select 1 from citus_outbox where settlement_id = ${id} and version = ${FORGED}`;

describe("a record", () => {
  it("that cannot be written fails the round, and five such partners do not stop the payment of a sixth", async () => {
    const broken = await Promise.all(others.map(async (of) => ({ of, id: (await quote(of)).id })));
    await bringOutbox(worker());
    for (const { of, id } of broken) await forge(id, { of });
    const { id } = await on.owe(partner);
    await expect(bringOutbox(worker())).rejects.toMatchObject({ cause: { message: expect.stringContaining("null value") } });
    expect(await at.placesOf(id)).toMatchObject({ waits: 0, entries: 2, payments: 1 });
    for (const one of broken) expect(await forgedOf(one.id)).toHaveLength(1);
  });

  it("whose settlement is locked hides none behind it", async () => {
    const older = await quote();
    const newer = await on.owe(partner);
    await on.database.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from settlements where partner_id = ${partner.partnerId}::uuid and id = ${older.id} for update`);
      expect(await bringFromOutbox(on.database.db, partner.partnerId, 1)).toBe(1);
      expect(await at.placesOf(newer.id)).toMatchObject({ waits: 0, payments: 1 });
      expect(await bringFromOutbox(on.database.db, partner.partnerId, 1)).toBe(0);
    });
  });

  it("counts once with the others of its settlement, so that a full batch says that there is more", async () => {
    const owed = [await on.owe(partner), await on.owe(partner), await on.owe(partner)];
    expect(await bringFromOutbox(on.database.db, partner.partnerId, 2)).toBe(2);
    expect(await bringFromOutbox(on.database.db, partner.partnerId, 2)).toBe(1);
    for (const { id } of owed) expect(await at.placesOf(id)).toMatchObject({ waits: 0, payments: 1 });
  });

  it.each([
    ["another settlement's", async () => (await on.database.sql`select id from transfers limit 1`)[0]?.id as string],
    ["no payment's, of a quote", async () => `tr_${randomUUID()}`],
  ])("with an id of %s stays where it is, and fails the round", async (_, newTransferId) => {
    await on.owe(partner);
    await bringOutbox(worker());
    const { id } = await quote();
    const [entry] = await on.database.sql`select entry from citus_outbox where settlement_id = ${id}`;
    const transferId = await newTransferId();
    await forge(id, { transferId, entry: { ...entry?.entry, id: `au_${randomUUID()}` } });
    await expect(bringOutbox(worker())).rejects.toThrow(`payments were not made: ${transferId} of ${id}`);
    expect(await forgedOf(id)).toHaveLength(1);
    expect(await at.placesOf(id)).toMatchObject({ waits: 2, entries: 0, payments: 0 });
  });

  it("of a confirmation whose payment's id is taken keeps it owed, until the id is right", async () => {
    const { id } = await on.owe(partner);
    const [own] = await on.database.sql`select transfer_id from citus_outbox where settlement_id = ${id} and transfer_id is not null`;
    const [taken] = await on.database.sql`select id from transfers limit 1`;
    const change = (to: string) =>
      on.database.sql`update citus_outbox set transfer_id = ${to} where partner_id = ${partner.partnerId} and settlement_id = ${id}
        and transfer_id is not null`;
    await change(taken?.id);
    await expect(bringOutbox(worker())).rejects.toThrow("payments were not made");
    expect(await at.placesOf(id)).toMatchObject({ waits: 2, payments: 0 });
    await change(own?.transfer_id);
    await bringOutbox(worker());
    expect(await at.placesOf(id)).toMatchObject({ waits: 0, payments: 1 });
  });

  it("is not left by some of the changes of a list only", async () => {
    const [one, two] = [await quote(), await quote()];
    const change = (settlement: typeof one) => {
      const { id: objectId, partnerId } = settlement;
      const entry = { by: partner.by, partnerId, action: "settlement.confirmed", objectId, change: {}, now: new Date() };
      return { settlement, entry, event: null };
    };
    const saving = saveOnNodes(on.database.db, [{ ...change(one), transferId: `tr_${randomUUID()}` }, change(two)]);
    await expect(saving).rejects.toThrow("all name a payment or none does");
    expect((await at.placesOf(one.id)).waits).toBe(1);
  });

  it("leaves books that the audit finds right", () => expectCleanAudit(worker()));
});
