import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { citusOutbox } from "#db/citus-tables.ts";
import { bringFromOutbox, takeFromOutbox } from "#db/queries/settlements/outbox.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { setClockOffset, type TestPartner } from "#testing/factories.ts";
import { newAddress } from "#testing/transfers.ts";
import { openPartnerNode, type PartnerNode } from "./partner-node.ts";
import { type CitusStage, openCitusStage } from "./stage.ts";

/** What a confirmation leaves in its node's outbox: its audit entry, its event, and the payment that it owes. */

let on: CitusStage;
let partner: TestPartner;
let at: PartnerNode;
beforeAll(async () => {
  on = await openCitusStage({ partners: 1 });
  const [one] = on.stage.partners;
  if (one === undefined) throw new Error("there is no partner");
  partner = one;
  at = openPartnerNode(on, partner);
});
afterAll(() => on.close());
beforeEach(async () => {
  await bringOutbox(worker());
});

const worker = () => ({ db: on.database.db });

describe("a confirmation that no check has anything to say of", () => {
  const owe = async () => {
    const wallet = newAddress();
    const { id, quote } = await on.stage.quote(partner, { amountMinor: 100_000n, wallet });
    await on.stage.confirm(partner, id);
    return { id, wallet, amount: quote.destinationAmountBase };
  };
  const WAITING = { waits: 2, entries: 0, events: [], payments: 0 };
  const BROUGHT = { waits: 0, entries: 2, events: [{ version: 1 }, { version: 2 }], payments: 1 };
  const isPaid = async (id: string) => {
    const [row] = await on.database.sql`select status from settlements where partner_id = ${partner.partnerId} and id = ${id}`;
    return row?.status === "executed";
  };

  it("leaves its entry, its event and its payment on its node. Three workers bring them at once, and it is paid once", async () => {
    const { id, wallet, amount } = await owe();
    expect(await at.placesOf(id)).toMatchObject(WAITING);
    await Promise.all([bringOutbox(worker()), bringOutbox(worker()), bringOutbox(worker())]);
    expect(await at.placesOf(id)).toMatchObject(BROUGHT);
    const [payment] = await on.database.sql`select amount_base::text as amount, recipient, state from transfers where owner_id = ${id}`;
    expect(payment).toEqual({ amount: String(amount), recipient: wallet, state: "queued" });
    await on.workUntil(() => isPaid(id));
    expect(await on.stage.tokenBalance(wallet)).toBe(amount);
    await expectCleanAudit({ ...worker(), evm: on.stage.powers.chains });
  });

  it("brought in part by one that dies is whole on its node, and the next one brings it: it is paid once", async () => {
    const { id, wallet, amount } = await owe();
    const failing = on.database.db.transaction(async (tx) => {
      expect(await bringFromOutbox(tx, partner.partnerId)).toBe(1);
      await at.endConnections(2);
    });
    await expect(failing).rejects.toThrow();
    expect(await at.placesOf(id)).toMatchObject(WAITING);
    await bringOutbox(worker());
    expect(await at.placesOf(id)).toMatchObject(BROUGHT);
    await on.workUntil(() => isPaid(id));
    expect(await on.stage.tokenBalance(wallet)).toBe(amount);
    await expectCleanAudit({ ...worker(), evm: on.stage.powers.chains });
  });

  it("sent ten times at once is one, with one payment", async () => {
    const { ask } = await at.asKey();
    const made = await ask({ method: "POST", target: "/api/v1/settlements", body: JSON.stringify(at.order()) });
    const id = String(made.body.tx_id);
    const given = { external_tx_id: `ref-${id}`, callback_url: `${on.receiver.origin}/` };
    const confirm = () => ask({ method: "POST", target: `/api/v1/settlements/${id}/confirm`, body: JSON.stringify(given) });
    const answers = await Promise.all(Array.from({ length: 10 }, confirm));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await Promise.all([bringOutbox(worker()), bringOutbox(worker())]);
    expect(await at.placesOf(id)).toMatchObject(BROUGHT);
  });

  it("brought by a transaction older than the one that brought its creation, still has its events in order", async () => {
    const { id } = await on.stage.quote(partner, { amountMinor: 100_000n, wallet: newAddress() });
    const { db } = on.database;
    await db.transaction(async (older) => {
      await older.execute(sql`select pg_current_xact_id()`);
      expect(await bringFromOutbox(db, partner.partnerId)).toBe(1);
      await on.stage.confirm(partner, id);
      expect(await bringFromOutbox(older, partner.partnerId)).toBe(1);
    });
    const kept = await at.placesOf(id);
    expect(kept).toMatchObject(BROUGHT);
    expect(kept.events[1]?.position).toBe(kept.events[0]?.position);
  });

  it("changed before it is brought, as nothing of the service does, fails the change and loses nothing", async () => {
    const { id } = await owe();
    const changing = on.database.db.transaction((tx) => takeFromOutbox(tx, [{ id, partnerId: partner.partnerId }]));
    await expect(changing).rejects.toThrow("still wait");
    expect(await at.placesOf(id)).toMatchObject(WAITING);
  });

  it("the worker's role can make only the payment that the settlement owes", async () => {
    const asWorker = on.database.worker;
    const { id } = await on.stage.quote(partner, { amountMinor: 100_000n, wallet: newAddress() });
    const forged = { partnerId: partner.partnerId, settlementId: id, version: 9, entry: {}, transferId: "tr_forged" };
    await on.database.db.insert(citusOutbox).values(forged);
    const asked = sql`select * from citus_owe_waiting(${partner.partnerId}::uuid, array[${id}])`;
    expect([...(await asWorker.execute(asked))]).toEqual([]);
    await expect(
      asWorker.execute(sql`select citus_owe('tr_forged', s) from citus_settlement(${id}, ${partner.partnerId}::uuid) s`),
    ).rejects.toMatchObject({ cause: { message: "permission denied for function citus_owe" } });
    await on.database.sql`delete from citus_outbox where partner_id = ${partner.partnerId} and version = 9`;
    const owed = await owe();
    expect(await asWorker.execute(sql`select * from citus_owe_waiting(${partner.partnerId}::uuid, array[${owed.id}])`)).toMatchObject([
      { owner_id: owed.id, amount_base: String(owed.amount), recipient: owed.wallet },
    ]);
  });

  it("that waits is right to the audit for five minutes, and no longer", async () => {
    const { id } = await owe();
    await expectCleanAudit(worker());
    await setClockOffset(on.database.db, 6 * 60_000);
    const { rules } = await auditDatabase(worker());
    await setClockOffset(on.database.db, 0);
    const found = rules.find(({ rule }) => rule === "unexecuted_was_not_paid")?.violations.map(({ subject }) => subject);
    expect(found).toEqual([id]);
  });
});
