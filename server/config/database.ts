import { applicationRole } from "#db/application-role.ts";
import type { DatabaseOptions } from "#db/client.ts";
import type { Config } from "#server/config.ts";

/** How a process of the service opens its database: as the application, or through a pooler as whom the log-in is. */
export function databaseOptions(config: Config): Pick<DatabaseOptions, "url" | "role" | "pooled" | "directUrl"> {
  return {
    url: config.databaseUrl,
    role: applicationRole(decodeURIComponent(new URL(config.databaseDirectUrl).pathname.slice(1))),
    pooled: config.databasePooled,
    directUrl: config.databaseDirectUrl,
  };
}
