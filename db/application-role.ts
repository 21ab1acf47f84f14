/** Roles are shared by all databases of a server, so the application's role carries its database's name. */
export function applicationRole(database: string): string {
  return `${database.slice(0, 48)}_app`;
}

/** The role that one partner's work is done as, by whoever may work as the application's: policies hold it to that partner's rows. */
export function partnerRole(application: string): string {
  return `${application.replace(/_app$/, "")}_partner`;
}

/** The log-in that is made for the service where it is told the owner's alone. */
export function serviceLogin(database: string): string {
  return `${database.slice(0, 48)}_login`;
}
