import type { Role } from "./roles.ts";

/** Roles by name, also outside of the screens of people. */
export const ROLES = {
  admin: "Admin",
  approver: "Approver",
  viewer: "Viewer",
  owner: "Owner",
  staff: "Staff",
} satisfies Record<Role, string>;
