/** Roles are shared by all databases of a server, so the application's role carries its database's name. */
export function applicationRole(database: string): string {
  return `${database.slice(0, 48)}_app`;
}
