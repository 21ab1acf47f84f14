import type { Answers } from "#server/console/router.ts";

type People = Answers["people"]["list"];

export type Person = People["people"][number];
export type Invitation = People["invitations"][number];
export type Device = Answers["people"]["devices"]["devices"][number];
