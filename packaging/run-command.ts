/**
 * `settlement-service NAME …` of an installed package: runs a command of the service with the settings in /etc/settlement-service, as the
 * user who may read them. Only root reads the files of settings; the command itself does not run as root.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { readSecrets } from "#server/config/credentials.ts";
import { identityOf } from "#server/process/identity.ts";
import { COMMANDS, type CommandName, isCommand, UNITS_JOURNAL, UNITS_SOCKET } from "./commands.ts";

const SETTINGS = "/etc/settlement-service";
const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Variables that the caller may set for a command, besides the settings. */
const OF_THE_CALLER = ["PATH", "LANG", "TZ", "TERM", "KEYSTORE_PASSWORD", "AUDIT_KEY"];

/** The settings of the command besides the common ones, and its user. */
function roleOf(name: CommandName, args: readonly string[]): { own: "migrate" | "web" | "worker" | "signer" | null; user: string } {
  if (name === "migrate") return { own: "migrate", user: "settlement-operator" };
  // It reads what that kind of process reads, as its user.
  const isOfKind = name === "check-settings" || name === "egress";
  const asked = isOfKind ? args[0] : undefined;
  if (asked === "worker" || asked === "signer") return { own: asked, user: `settlement-${asked}` };
  if (isOfKind) return { own: "web", user: "settlement-web" };
  // It reads and writes the signer's file, and the database as a worker does.
  if (name === "journal") return { own: "worker", user: "settlement-signer" };
  // It moves root's files of settings.
  if (name === "hand-over-keys") return { own: null, user: "root" };
  // It writes a key for the signer to read, and needs no settings.
  if (name === "create-keystore") return { own: null, user: "settlement-signer" };
  if (name === "audit-public-key") return { own: null, user: "settlement-operator" };
  return { own: "web", user: "settlement-operator" };
}

function settings(name: string): NodeJS.Dict<string> {
  const path = join(SETTINGS, `${name}.env`);
  return existsSync(path) ? parseEnv(readFileSync(path, "utf8")) : {};
}

/** The units' `LoadCredential` for such a process. */
function secrets(name: string): [name: string, value: string][] {
  const folder = join(SETTINGS, "secrets", name);
  return existsSync(folder) ? readSecrets(folder) : [];
}

/** The units' settings for that kind of process. @throws Error where a secret is set twice: such a process refuses to start */
function settingsOf(own: string): NodeJS.Dict<string> {
  const written = { ...settings("service"), ...settings(own) };
  // The signer gets no common secret.
  const kept = [...(own === "signer" ? [] : secrets("service")), ...secrets(own)];
  const names = kept.map(([name]) => name);
  const twice = names.find((name, index) => (written[name] ?? "").trim() !== "" || names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice} is set twice in ${SETTINGS}: take one of them away.`);
  const units = own === "worker" || own === "signer" ? { SIGNER_SOCKET: UNITS_SOCKET } : {};
  return { ...units, SIGNING_JOURNAL: settings("signer").SIGNING_JOURNAL || UNITS_JOURNAL, ...written, ...Object.fromEntries(kept) };
}

/** The signer's user reads the files of settings, too: they are of the workers' group. */
function who(user: string) {
  const identity = identityOf("the command's user", user);
  const group = user === "settlement-signer" ? identityOf("the command's group", "settlement-worker") : identity;
  return identity === null || group === null ? {} : { uid: identity.uid, gid: group.gid };
}

function main([name = "", ...args]: readonly string[]): number {
  if (!isCommand(name)) {
    process.stderr.write(`Usage: settlement-service COMMAND [ARGUMENTS]\nCommands: ${Object.keys(COMMANDS).join(", ")}\n`);
    return 2;
  }
  if (process.getuid?.() !== 0) {
    process.stderr.write(`The settings in ${SETTINGS} are root's: run it as root.\n`);
    return 1;
  }
  const { own, user } = roleOf(name, args);
  const callerEnv = Object.fromEntries(OF_THE_CALLER.flatMap((one) => (process.env[one] === undefined ? [] : [[one, process.env[one]]])));
  const env = { NODE_ENV: "production" as const, ...(own === null ? {} : settingsOf(own)), ...callerEnv };
  const script = join(ROOT, COMMANDS[name]);
  const { status } = spawnSync(process.execPath, [script, ...args], { env, stdio: "inherit", ...who(user) });
  return status ?? 1;
}

process.exitCode = main(process.argv.slice(2));
