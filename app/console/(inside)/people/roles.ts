export type Role = "admin" | "approver" | "viewer" | "owner" | "staff";

const OPERATOR: readonly Role[] = ["admin", "approver", "viewer"];
const PARTNER: readonly Role[] = ["owner", "staff"];

/** The roles of a side, least privileged first, which is the default. */
export function rolesOf(side: "operator" | "partner", t: Record<Role, string>): { value: Role; label: string }[] {
  const roles = side === "operator" ? OPERATOR : PARTNER;
  return roles.toReversed().map((value) => ({ value, label: t[value] }));
}
