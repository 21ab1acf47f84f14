/**
 * `settlement-service hand-over-keys`, which each installation of the package runs as root: what opens wallets' keys goes from the workers'
 * settings to the signer's. In version 1.1.0 the workers had it. Repeated, or after it was interrupted, it does the rest.
 */
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { readSecrets } from "#server/config/credentials.ts";
import { signerEnvironment, workerEnvironment } from "#server/process/environment.ts";
import { UNITS_SOCKET } from "./commands.ts";

const NAME = /^\s*(?:export\s+)?([A-Z_][A-Z0-9_]*)\s*=/;

/** Which settings opened keys and were moved. @throws Error where the signer has another value already */
export function handOverKeys(settings: string): string[] {
  const path = (name: string) => join(settings, `${name}.env`);
  const linesOf = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), "utf8").split("\n") : []);
  const [service, worker, signer] = [linesOf("service"), linesOf("worker"), linesOf("signer")];
  const folder = (name: string) => join(settings, "secrets", name);
  const secrets = existsSync(folder("worker")) ? readSecrets(folder("worker")) : [];
  const valuesOf = (lines: readonly string[]) => parseEnv(lines.join("\n"));
  const env = { ...valuesOf(service), ...valuesOf(worker), ...Object.fromEntries(secrets), SIGNER_SOCKET: UNITS_SOCKET };
  const all = { NODE_ENV: "production" as const, ...env };
  const stays = workerEnvironment(all);
  const opening = Object.keys(signerEnvironment(all)).filter((name) => !(name in stays));
  const moved = worker.filter((line) => opening.includes(NAME.exec(line)?.[1] ?? ""));
  const [given, kept] = [valuesOf(moved), valuesOf(signer)];
  for (const [name, value] of Object.entries(given))
    if (kept[name] !== undefined && kept[name] !== value)
      throw new Error(`${name} has one value in worker.env and another in signer.env: take one of them away.`);
  const missing = moved.filter((line) => kept[NAME.exec(line)?.[1] ?? ""] === undefined);
  // The signer has it before the workers have it no more.
  if (missing.length > 0) replace(path("signer"), [...signer, ...missing, ""]);
  if (moved.length > 0)
    replace(
      path("worker"),
      worker.filter((line) => !moved.includes(line)),
    );
  return [...Object.keys(given), ...moveSecrets(folder("worker"), folder("signer"), opening)].toSorted();
}

function moveSecrets(from: string, to: string, opening: readonly string[]): string[] {
  const files = existsSync(from) ? readdirSync(from).filter((name) => opening.includes(name)) : [];
  for (const name of files) {
    const [here, there] = [join(from, name), join(to, name)];
    if (!existsSync(there)) renameSync(here, there);
    else if (readFileSync(there).equals(readFileSync(here))) unlinkSync(here);
    else throw new Error(`${name} has one value in secrets/worker and another in secrets/signer: take one of them away.`);
  }
  return files;
}

/** In one step, and readable by its owner alone. */
function replace(path: string, lines: readonly string[]): void {
  const file = openSync(`${path}.new`, "w", 0o600);
  writeSync(file, lines.join("\n"));
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
}

if (import.meta.main) {
  try {
    const moved = handOverKeys("/etc/settlement-service");
    if (moved.length > 0) process.stdout.write(`The signer has ${moved.join(", ")}, and the workers no more.\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
