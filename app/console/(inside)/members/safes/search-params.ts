import { createLoader, type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { SAFE_DEPLOYMENT_KINDS, SAFE_DEPLOYMENT_STATES } from "#domain/safe-deployment.ts";

export const SAFES_PARAMS = {
  kind: parseAsStringLiteral(SAFE_DEPLOYMENT_KINDS),
  state: parseAsStringLiteral(SAFE_DEPLOYMENT_STATES),
  cursor: parseAsString,
  direction: parseAsStringLiteral(["older", "newer"] as const),
  limit: parseAsInteger,
};
export type SafesParams = inferParserType<typeof SAFES_PARAMS>;
export const loadSafesParams = createLoader(SAFES_PARAMS);

/** The page as the procedure takes it. */
export function pageOf(params: SafesParams) {
  const limit: 25 | 50 | 100 = params.limit === 50 || params.limit === 100 ? params.limit : 25;
  return {
    ...(params.kind && { kind: params.kind }),
    ...(params.state && { state: params.state }),
    limit,
    ...(params.cursor && { cursor: params.cursor }),
    direction: params.direction ?? ("older" as const),
  };
}

export const FROM_THE_TOP = { cursor: null, direction: null } as const;
export const NO_FILTER = { ...FROM_THE_TOP, kind: null, state: null } as const;
