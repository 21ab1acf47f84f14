/** Roles are shared by all databases of a server, so the application's role carries its database's name. */
export function applicationRole(database: string): string {
  return `${database.slice(0, 48)}_app`;
}

/** The role for one partner's work, which the application's role may take on. Policies restrict it to that partner's rows. */
export function partnerRole(application: string): string {
  return `${application.replace(/_app$/, "")}_partner`;
}

/** The log-in created for the service where only the owner's URL is configured. */
export function serviceLogin(database: string): string {
  return `${database.slice(0, 48)}_login`;
}
