/**
 * `settlement-service check-settings web|worker`: whether this version can start with the settings that the environment gives, and whether
 * their log-in reaches the database. It changes nothing. Says what is wrong and exits with 1.
 */
import { readConfig, readWorkerConfig } from "#server/config.ts";
import { checkDatabase } from "#server/process/preflight.ts";

try {
  const config = process.argv[2] === "worker" ? readWorkerConfig() : readConfig();
  await checkDatabase(config.databaseUrl, "DATABASE_URL");
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
