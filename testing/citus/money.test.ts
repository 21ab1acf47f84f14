import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, giveSecrets, startDelivery } from "#testing/callbacks.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { type MoneyStage, openMoneyStage } from "#testing/money-stage.ts";
import { openReceiver, type Receiver } from "#testing/stage/receiver.ts";
import { newAddress } from "#testing/transfers.ts";

/** Money moves on Citus: quotes, confirmations, payments on the chain, top-ups, withdrawals and callbacks, and the books are right. */

let database: TestDatabase;
let chain: TestChain;
let receiver: Receiver;
let stage: MoneyStage;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  database = await createTestDatabase();
  receiver = await openReceiver();
  stage = await openMoneyStage(chain, { partners: 4, callbackUrl: `${receiver.origin}/`, database });
});
afterAll(async () => {
  await receiver.close();
  await database.close();
  await chain.stop();
});

describe("a partner's settlements on Citus", () => {
  it("are quoted, confirmed, paid once and called back, and so are its top-ups and withdrawals", async () => {
    await chain.mine(4);
    const delivery = startDelivery({ db: database.db, sql: database.sql });
    const wallets: string[] = [];
    for (const partner of stage.partners) {
      await giveSecrets(database.db, partner);
      const wallet = newAddress();
      wallets.push(wallet);
      const { id } = await stage.quote(partner, { amountMinor: 100_000n, wallet });
      await stage.confirm(partner, id);
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
    expect([...ends]).toEqual([{ status: "executed", count: 4 }]);
    const delivered = await database.sql<{ state: string; count: number }[]>`select state, count(*)::int from callbacks group by 1`;
    expect(delivered.map(({ state }) => state)).toEqual(["delivered"]);
    await expectCleanAudit({ db: database.db });
  });
});
