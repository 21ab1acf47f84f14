import { findSandboxTraces } from "#db/queries/upkeep/sandbox-traces.ts";
import { DEVELOPMENT_CHAINS } from "#domain/chain-id.ts";
import type { Uses } from "#server/context.ts";

/** A database that the service must not run on. */
export class UnfitDatabase extends Error {
  override readonly name = "UnfitDatabase";
  readonly problems: readonly string[];

  constructor(problems: readonly string[], mode = "live") {
    super(`The service cannot start in ${mode} mode on this database:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
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
  if (traces.developmentChain) problems.push("It holds pairs, wallets or settlements of a development chain: a sandbox has used it.");
  if (traces.fixedRates) problems.push("It holds fixed exchange rates, which never grow old.");
  if (traces.demoUsers) problems.push("It holds users of the demonstration, with addresses under .example.");
  if (problems.length > 0) throw new UnfitDatabase(problems);
}
