import type { UserRole } from "#domain/access.ts";

/** Whose pages offer to resend (contract, part 7). The service refuses the others by itself. */
export function mayResend(role: UserRole): boolean {
  return role === "admin" || role === "approver" || role === "owner";
}
