import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { SafeStatus } from "#domain/member.ts";
import { given, listParams, type ParamsOf } from "../../_components/lists/list-params.ts";

/** The status of the member's Safe; `own`: it brought a wallet. */
export const MEMBER_SAFES = ["deploying", "deployed", "failed", "own"] as const satisfies readonly (SafeStatus | "own")[];

export const MEMBERS = listParams({
  q: parseAsString,
  partner: parseAsString,
  safe: parseAsStringLiteral(MEMBER_SAFES),
  chain: parseAsString,
});

/** The page for the procedure. */
export function pageOf(params: ParamsOf<typeof MEMBERS>) {
  const { q, partner, safe, chain } = params;
  return { ...given({ search: q, partner_id: partner, safe, chain }), ...MEMBERS.walkOf(params) };
}
