import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseEnv } from "node:util";
import { SMALL, WEB } from "#server/process/node-part.ts";
import { COMMANDS, isCommand } from "./commands.ts";
import { ended, type Inside } from "./machine.ts";

/** The places of settings and wallets' keys in an image, as compose.yaml mounts them. */
const SETTINGS = "/etc/settlement-service";
const KEYS = "/var/lib/settlement-service/keys";
const JOURNAL = "/var/lib/settlement-signer";
const SOCKET = "/run/settlement-signer";
/** As compose.yaml numbers them. */
const USERS = { web: 10_001, worker: 10_002, migrate: 10_003, signer: 10_004 } as const;
/** The signer's own group, which workers are in, too. */
const SIGNERS_GROUP = 10_004;
type Role = keyof typeof USERS;
const GROUPS_TOO: Record<Role, string> = {
  web: "--clear-groups",
  migrate: "--clear-groups",
  worker: `--groups ${SIGNERS_GROUP}`,
  signer: "--groups 10001",
};

/**
 * Runs a process like a container engine: read-only image, /tmp in memory, no capabilities, not root. With `exec` throughout, so that
 * signals arrive.
 */
const ENTER = `set -e
mount --bind "$ROOT" "$ROOT"
mount --bind "$HOSTS_HERE" "$ROOT/etc/hosts"
mount --bind "$SETTINGS_HERE" "$ROOT${SETTINGS}"
if [ -n "$SOCKET_HERE" ]; then mount --bind "$SOCKET_HERE" "$ROOT${SOCKET}"; fi
if [ -n "$KEYS_HERE" ]; then mount --bind "$KEYS_HERE" "$ROOT${KEYS}"; mount --bind "$JOURNAL_HERE" "$ROOT${JOURNAL}"; fi
mount --rbind /proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
mount -t tmpfs -o mode=1777,size=128m tmpfs "$ROOT/tmp"
mount -o remount,bind,ro "$ROOT"
exec chroot "$ROOT" setpriv --reuid "$ID" --regid "$GROUP" $GROUPS_TOO --no-new-privs --bounding-set=-all --inh-caps=-all \\
  env -i -C /usr/lib/settlement-service "$@"`;

export type ImageMachine = Inside & {
  /** Starts a web process on the port, a worker or the signer, as compose.yaml does. */
  start(role: "web" | "worker" | "signer", environment?: Readonly<Record<string, string>>): ChildProcess;
  /** Takes away what was written around it. */
  end(): void;
};

/** The file system of an image as a machine: `settlement-service NAME …` is that command of packaging/commands.ts, with the settings that were written. */
export function imageMachine(root: string, imageEnvironment: Readonly<Record<string, string>>): ImageMachine {
  const around = mkdtempSync(join(tmpdir(), "settlement-image-"));
  const [settings, keys, journal, socket] = ["settings", "keys", "journal", "socket"].map((name) => join(around, name)) as [
    ...[string, string, string, string],
  ];
  for (const folder of [settings, keys, journal, socket, ...[SETTINGS, KEYS, JOURNAL, SOCKET].map((there) => join(root, there))])
    mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (const folder of [keys, journal, socket]) chownSync(folder, USERS.signer, SIGNERS_GROUP);
  chmodSync(socket, 0o750);
  const hosts = join(around, "hosts");
  for (const file of [hosts, join(root, "etc", "hosts")]) writeFileSync(file, "127.0.0.1 localhost\n");

  const environmentOf = (role: Role) => {
    const files = role === "migrate" ? ["migrate.env"] : ["service.env", `${role}.env`];
    const reaching = role === "worker" || role === "signer" ? { SIGNER_SOCKET: `${SOCKET}/signer.sock` } : {};
    const own = role === "signer" ? { ...reaching, SIGNING_JOURNAL: `${JOURNAL}/signing-journal.log` } : reaching;
    return Object.assign(own, ...files.map((file) => parseEnv(readFileSync(join(settings, file), "utf8"))));
  };
  const enter = (role: Role, command: readonly string[], vars: NodeJS.Dict<string>) => {
    const environment = Object.entries({ ...imageEnvironment, ...vars }).map(([name, value]) => `${name}=${value}`);
    const env = { PATH: process.env.PATH, NODE_ENV: "production" as const, ROOT: root, ID: String(USERS[role]) };
    const groups = { GROUP: String(role === "signer" ? SIGNERS_GROUP : 10_001), GROUPS_TOO: GROUPS_TOO[role] };
    const here = { HOSTS_HERE: hosts, SETTINGS_HERE: settings, KEYS_HERE: role === "signer" ? keys : "", JOURNAL_HERE: journal };
    const reached = { SOCKET_HERE: role === "worker" || role === "signer" ? socket : "", ...groups };
    const args = ["--mount", "--propagation", "private", "sh", "-c", ENTER, "sh", ...environment, ...command];
    return spawn("unshare", args, { env: { ...env, ...here, ...reached }, stdio: "pipe" });
  };
  const tryRun: Inside["tryRun"] = ([program = "", name = "", ...args], { env = {}, input = "" } = {}) => {
    if (program !== "settlement-service" || !isCommand(name)) throw new Error(`No command of an image: ${program} ${name}`);
    const role = name === "migrate" ? "migrate" : name === "create-keystore" ? "signer" : "web";
    const roleEnv = name === "create-keystore" ? {} : environmentOf(role);
    return ended(enter(role, ["node", COMMANDS[name], ...args], { ...roleEnv, ...env }), input);
  };
  return {
    tryRun,
    run: async (command, options) => {
      const { status, stdout, stderr } = await tryRun(command, options);
      if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
      return stdout;
    },
    write: async (path, content) => {
      if (path.startsWith(`${SETTINGS}/`)) writeFileSync(join(settings, basename(path)), content, { mode: 0o644 });
    },
    end: () => rmSync(around, { recursive: true, force: true }),
    start: (role, environment = {}) => {
      const script = { web: "server/http/main.ts", worker: "server/worker/main.ts", signer: "server/signer/main.ts" }[role];
      return enter(role, ["node", ...(role === "web" ? WEB : SMALL), script], {
        ...environmentOf(role),
        ...environment,
      });
    },
  };
}
