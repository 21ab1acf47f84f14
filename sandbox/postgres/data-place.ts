import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endLeftBehind } from "#sandbox/left-behind.ts";
import { type Identity, mayEnter } from "./identity.ts";

/** As root, what another user must reach lies here and not below a home directory. */
export const SYSTEM_FOLDER = "/var/lib/settlement-sandbox";
const MARK = "postgres-elsewhere";

/**
 * The place of a data directory's cluster: below it, unless PostgreSQL's user cannot enter its parent directories (one below /root). Then
 * it is in the system's folder, which is emptied when the data directory was removed to start afresh.
 */
export async function dataPlace(directory: string, identity: Identity | null): Promise<string> {
  if (mayEnter(identity, directory)) return join(directory, "postgres");
  const place = join(SYSTEM_FOLDER, `data-${createHash("sha256").update(directory).digest("hex").slice(0, 16)}`);
  await removeAbandoned();
  if (!existsSync(join(directory, MARK))) {
    await removePlace(place);
    mkdirSync(place, { recursive: true });
    for (const made of [SYSTEM_FOLDER, place]) chmodSync(made, 0o711);
    writeFileSync(join(place, "owner"), directory);
    writeFileSync(join(directory, MARK), `${place}\n`);
  }
  return join(place, "postgres");
}

/** Data directories are removed without a word to us: what belonged to one goes at the next start of any. */
async function removeAbandoned(): Promise<void> {
  if (!existsSync(SYSTEM_FOLDER)) return;
  for (const name of readdirSync(SYSTEM_FOLDER).filter((entry) => entry.startsWith("data-"))) {
    const place = join(SYSTEM_FOLDER, name);
    const owner = existsSync(join(place, "owner")) ? readFileSync(join(place, "owner"), "utf8") : null;
    if (owner !== null && !existsSync(owner)) await removePlace(place);
  }
}

async function removePlace(place: string): Promise<void> {
  await endLeftBehind(join(place, "postgres", "postmaster.pid"), place, "SIGINT");
  rmSync(place, { recursive: true, force: true });
}
