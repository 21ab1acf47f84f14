import { processRole } from "#db/application-role.ts";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { type AuditKey, openAuditKey } from "#domain/audit-key.ts";
import { openEvmChains } from "#server/adapters/chain/evm/open-evm-chains.ts";
import { openLapsingChains } from "#server/adapters/chain/open-lapsing-chains.ts";
import { readConfig } from "#server/config.ts";
import type { EvmDirectory, LapsingDirectory } from "#server/ports.ts";

/** Reading a whole database takes longer than any request may. */
const STATEMENT_TIMEOUT_MS = 600_000;

type Books = { database: OpenDatabase; evm: EvmDirectory; lapsing: LapsingDirectory; auditKey: AuditKey };

/** With the books open to read in: of the sandbox that runs on `DATA_DIR`, or with `MODE=live` of what a web process's environment names. */
export async function withBooks(work: (books: Books) => Promise<number>, kind: "web" | "worker" = "web"): Promise<number> {
  const books = await openBooks(kind);
  try {
    return await work(books);
  } finally {
    await books.database.close();
  }
}

async function openBooks(kind: "web" | "worker"): Promise<Books> {
  const { databaseUrl, chains, auditKey } = process.env.MODE === "live" ? liveBooks() : await sandboxBooks();
  const database = openDatabase({
    url: databaseUrl,
    applicationName: "settlement-books",
    maxConnections: 2,
    role: processRole(decodeURIComponent(new URL(databaseUrl).pathname.slice(1)), kind),
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  const lapsing = openLapsingChains(chains, { isLive: process.env.MODE === "live" });
  return { database, evm: openEvmChains(chains), lapsing, auditKey };
}

/** Live mode loads nothing of the sandbox: a package does not contain it. */
async function sandboxBooks() {
  const { findRunningSandbox } = await import("#sandbox/running.ts");
  return findRunningSandbox(process.env);
}

/** A long reading bypasses the pooler, where it would occupy one of the few connections and be ended after seconds. */
function liveBooks() {
  const { databaseDirectUrl, chains, auditPublicKey: publicKey, auditAnchor: begins } = readConfig();
  return { databaseUrl: databaseDirectUrl, chains, auditKey: openAuditKey({ secret: null, publicKey, begins }) };
}

/** Parses an instant: a day (its first instant, UTC) or a complete ISO 8601 text. @throws Error for anything else. */
export function instantOf(text: string): Date {
  const at = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00.000Z` : text);
  if (Number.isNaN(at.getTime())) throw new Error(`${text} is no instant: write 2026-11-21 or 2026-11-21T10:00:00Z.`);
  return at;
}
