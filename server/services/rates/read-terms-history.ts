import type { TermsOwner, TermsVersion } from "#db/queries/rates/pair-terms.ts";
import { listVersions } from "#db/queries/rates/pair-terms-lists.ts";
import { type HistoryEntry, listHistory } from "#db/queries/settlements/settlement-story.ts";
import type { Uses } from "#server/context.ts";

/** A version with who made it and why; null entry: it came with the installation. */
export type DatedTerms = { terms: TermsVersion; entry: HistoryEntry | null };

/** More versions than this nobody looks through. */
const MOST = 50;

/** The versions of an owner's terms, the newest first. */
export async function readTermsHistory(ctx: Uses<"db">, owner: TermsOwner): Promise<DatedTerms[]> {
  const versions = await listVersions(ctx.db, owner, MOST);
  const entries = new Map(
    (
      await listHistory(
        ctx.db,
        versions.map(({ id }) => id),
      )
    ).map((entry) => [entry.objectId, entry]),
  );
  return versions.map((terms) => ({ terms, entry: entries.get(terms.id) ?? null }));
}
