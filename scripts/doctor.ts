/**
 * `npm run doctor` (`settlement-service doctor`) examines an installation and changes nothing: database, clocks, work, nodes, contracts, treasury,
 * disk, certificates, pooler and backup. It needs the environment of a web process. `--database URL` examines only that database, also before
 * its first migration. `--backup FILE` (as often as needed) names the backup's figures, which node_exporter reads. `--json` prints the findings for a program. It exits with 0 if all is well, 1 for warnings and 2 for troubles.
 */
import { readFileSync, statfsSync } from "node:fs";
import { connect } from "node:tls";
import { parseArgs } from "node:util";
import { openDatabase } from "#db/client.ts";
import { readPoolerSettings } from "#db/pooler-settings.ts";
import { readDatabaseFacts } from "#db/queries/maintenance/database-facts.ts";
import { explainDatabase } from "#db/trouble.ts";
import { readBackupFigures } from "#domain/backup-figures.ts";
import { examineDatabase, exitCodeOf, type Finding } from "#domain/examination.ts";
import { examineBackup, examineCertificate, examineDisk, examinePooler } from "#domain/examine-surroundings.ts";
import { findCauses } from "#domain/trouble-causes.ts";
import { readChecks } from "#server/rest/checks.ts";
import { examineChains, examineTreasury } from "#server/services/maintenance/examine-chains.ts";
import { webWiring } from "#server/wiring.ts";
import { runCommand, sentenceOf } from "./command.ts";
import { lineOf } from "./finding-line.ts";

const CERTIFICATE_WITHIN_MS = 5_000;
const DAY_MS = 86_400_000;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { database: { type: "string" }, backup: { type: "string", multiple: true }, json: { type: "boolean" } },
  });
  const findings = values.database === undefined ? await examineAll(values.backup) : await examineOnly(values.database);
  if (values.json) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else process.stdout.write(findings.map(lineOf).join(""));
  return exitCodeOf(findings);
}

/** A database that the service may not have used yet, with the settings that its log-in gets from PostgreSQL, as through a pooler. */
async function examineOnly(url: string): Promise<Finding[]> {
  const database = openDatabase({ url, applicationName: "settlement-doctor", maxConnections: 1, pooled: true });
  try {
    return examineDatabase(await readDatabaseFacts(database.db));
  } finally {
    await database.close();
  }
}

async function examineAll(figures: readonly string[] | undefined): Promise<Finding[]> {
  const { ctx, config, database } = webWiring();
  try {
    await ctx.screener.watch();
    const [facts, pooler, work, chains, treasury, certificate] = await Promise.all([
      orTrouble("database settings", readDatabaseFacts(ctx.db).then(examineDatabase)),
      config.databasePooled ? poolerOf(config.databaseUrl) : [],
      examineWork(ctx),
      examineChains(ctx),
      orTrouble("treasury", examineTreasury(ctx)),
      certificateOf(config.baseUrl),
    ]);
    const backup = figures === undefined ? null : readBackupFigures(figures.map((file) => readFileSync(file, "utf8")).join("\n"));
    const disks = [diskOf("/"), diskOf(process.cwd())];
    return [...facts, ...pooler, ...work, ...chains, ...treasury, ...certificate, ...disks, examineBackup(backup, new Date())];
  } finally {
    await database.close();
  }
}

/** The rest is examined all the same where the database does not answer. */
async function orTrouble(subject: string, examined: Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await examined;
  } catch (error) {
    const detail = explainDatabase(error, "DATABASE_URL") ?? sentenceOf(error);
    return [{ subject, level: "trouble", detail, remedy: "See docs/runbooks/database-away.md." }];
  }
}

async function poolerOf(url: string): Promise<Finding[]> {
  try {
    return examinePooler(await readPoolerSettings(url));
  } catch (error) {
    const detail = `its settings could not be read: ${sentenceOf(error)}`;
    return [
      {
        subject: "pooler",
        level: "warning",
        detail,
        remedy: "Make this log-in one of PgBouncer's stats_users (docs/runbooks/pgbouncer.md).",
      },
    ];
  }
}

/** The checks of `/ready`: those that fail by their causes, each with its runbook. */
async function examineWork(ctx: ReturnType<typeof webWiring>["ctx"]): Promise<Finding[]> {
  const { checks, vitals } = await readChecks(ctx);
  const causes = findCauses(checks, vitals ?? { rates: [], waitingTransfers: [] }, ctx.chains.list());
  const well = checks.filter(({ ok, name }) => ok && name !== "screening");
  return [
    ...well.map(({ name, detail }) => ({ subject: name, level: "ok" as const, detail, remedy: null })),
    ...causes.map(({ name, detail, runbook }) => ({
      subject: name,
      level: "trouble" as const,
      detail,
      remedy: `See docs/runbooks/${runbook}.md.`,
    })),
    ...ctx.screener.state().troubles.map(({ detail }) => ({
      subject: "screening",
      level: "trouble" as const,
      detail,
      remedy: "See docs/runbooks/screening.md.",
    })),
  ];
}

/** The certificate that the installation's address shows to the world; none over plain HTTP. */
async function certificateOf(baseUrl: string): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== "https:") return [];
  return await new Promise((resolve) => {
    const end = (finding: Finding) => {
      socket.destroy();
      resolve([finding]);
    };
    const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, timeout: CERTIFICATE_WITHIN_MS }, () => {
      const { valid_to: until } = socket.getPeerCertificate();
      end(examineCertificate(hostname, (Date.parse(until) - Date.now()) / DAY_MS));
    });
    socket.once("timeout", () => end(examineCertificate(hostname, null, "no answer within five seconds")));
    socket.once("error", (error) => end(examineCertificate(hostname, null, error.message)));
  });
}

function diskOf(folder: string): Finding {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return examineDisk(folder, { free: bavail * bsize, size: blocks * bsize });
}

await runCommand(main, { failed: 2, explain: (error) => explainDatabase(error, "--database or DATABASE_URL") ?? sentenceOf(error) });
