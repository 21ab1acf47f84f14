import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll } from "vitest";
import { findDestination } from "#db/queries/events/destinations.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import type { Brokers, EventDestination } from "#domain/event-destination.ts";
import { createBrokers } from "#server/adapters/brokers/brokers.ts";
import type { Observe } from "#server/engines/duty.ts";
import { destinationDuties } from "#server/engines/event-destinations/duties.ts";
import { createDestinationEngine, type DestinationStep } from "#server/engines/event-destinations/engine.ts";
import { drainDestinations } from "#server/engines/event-destinations/serve-due.ts";
import type { CallbackSender } from "#server/ports.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { startLoop } from "#server/worker/loop.ts";
import { type Answer, signedCalls } from "./batches.ts";
import { eventually, localSender, silentLog, testVault } from "./callbacks.ts";
import { createTestDatabase, processOf, type TestDatabase } from "./database.ts";
import { mortal } from "./death.ts";
import { setClockOffset } from "./factories.ts";
import { openReceiver, type Receiver } from "./stage/receiver.ts";
import { issueKey, testContext, testSurfaceContext } from "./surface.ts";

export const DESTINATIONS = "/api/v1/event-destinations";

/** What a test reads of a received event. */
export type Got = { id: string; type: string; object_id: string; version: number; data: Record<string, unknown> };

/** A partner with a key, as its own programs call. */
export type DestinationPartner = { key: IssuedApiKey; call(method: string, target: string, body?: object): Promise<Answer> };

export type DestinationStage = {
  readonly database: TestDatabase;
  addPartner(scopes?: Parameters<typeof issueKey>[1]): Promise<DestinationPartner>;
  /** An endpoint of a partner; it closes with the test. */
  receiver(answer?: Receiver["answer"]): Promise<Receiver>;
  /** A worker that sends to destinations, in its own role; it stops with the test, and dies where `observe` throws. */
  work(options?: { sender?: CallbackSender; brokers?: Brokers; observe?: Observe<DestinationStep> }): { stop(): Promise<void> };
  /** Records the next event of an object, each in its own transaction. */
  happen(partner: DestinationPartner, ...objectIds: string[]): Promise<void>;
  /** A new destination of the URL for withdrawals, or what is said. */
  create(partner: DestinationPartner, url: string, more?: object): Promise<{ id: string; secret: string }>;
  rowOf(partner: DestinationPartner, id: string): Promise<EventDestination>;
  /** Moves business time by so many seconds, and wakes the workers. */
  later(seconds: number): Promise<void>;
};

const localBrokers = createBrokers({ allowPlain: true, exemptHosts: ["localhost", "127.0.0.1"] });

export const gotAt = ({ requests }: Receiver): Got[] => requests.map(({ body }) => JSON.parse(body));

/** A database, partners, workers and receivers for tests of event destinations. */
export function setDestinationStage(): DestinationStage {
  let database: TestDatabase;
  let offsetMs = 0;
  const closing: (() => Promise<unknown>)[] = [];
  const contextOf = () => ({ ...testContext(database.db), vault: testVault, callbacks: localSender });
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await database.sql`delete from event_destinations`;
    offsetMs = 0;
    await setClockOffset(database.db, 0);
  });
  const stage: DestinationStage = {
    get database() {
      return database;
    },
    async addPartner(values = {}) {
      const ctx = contextOf();
      const key = await issueKey(ctx, values);
      return { key, call: signedCalls(testSurfaceContext(ctx), key) };
    },
    async receiver(answer) {
      const opened = await openReceiver(answer);
      closing.push(() => opened.close());
      return opened;
    },
    work({ sender = localSender, brokers = localBrokers, observe } = {}) {
      const db = processOf(database.db, "worker");
      const powers = { db, clock: { now: () => new Date() }, vault: testVault, callbacks: sender, brokers, log: silentLog };
      const fate = mortal(powers, observe);
      const engine = createDestinationEngine(fate.ctx, { brand: "Service", signPublicly: null }, fate.observe);
      const duties = destinationDuties(engine).map((duty) => ({ ...duty, everyMs: 200, drain: () => drainDestinations(engine, 0) }));
      const loop = startLoop({ duties, listen: (...listener) => database.sql.listen(...listener), log: silentLog });
      closing.unshift(() => loop.stop());
      return loop;
    },
    async happen({ key: { partnerId } }, ...objectIds) {
      if (partnerId === null) throw new Error("an operator has no events");
      for (const objectId of objectIds) {
        const event = {
          type: "withdrawal.processing",
          objectId,
          partnerId,
          audience: "partner",
          at: new Date(Date.now() + offsetMs),
        } as const;
        await database.db.transaction((tx) => recordEvents(tx, [{ ...event, data: { id: objectId } }]));
      }
    },
    async create({ call }, url, more = {}) {
      const { status, body } = await call("POST", DESTINATIONS, { type: "webhook", url, types: ["withdrawal.*"], ...more });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return { id: body.id as string, secret: body.secret as string };
    },
    async rowOf({ key: { partnerId } }, id) {
      const row = await findDestination(database.db, { id, partnerId: partnerId ?? "" });
      if (row === null) throw new Error("no such destination");
      return row;
    },
    async later(seconds) {
      offsetMs += seconds * 1_000;
      await setClockOffset(database.db, offsetMs);
      await database.db.execute(sql`select pg_notify('due_work', 'clock')`);
    },
  };
  return stage;
}

/** Waits until it is so. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  await eventually(async () => ((await isSo()) ? true : null));
}
