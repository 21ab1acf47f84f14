import { findSandboxTraces, listExcess, listWritable, readLaidOut, readSession } from "#db/queries/maintenance/database-state.ts";
import { readSchemaState, SCHEMA_SENTENCES } from "#db/queries/maintenance/schema-state.ts";
import { layoutOf } from "#db/transaction.ts";
import { explainDatabase, isEverybodys } from "#db/trouble.ts";
import { DEVELOPMENT_CHAINS } from "#domain/chain-id.ts";
import type { Uses } from "#server/context.ts";

type ProcessKind = Parameters<typeof readSession>[1];

/** By what the database has, where the process expects another layout. */
const LAYOUT_SENTENCES = {
  citus: "Its tables are spread by Citus, and this process does not know. Set DATABASE_LAYOUT=citus for web, worker and signer.",
  whole: "Its tables are in one piece, and DATABASE_LAYOUT says citus. Remove that, or make an empty database with it (docs/scaling.md).",
};

/**
 * Refuses an unsuitable database: an unknown schema, another layout than this process's, which would use nonces twice, a role that could rewrite the ledger or the audit log, no statement timeouts, or
 * compiled statements (`jit`). In live mode also a log-in that could become such a role or another process's, one with more rights than its
 * process's role, a signer's log-in that can write anything, and a database that a sandbox has used. Each process calls it before it takes any work.
 *
 * @throws UnfitDatabase
 */
export async function assertFitDatabase(ctx: Uses<"db" | "mode">, kind: ProcessKind): Promise<void> {
  try {
    await judge(ctx, kind);
  } catch (error) {
    const sentence = error instanceof UnfitDatabase ? null : explainDatabase(error, "DATABASE_URL");
    throw sentence === null ? error : new UnfitDatabase([sentence], ctx.mode, isEverybodys(error) ? error : undefined);
  }
}

async function judge(ctx: Uses<"db" | "mode">, kind: ProcessKind): Promise<void> {
  const state = await readSchemaState(ctx.db);
  if (state !== "same" && state !== "companion") throw new UnfitDatabase([SCHEMA_SENTENCES[state]], ctx.mode);
  const laidOut = await readLaidOut(ctx.db);
  if (laidOut !== layoutOf(ctx.db)) throw new UnfitDatabase([LAYOUT_SENTENCES[laidOut]], ctx.mode);
  const session = await readSession(ctx.db, kind);
  const { user, isOwner, mayRead, login, loginRules, isOfProcess, otherRoles, timeouts, compiles } = session;
  const problems: string[] = [];
  if (isOwner)
    problems.push(
      `The service would run as ${user}, which may rewrite the ledger and the audit log. Name another log-in in ${kind.toUpperCase()}_DATABASE_URL, a member of <database>_${kind}.`,
    );
  if (!mayRead || !isOfProcess)
    problems.push(`The ${kind} logged in as ${login}, which is no member of its role. Run \`grant <database>_${kind} to ${login}\`.`);
  if (ctx.mode === "live" && loginRules)
    problems.push(
      `The service logged in as ${login}, which may become the owner of the tables, or controls roles or policies. Give web, worker and signer log-ins of their own, in WEB_, WORKER_ and SIGNER_DATABASE_URL, and the owner's only in MIGRATION_DATABASE_URL (docs/runbooks/log-ins.md).`,
    );
  if (ctx.mode === "live" && !loginRules && otherRoles.length > 0)
    problems.push(
      `The ${kind} logged in as ${login}, which may also work as ${otherRoles.join(" and ")}. Give web, worker and signer separate log-ins, in WEB_, WORKER_ and SIGNER_DATABASE_URL (docs/runbooks/log-ins.md).`,
    );
  const writable = ctx.mode === "live" && kind === "signer" && !loginRules && otherRoles.length === 0 ? await listWritable(ctx.db) : [];
  if (writable.length > 0)
    problems.push(
      `The signer logged in as ${login}, which can write: ${shown(writable)}. The signer only reads. Give it the log-in of docs/runbooks/log-ins.md in SIGNER_DATABASE_URL.`,
    );
  const excess =
    ctx.mode === "live" && kind !== "signer" && isOfProcess && !loginRules && otherRoles.length === 0 ? await listExcess(ctx.db, kind) : [];
  if (excess.length > 0)
    problems.push(
      `The ${kind} logged in as ${login}, which has more rights than its role: ${shown(excess)}. Revoke them, or give it the log-in of docs/runbooks/log-ins.md.`,
    );
  const unlimited = Object.entries(timeouts).filter(([, value]) => value === "0");
  for (const [name] of unlimited)
    problems.push(`${user} has no ${name}. Run \`alter role ${user} set ${name} = …\` (docs/runbooks/pgbouncer.md).`);
  if (compiles)
    problems.push(
      `${user} has jit = on, which makes each quote many times slower. Run \`npm run migrate\` or \`alter role ${login} set jit = off\`, then RECONNECT in the pooler (docs/runbooks/pgbouncer.md).`,
    );
  if (problems.length > 0) throw new UnfitDatabase(problems, ctx.mode);
  // The signer cannot read what a sandbox leaves: the processes that give it work refuse that database.
  if (ctx.mode === "live" && kind !== "signer") await assertLiveDatabase(ctx);
}

const shown = (names: readonly string[]) => `${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}`;

/** A database that the service must not run on. */
export class UnfitDatabase extends Error {
  override readonly name = "UnfitDatabase";
  readonly problems: readonly string[];

  /** `cause`: the database did not answer anybody. It may later. */
  constructor(problems: readonly string[], mode = "live", cause?: unknown) {
    super(`The service cannot start in ${mode} mode on this database:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`, {
      cause,
    });
    this.problems = problems;
  }
}

/**
 * Refuses, with everything it finds, a database that a sandbox has used (contract, part 8).
 *
 * @throws UnfitDatabase
 */
export async function assertLiveDatabase(ctx: Uses<"db">): Promise<void> {
  const traces = await findSandboxTraces(ctx.db, DEVELOPMENT_CHAINS);
  const problems: string[] = [];
  if (traces.movedClock) problems.push("Its business clock was moved: table business_clock has a row.");
  if (traces.developmentChain) problems.push("It holds pairs, wallets or settlements of a development chain, so a sandbox has used it.");
  if (traces.fixedRates) problems.push("It holds fixed exchange rates, which never become stale.");
  if (traces.demoUsers) problems.push("It holds demonstration users, with addresses under .example.");
  if (problems.length > 0) throw new UnfitDatabase(problems);
}
