export type Role = "admin" | "approver" | "viewer" | "owner" | "staff";

export const ROLE_WORDS: Record<Role, string> = { admin: "Admin", approver: "Approver", viewer: "Viewer", owner: "Owner", staff: "Staff" };

const OPERATOR: readonly Role[] = ["admin", "approver", "viewer"];
const PARTNER: readonly Role[] = ["owner", "staff"];

/** The roles of a side, the one that may least first: what a choice begins at. */
export function rolesOf(side: "operator" | "partner"): { value: Role; label: string }[] {
  const roles = side === "operator" ? OPERATOR : PARTNER;
  return roles.toReversed().map((value) => ({ value, label: ROLE_WORDS[value] }));
}
