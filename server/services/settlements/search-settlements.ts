import { type BrowsedSettlement, listBrowsedByIds } from "#db/queries/settlements/browse-settlements.ts";
import { findSettlementIds, type SettlementClue } from "#db/queries/settlements/search-settlements.ts";
import { type ClueKind, recognise } from "#domain/settlement-view.ts";
import type { Uses } from "#server/context.ts";

export type SearchSettlements = {
  text: string;
  /** Look for it as this and nothing else; left out: as what it looks like, then as what it might be. */
  as?: ClueKind;
  /** Left out: every partner's. */
  partnerId?: string;
};
export type SearchAnswer = {
  /** What it was found as, or, where nothing was found, what it looked like. */
  kind: ClueKind | null;
  match: "exact" | "prefix";
  items: BrowsedSettlement[];
};

const LIMIT = 25;

/**
 * The settlements that a pasted text names: an id, a hash, a wallet (with its chain or in an explorer's link), a reference of the
 * partner's or of its merchant's, exactly or else by its beginning. The newest first.
 */
export async function searchSettlements(ctx: Uses<"db">, query: SearchSettlements): Promise<SearchAnswer> {
  const recognised = recognise(query.text);
  if (recognised === null) return { kind: null, match: "exact", items: [] };
  for (const clue of cluesFor(recognised, query.as)) {
    const ids = await findSettlementIds(ctx.db, clue, LIMIT, query.partnerId);
    if (ids.length === 0) continue;
    const items = await listBrowsedByIds(ctx.db, ids, query.partnerId);
    items.sort((left, right) => ids.indexOf(left.settlement.id) - ids.indexOf(right.settlement.id));
    return { kind: clue.by, match: "match" in clue ? clue.match : "exact", items };
  }
  return { kind: query.as ?? recognised.kind, match: "exact", items: [] };
}

function cluesFor({ kind, text }: { kind: ClueKind; text: string }, as: ClueKind | undefined): SettlementClue[] {
  if (as !== undefined) return cluesOf(as, text);
  if (kind === "tx_id" || kind === "tx_hash") return cluesOf(kind, text);
  const [references, beginnings] = [referencesOf(text, "exact"), referencesOf(text, "prefix")];
  return kind === "wallet" ? [...cluesOf(kind, text), ...references] : [...references, ...beginnings];
}

function cluesOf(kind: ClueKind, text: string): SettlementClue[] {
  if (kind === "external_id" || kind === "merchant") {
    return [
      { by: kind, text, match: "exact" },
      { by: kind, text, match: "prefix" },
    ];
  }
  return [{ by: kind, text }];
}

function referencesOf(text: string, match: "exact" | "prefix"): SettlementClue[] {
  return [
    { by: "external_id", text, match },
    { by: "merchant", text, match },
  ];
}
