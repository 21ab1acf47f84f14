import { Socket } from "node:net";
import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

/** How often a database was waited for: what is sent without an answer in between goes together, and is one round trip. */
export type TripCounter = {
  /** The pool's listener for each of its statements. */
  onStatement(text: string): void;
  /** The work's result, and its round trips, as long as no other queries run. */
  count<Result>(work: () => Promise<Result>): Promise<{ result: Result; trips: number }>;
};

/** How much has arrived on the sockets of this process. On a busy machine an answer may arrive before the tick of its question has ended. */
let arrivals = 0;
const emit = Socket.prototype.emit;
Socket.prototype.emit = function (this: Socket, name: string | symbol, ...values: unknown[]) {
  if (name === "data") arrivals += 1;
  return Reflect.apply(emit, this, [name, ...values]);
};

export function countTrips(): TripCounter {
  let trips = 0;
  let together = false;
  let seen = 0;
  return {
    onStatement(text) {
      // Workers and readers of events are woken after the commit, and nobody waits for that.
      if ((together && seen === arrivals) || text.includes("pg_notify")) return;
      trips += 1;
      together = true;
      seen = arrivals;
      setImmediate(() => {
        together = false;
      });
    },
    async count(work) {
      trips = 0;
      const result = await work();
      return { result, trips };
    },
  };
}

/** Opens this many connections of a pool: a statement that waits for a new one is not sent together with those before it. */
export async function openConnections({ db }: { db: Database }, connections: number): Promise<void> {
  await Promise.all(Array.from({ length: connections }, () => db.execute(sql`select pg_sleep(0.3)`)));
}
