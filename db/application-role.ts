/** Roles are shared by all databases of a server, so each carries its database's name. */
function roleOf(database: string, suffix: string): string {
  return `${database.slice(0, 48)}_${suffix}`;
}

/** The processes, each with a role of its own (`db/rights.ts`). */
export const PROCESS_KINDS = ["web", "worker", "signer"] as const;
export type ProcessKind = (typeof PROCESS_KINDS)[number];

/** The role of one kind of process. */
export function processRole(database: string, kind: ProcessKind): string {
  return roleOf(database, kind);
}

/**
 * The role with the rights of all processes: of the release before this one, and of operators' commands, which work as the owner's
 * log-in. No process works in it.
 */
export function applicationRole(database: string): string {
  return roleOf(database, "app");
}

/** The role for one partner's work, which a role may take on. Policies restrict it to that partner's rows. */
export function partnerRole(role: string): string {
  return role.endsWith("_app") ? role.replace(/_app$/, "_partner") : `${role}_partner`;
}

/** The log-in created for a kind of process where only the owner's URL is configured. */
export function serviceLogin(database: string, kind: ProcessKind): string {
  return roleOf(database, `${kind}_login`);
}

/** Every role that `migrate` and the log-ins of the service leave on a server; owners of others first, so that they can be dropped in this order. */
export function allRoles(database: string): string[] {
  const roles = [applicationRole(database), ...PROCESS_KINDS.map((kind) => processRole(database, kind))];
  return [...PROCESS_KINDS.map((kind) => serviceLogin(database, kind)), ...roles.map(partnerRole), ...roles];
}
