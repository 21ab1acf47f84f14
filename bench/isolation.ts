import { randomUUID } from "node:crypto";
import { claimDueCallbacks } from "#db/queries/callbacks/due-callbacks.ts";
import type { BenchServer } from "#testing/stage/database.ts";
import { callerFor } from "./caller.ts";
import { lineOf, oneCall, type Prepare, WORK } from "./growth.ts";
import { table } from "./report.ts";
import { seed } from "./seed.ts";

const FEW = { active: 20, idle: 0 };
const MANY = { active: 1_000, idle: 10_000 };
const GOAL = 1.3;
const ROOM = { limit: 1, rooms: {}, otherwise: 1, closedPartners: [] };

/**
 * What the same call costs with few partners and with many, of which one has half of the traffic and most have none. As many settlements in
 * both databases, one call at a time, without HTTP, in turns.
 */
export async function measureIsolation(
  server: BenchServer,
  { rounds, calls, rows }: Record<"rounds" | "calls" | "rows", number>,
): Promise<string> {
  return await server.withDatabase((few) =>
    server.withDatabase(async (many) => {
      await seed(few.owner, rows, FEW);
      await seed(many.owner, rows, MANY);
      const lines: string[][] = [];
      for (const [name, prepare] of Object.entries({ ...WORK, ...OVER_ALL })) {
        const [before, after] = await oneCall(prepare, [few, many], { rounds, calls });
        if (before && after) lines.push([...lineOf(name, before, after), `≤ ${GOAL}`]);
      }
      const head = [FEW, MANY].flatMap(({ active, idle }) => {
        const partners = (active + idle).toLocaleString("en");
        return [`ms with ${partners} partners`, "of it PostgreSQL's CPU"];
      });
      return `${rows.toLocaleString("en")} settlements.\n\n${table(["One call", ...head, "cost", "goal"], lines)}`;
    }),
  );
}

/** What reads over all partners. */
const OVER_ALL: Record<string, Prepare> = {
  "a claim of one callback":
    async ({ db }) =>
    () =>
      claimDueCallbacks(db, randomUUID(), ROOM, new Date()),
  "a page of the partners": async ({ db }) => {
    const caller = callerFor(db, "operator");
    return () => caller.partners.list({});
  },
  "a page of the callbacks, everybody's": async ({ db }) => {
    const caller = callerFor(db, "operator");
    return () => caller.callbacks.list({});
  },
  "the overview": async ({ db }) => {
    const caller = callerFor(db, "operator");
    return () => caller.overview.now();
  },
};
