import { createLoader, parseAsStringLiteral } from "nuqs/server";
import { OVERVIEW_RANGES } from "#server/domain/overview-range.ts";

/** How far the overview looks back stands in its address. */
export const OVERVIEW_PARAMS = { range: parseAsStringLiteral(OVERVIEW_RANGES).withDefault("24h") };
export const loadOverviewParams = createLoader(OVERVIEW_PARAMS);
