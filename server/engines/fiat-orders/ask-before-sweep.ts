import { isOfEarlierLine } from "#db/queries/events/keep-events.ts";
import type { Finding } from "#domain/payment-check.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import { Unreachable } from "#server/ports.ts";
import type { FiatEngine } from "./engine.ts";

/** `nothing`: the provider does not know it, or need not be asked. `silent`: it does not answer. Otherwise why people must look first. */
type Known = "nothing" | "silent" | Finding;

/**
 * What the provider knows of a withdrawal whose crypto is still in its Safe. One that was asked for before the database was restored may have
 * been paid out already: then its crypto is taken only once people have looked.
 */
export async function askBeforeSweep({ ctx, rails }: FiatEngine, { id, createdAt, provider }: Withdrawal): Promise<Known> {
  const rail = rails.of(provider);
  if (rail === null || !(await isOfEarlierLine(ctx.db, createdAt))) return "nothing";
  try {
    const known = await rail.lookUp(id);
    if (known === null) return "nothing";
    const { status, reference } = known;
    const words = `The provider ${provider} has this withdrawal already (${status}), and this database, which was restored, has not given it. Its crypto may have been taken.`;
    return { key: `provider:${provider}`, version: "1", outcome: "hold", dryRun: false, words, facts: { provider, status, reference } };
  } catch (error) {
    if (error instanceof Unreachable) return "silent";
    throw error;
  }
}
