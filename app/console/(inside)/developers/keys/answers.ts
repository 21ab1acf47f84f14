import type { Answers } from "#server/console/router.ts";

export type Key = Answers["developers"]["keys"]["data"][number];
/** A new key, with what is told of it the one time. */
export type IssuedKey = Answers["developers"]["createKey"];
