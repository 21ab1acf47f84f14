import type { Answers } from "#server/console/router.ts";

export type Partner = Answers["partners"]["byId"];
