import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

/** How often a database was waited for: what is sent without an answer in between goes together, and is one round trip. */
export type TripCounter = {
  /** The pool's listener for each of its statements. */
  onStatement(text: string): void;
  /** The work's result, and its round trips, as long as no other queries run. */
  count<Result>(work: () => Promise<Result>): Promise<{ result: Result; trips: number }>;
};

export function countTrips(): TripCounter {
  let trips = 0;
  let together = false;
  return {
    onStatement(text) {
      // Workers are woken after the commit, and nobody waits for that.
      if (together || text.includes("pg_notify")) return;
      trips += 1;
      together = true;
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
