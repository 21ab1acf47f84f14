/**
 * `settlement-service check-settings web|worker|signer`: whether this version can start with the settings that the environment gives, and whether
 * their log-in reaches the database. It changes nothing. Says what is wrong and exits with 1.
 */
import { readSignerConfig } from "#server/config/read-signer.ts";
import { readConfig, readWorkerConfig } from "#server/config.ts";
import { checkDatabase } from "#server/process/preflight.ts";

try {
  const read = { worker: readWorkerConfig, signer: readSignerConfig }[process.argv[2] ?? ""] ?? readConfig;
  const config = read();
  await checkDatabase(config.databaseUrl, "DATABASE_URL");
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
