import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll } from "vitest";
import { callbackAttempts } from "#db/schema/callback-attempts.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import { pausedReceivers } from "#db/schema/paused-receivers.ts";
import { eventually, startDelivery, type TestWorker } from "./callbacks.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { setClockOffset } from "./factories.ts";
import { openReceiver, type Receiver } from "./stage/receiver.ts";

export type CallbackStage = {
  readonly database: TestDatabase;
  /** Starts a worker that delivers; it stops with the test. */
  work(options?: Parameters<typeof startDelivery>[1]): TestWorker;
  /** Opens a partner's endpoint; it closes with the test. */
  receiver(answer?: Receiver["answer"]): Promise<Receiver>;
  rowOf(id: string): Promise<typeof callbacks.$inferSelect>;
  attemptsOf(id: string): Promise<(typeof callbackAttempts.$inferSelect)[]>;
  /** Waits until attempt `number` is over and written. */
  settled(id: string, number: number): Promise<typeof callbacks.$inferSelect>;
};

/** A database, workers and receivers for the tests of one file; each test finds no callbacks and the clock unmoved. */
export function setCallbackStage(): CallbackStage {
  let database: TestDatabase;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await database.db.delete(callbackAttempts);
    await database.db.delete(callbacks);
    await database.db.delete(pausedReceivers);
    await setClockOffset(database.db, 0);
  });
  const stage: CallbackStage = {
    get database() {
      return database;
    },
    work(options = {}) {
      const worker = startDelivery(database, options);
      closing.unshift(() => worker.stop());
      return worker;
    },
    async receiver(answer) {
      const opened = await openReceiver(answer);
      closing.push(() => opened.close());
      return opened;
    },
    async rowOf(id) {
      const [row] = await database.db.select().from(callbacks).where(eq(callbacks.id, id));
      if (!row) throw new Error("no such callback");
      return row;
    },
    attemptsOf: (id) =>
      database.db
        .select()
        .from(callbackAttempts)
        .where(eq(callbackAttempts.callbackId, id))
        .orderBy(callbackAttempts.series, callbackAttempts.number),
    settled: (id, number) =>
      eventually(async () => {
        const row = await stage.rowOf(id);
        const over = row.nextNumber > number || row.state !== "pending";
        return over && row.leaseToken === null ? row : null;
      }),
  };
  return stage;
}
