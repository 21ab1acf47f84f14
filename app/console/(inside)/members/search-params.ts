import { createLoader, type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { SafeStatus } from "#domain/member.ts";

/** How the member's Safe stands; `own`: it brought a wallet. */
export const MEMBER_SAFES = ["deploying", "deployed", "failed", "own"] as const satisfies readonly (SafeStatus | "own")[];

/** Everything that makes up what the list shows is in its address: it survives reload, sharing and Back. */
export const LIST_PARAMS = {
  q: parseAsString,
  partner: parseAsString,
  safe: parseAsStringLiteral(MEMBER_SAFES),
  chain: parseAsString,
  cursor: parseAsString,
  direction: parseAsStringLiteral(["older", "newer"] as const),
  limit: parseAsInteger,
};
export type ListParams = inferParserType<typeof LIST_PARAMS>;
export type SetParams = (next: Partial<ListParams>) => void;

export const loadListParams = createLoader(LIST_PARAMS);

/** The page as the procedure takes it. */
export function pageOf(params: ListParams) {
  const limit: 25 | 50 | 100 = params.limit === 50 || params.limit === 100 ? params.limit : 25;
  return {
    ...(params.q && { search: params.q }),
    ...(params.partner && { partner_id: params.partner }),
    ...(params.safe && { safe: params.safe }),
    ...(params.chain && { chain: params.chain }),
    limit,
    ...(params.cursor && { cursor: params.cursor }),
    direction: params.direction ?? ("older" as const),
  };
}

/** What goes when another filter is chosen: places belong to the list before. */
export const FROM_THE_TOP = { cursor: null, direction: null } as const;
export const NO_FILTER = { ...FROM_THE_TOP, q: null, partner: null, safe: null, chain: null } as const;
