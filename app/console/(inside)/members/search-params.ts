import type { SafeStatus } from "#domain/member.ts";
import { oneOf, text } from "../../_components/lists/address-params.ts";
import { given, listParams, type ParamsOf } from "../../_components/lists/list-params.ts";

/** The status of the member's Safe; `own`: it brought a wallet. */
export const MEMBER_SAFES = ["deploying", "deployed", "failed", "own"] as const satisfies readonly (SafeStatus | "own")[];

export const MEMBERS = listParams({
  q: text,
  partner: text,
  safe: oneOf(MEMBER_SAFES),
  chain: text,
});

/** The page for the procedure. */
export function pageOf(params: ParamsOf<typeof MEMBERS>) {
  const { q, partner, safe, chain } = params;
  return { ...given({ search: q, partner_id: partner, safe, chain }), ...MEMBERS.walkOf(params) };
}
