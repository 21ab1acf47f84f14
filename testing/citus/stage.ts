import { eventually } from "#testing/callbacks.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { createTestDatabase, openTestDatabase, type TestDatabase } from "#testing/database.ts";
import type { TestPartner } from "#testing/factories.ts";
import { type MoneyStage, openMoneyStage } from "#testing/money-stage.ts";
import { openReceiver, type Receiver } from "#testing/stage/receiver.ts";
import { newAddress } from "#testing/transfers.ts";
import { type CitusCluster, migrateCitusDatabase, startCitus } from "./cluster.ts";

/** Partners whose money moves on Citus. */
export type CitusStage = {
  database: TestDatabase;
  chain: TestChain;
  receiver: Receiver;
  stage: MoneyStage;
  /** Makes a settlement of the partner that is owed from now on. Returns its id and wallet. */
  owe(partner: TestPartner): Promise<{ id: string; wallet: string }>;
  /** Works and mines until the answer is true. A pass fails where it meets a node's end, and the worker's loop begins the next one. */
  workUntil(isOver: () => Promise<boolean>): Promise<void>;
  close(): Promise<void>;
};

/** `database`: the test's own; left out: a new one on the run's nodes. */
export async function openCitusStage({ partners, database: own }: { partners: number; database?: TestDatabase }): Promise<CitusStage> {
  const chain = await startTestChain({ noMining: true });
  const database = own ?? (await createTestDatabase());
  const receiver = await openReceiver();
  const stage = await openMoneyStage(chain, { partners, callbackUrl: `${receiver.origin}/`, database });
  await chain.mine(4);
  const work = stage.newWorker();
  return {
    database,
    chain,
    receiver,
    stage,
    async owe(partner) {
      const wallet = newAddress();
      const { id } = await stage.quote(partner, { amountMinor: 100_000n, wallet });
      await stage.confirm(partner, id);
      return { id, wallet };
    },
    async workUntil(isOver) {
      await eventually(async () => {
        await work().catch(() => {});
        await chain.mine();
        return (await isOver()) ? true : null;
      });
    },
    async close() {
      await receiver.close();
      await database.close();
      await chain.stop();
    },
  };
}

/** A cluster whose nodes a test stops or adds, with a migrated database. */
export type OwnCluster = { cluster: CitusCluster; database: TestDatabase; stop(): Promise<void> };

export async function openOwnCluster(name: string): Promise<OwnCluster> {
  const cluster = await startCitus();
  const { nodes, coordinator } = cluster;
  await migrateCitusDatabase(cluster, name);
  const database = openTestDatabase(coordinator.adminUrl, name, name, { layout: "citus", nodes });
  return { cluster, database, stop: cluster.stop };
}
