/**
 * `npm run migrate` brings the database to the schema of this version and starts nothing: MIGRATION_DATABASE_URL, or else
 * DATABASE_DIRECT_URL or DATABASE_URL, as the database's owner and past any pooler. Nothing else need be configured.
 * DATABASE_LAYOUT=citus gives the tables of an empty database to Citus (docs/scaling.md).
 */
import { PROCESS_KINDS } from "#db/application-role.ts";
import { readLayout } from "#db/layout.ts";
import { migrate } from "#db/migrate.ts";
import { explainDatabase } from "#db/trouble.ts";
import { checkNode } from "#server/process/preflight.ts";

const { MIGRATION_DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_URL } = process.env;
const url = [MIGRATION_DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_URL].find((one) => one?.trim());
try {
  checkNode();
  if (url === undefined) throw new Error("MIGRATION_DATABASE_URL is missing: the database to migrate, as its owner.");
  const role = await migrate(url, undefined, readLayout(process.env.DATABASE_LAYOUT));
  const [web, worker, signer] = PROCESS_KINDS.map((kind) => role.replace(/_app$/, `_${kind}`));
  process.stdout.write(
    `The schema is up to date. The web processes' log-in must be a member of ${web}, the workers' of ${worker}, the signer's of ${signer}.\n`,
  );
} catch (error) {
  const sentence = explainDatabase(error, "MIGRATION_DATABASE_URL");
  process.stderr.write(`${sentence ?? (error instanceof Error ? error.message : String(error))}\n`);
  process.exit(1);
}
