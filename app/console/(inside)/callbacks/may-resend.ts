import type { UserRole } from "#domain/access.ts";

/** Whether to offer a resend to this user (contract, part 7). The service checks the permission again. */
export function mayResend(role: UserRole): boolean {
  return role === "admin" || role === "approver" || role === "owner";
}
