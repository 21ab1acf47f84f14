import type { Answers } from "#server/console/router.ts";

export type Key = Answers["developers"]["keys"]["data"][number];
/** A new key, with the secrets that are shown only once. */
export type IssuedKey = Answers["developers"]["createKey"];
