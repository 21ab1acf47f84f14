import { type Actor, mayAsOperator, OPERATOR_ROLES, type OperatorPermission, type OperatorRole } from "./access.ts";

/** What may wait for an operator's decision, and the right that it takes. */
const RIGHTS = {
  settlement: "decide_settlement",
  batch: "decide_settlement",
  proposal: "administer",
  hold: "administer",
  review: "administer",
  order: "administer",
} as const satisfies Record<string, OperatorPermission>;

export type WorkKind = keyof typeof RIGHTS;

/** Whose decision it waits for: this person's, or another one's. */
export function waitsFor(actor: Actor, work: { kind: WorkKind; isOwn: boolean }): "you" | "others" {
  return !work.isOwn && mayAsOperator(actor, RIGHTS[work.kind]) ? "you" : "others";
}

const decidingRoles = (kind: WorkKind): readonly OperatorRole[] =>
  OPERATOR_ROLES.filter((role) => mayAsOperator({ type: "user", userId: "", role, partnerId: null }, RIGHTS[kind]));

/** The roles that may decide it. */
export const ROLES_OF_WORK: Readonly<Record<WorkKind, readonly OperatorRole[]>> = {
  settlement: decidingRoles("settlement"),
  batch: decidingRoles("batch"),
  proposal: decidingRoles("proposal"),
  hold: decidingRoles("hold"),
  review: decidingRoles("review"),
  order: decidingRoles("order"),
};

/** The time by which a decision is promised. */
export function promisedBy(since: Date, targetMinutes: number): Date {
  return new Date(since.getTime() + targetMinutes * 60_000);
}
