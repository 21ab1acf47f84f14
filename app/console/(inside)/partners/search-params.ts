import { createLoader, type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { PARTNER_STATUSES } from "#domain/partner.ts";

export const PARTNER_PARAMS = {
  q: parseAsString,
  status: parseAsStringLiteral(PARTNER_STATUSES),
  cursor: parseAsString,
  direction: parseAsStringLiteral(["older", "newer"] as const),
  limit: parseAsInteger,
};
export type PartnerParams = inferParserType<typeof PARTNER_PARAMS>;

export const loadPartnerParams = createLoader(PARTNER_PARAMS);

export function partnerPageOf(params: PartnerParams) {
  const limit: 25 | 50 | 100 = params.limit === 50 || params.limit === 100 ? params.limit : 25;
  return {
    ...(params.q && { search: params.q.slice(0, 128) }),
    ...(params.status && { status: params.status }),
    limit,
    ...(params.cursor && { cursor: params.cursor }),
    direction: params.direction ?? ("older" as const),
  };
}

export const FROM_THE_TOP = { cursor: null, direction: null } as const;
export const NO_FILTER = { ...FROM_THE_TOP, q: null, status: null } as const;
