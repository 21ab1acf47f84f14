import { readSchemaState, SCHEMA_SENTENCES } from "#db/queries/upkeep/schema-state.ts";
import { readSession } from "#db/queries/upkeep/session.ts";
import { explainDatabase } from "#db/trouble.ts";
import type { Uses } from "#server/context.ts";
import { assertLiveDatabase, UnfitDatabase } from "./assert-live-database.ts";

/**
 * Refuses a database that this process must not work on: with a schema that it does not know, as a role that could rewrite the ledger
 * or the audit log, without limits of time, and in live mode one that a sandbox has used. Web and worker call it at their start,
 * before they take any work.
 *
 * @throws UnfitDatabase
 */
export async function assertFitDatabase(ctx: Uses<"db" | "mode">): Promise<void> {
  try {
    await judge(ctx);
  } catch (error) {
    const sentence = error instanceof UnfitDatabase ? null : explainDatabase(error, "DATABASE_URL");
    throw sentence === null ? error : new UnfitDatabase([sentence], ctx.mode);
  }
}

async function judge(ctx: Uses<"db" | "mode">): Promise<void> {
  const state = await readSchemaState(ctx.db);
  if (state !== "same" && state !== "companion") throw new UnfitDatabase([SCHEMA_SENTENCES[state]], ctx.mode);
  const { user, isOwner, mayRead, timeouts } = await readSession(ctx.db);
  const problems: string[] = [];
  if (isOwner)
    problems.push(
      `We would work as ${user}, who may rewrite the ledger and the audit log: name another role in DATABASE_URL, a member of the application's.`,
    );
  if (!mayRead) problems.push(`We would work as ${user}, who may not read its tables: \`grant <database>_app to ${user}\`.`);
  const unlimited = Object.entries(timeouts).filter(([, value]) => value === "0");
  for (const [name] of unlimited)
    problems.push(`${user} has no ${name}: \`alter role ${user} set ${name} = …\` (docs/runbooks/pgbouncer.md).`);
  if (problems.length > 0) throw new UnfitDatabase(problems, ctx.mode);
  if (ctx.mode === "live") await assertLiveDatabase(ctx);
}
