import type { Answers } from "#server/console/router.ts";

type Read = Answers["approvalPolicy"]["read"];
export type Version = Read["versions"][number];
export type Person = Read["people"][number];
export type Trial = Answers["approvalPolicy"]["try"];
export type TriedRow = Trial["would_wait"]["rows"][number];
export type Choices = Answers["settlements"]["choices"];
