import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSettlement } from "#server/services/settlements/read-settlement.ts";
import { eventually, giveSecrets, startDelivery } from "#testing/callbacks.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { newAddress } from "#testing/transfers.ts";
import { type CitusStage, openCitusStage } from "./stage.ts";

/** Money moves on Citus: quotes, confirmations, payments on the chain, top-ups, withdrawals and callbacks, and the books are right. */

let on: CitusStage;
beforeAll(async () => {
  on = await openCitusStage({ partners: 4 });
});
afterAll(() => on.close());

/** The two-phase commits of some work, by the record that the coordinator keeps of each part that a node prepared. */
async function preparedBy(work: () => Promise<unknown>): Promise<number> {
  const list = async () => (await on.database.sql<{ gid: string }[]>`select gid from pg_dist_transaction`).map(({ gid }) => gid);
  const before = new Set(await list());
  await work();
  return (await list()).filter((gid) => !before.has(gid)).length;
}

describe("a partner's settlements on Citus", () => {
  it("take no two-phase commit for a quote, for its confirmation, or to read it", async () => {
    const { stage, database } = on;
    const [partner] = stage.partners;
    if (partner === undefined) throw new Error("there is no partner");
    let id = "";
    const quoted = await preparedBy(async () => {
      id = (await stage.quote(partner, { amountMinor: 100_000n, wallet: newAddress() })).id;
    });
    const confirmed = await preparedBy(() => stage.confirm(partner, id));
    const read = await preparedBy(() => readSettlement({ db: database.db }, { id, partnerId: partner.partnerId }));
    expect({ quoted, confirmed, read }).toEqual({ quoted: 0, confirmed: 0, read: 0 });
  });

  it("are quoted, confirmed, paid once and called back, and so are its top-ups and withdrawals", async () => {
    const { stage, database } = on;
    const delivery = startDelivery({ db: database.db, sql: database.sql });
    for (const partner of stage.partners) {
      await giveSecrets(database.db, partner);
      await on.owe(partner);
      await stage.topUp(partner, { amountMinor: 50_000n, wallet: newAddress() });
      await stage.withdraw(partner, { amountMinor: 50_000n });
    }
    const work = stage.newWorker();
    await eventually(async () => {
      await work();
      await stage.passTime();
      const [open] = await database.sql`select (select count(*)::int from settlements where status = 'processing')
        + (select count(*)::int from callbacks where state = 'pending')
        + (select count(*)::int from withdrawals where status in ('pending', 'processing'))
        + (select count(*)::int from topups where status in ('pending', 'processing')) as count`;
      return open?.count === 0 ? true : null;
    });
    await delivery.stop();
    const ends = await database.sql<{ status: string; count: number }[]>`select status, count(*)::int from settlements group by 1`;
    expect([...ends]).toEqual([{ status: "executed", count: 5 }]);
    const orders = await database.sql<{ status: string; count: number }[]>`
      select status, count(*)::int from (select status from topups union all select status from withdrawals) as orders group by 1`;
    expect([...orders]).toEqual([{ status: "completed", count: 2 * stage.partners.length }]);
    const delivered = await database.sql<{ state: string; count: number }[]>`select state, count(*)::int from callbacks group by 1`;
    expect([...delivered]).toEqual([{ state: "delivered", count: 5 + 2 * stage.partners.length }]);
    await expectCleanAudit({ db: database.db, evm: stage.powers.chains });
  });
});
