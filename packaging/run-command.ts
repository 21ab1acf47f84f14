/**
 * `settlement-service NAME …` of an installed package: a command of the service, with the settings in /etc/settlement-service and as the
 * user who may know them. The files of settings are root's alone: root reads them, and the command runs as somebody who is not root.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { identityOf } from "#server/process/identity.ts";
import { COMMANDS, type CommandName, isCommand } from "./commands.ts";

const SETTINGS = "/etc/settlement-service";
const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** What a command may be told by anyone who calls it, beside the settings. */
const OF_THE_CALLER = ["PATH", "LANG", "TZ", "TERM", "KEYSTORE_PASSWORD", "AUDIT_KEY"];

/** Whose settings the command is told beside everybody's, and whom it runs as. */
function roleOf(name: CommandName, args: readonly string[]): { file: string | null; user: string } {
  if (name === "migrate") return { file: "migrate.env", user: "settlement-operator" };
  // It reads what that kind of process reads, as its user.
  if (name === "check-settings" && args[0] === "worker") return { file: "worker.env", user: "settlement-worker" };
  if (name === "check-settings") return { file: "web.env", user: "settlement-web" };
  // It writes a key, which is the worker's to read; it asks nothing of the settings.
  if (name === "create-keystore") return { file: null, user: "settlement-worker" };
  if (name === "audit-public-key") return { file: null, user: "settlement-operator" };
  return { file: "web.env", user: "settlement-operator" };
}

function settings(file: string): NodeJS.Dict<string> {
  const path = join(SETTINGS, file);
  return existsSync(path) ? parseEnv(readFileSync(path, "utf8")) : {};
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
  const { file, user } = roleOf(name, args);
  const told = Object.fromEntries(OF_THE_CALLER.flatMap((one) => (process.env[one] === undefined ? [] : [[one, process.env[one]]])));
  const env = { NODE_ENV: "production" as const, ...(file === null ? {} : { ...settings("service.env"), ...settings(file) }), ...told };
  const script = join(ROOT, COMMANDS[name]);
  const { status } = spawnSync(process.execPath, [script, ...args], { env, stdio: "inherit", ...identityOf("the command's user", user) });
  return status ?? 1;
}

process.exitCode = main(process.argv.slice(2));
