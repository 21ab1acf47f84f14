import type { Answers } from "#server/console/router.ts";

export type Provider = Answers["identity"]["list"]["providers"][number];
