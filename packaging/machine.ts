import { type ChildProcess, type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gather } from "#testing/stage/child.ts";

type RunOptions = { input?: string; env?: Readonly<Record<string, string>> };
export type Ended = { status: number; stdout: string; stderr: string };

/**
 * A machine with Debian and systemd, in a container of systemd-nspawn: it shares this one's network, and nothing that it writes is kept.
 */
export type Machine = {
  /** Runs a program there as root; what it prints is shown where it fails. @throws Error where it fails */
  run(command: readonly string[], options?: RunOptions): Promise<string>;
  /** The same, with its result. */
  tryRun(command: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Writes a file there. */
  write(path: string, content: string, mode: string, owner?: string): Promise<void>;
  stop(): Promise<void>;
};

/** What can be done inside of one. */
export type Inside = Omit<Machine, "stop">;

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** What a server has, and what the package depends on. */
const INCLUDED = "systemd,systemd-sysv,dbus,adduser,ca-certificates,libstdc++6";
const LONGEST_BOOT_MS = 60_000;

/** Before the minutes of work that need them. @throws Error with the packages of the missing programs */
export function expectPrograms(): void {
  for (const name of ["debootstrap", "systemd-nspawn"])
    if (spawnSync(name, ["--version"]).error) throw new Error(`There is no ${name}: apt-get install debootstrap systemd-container`);
}

/** Installs Debian to a folder, once. It is fetched from where this machine gets its packages. */
export function installDebian(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(dirname(folder), { recursive: true });
  const half = `${folder}.half`;
  rmSync(half, { recursive: true, force: true });
  execFileSync("debootstrap", ["--variant=minbase", `--include=${INCLUDED}`, "bookworm", half], { stdio: "ignore" });
  renameSync(half, folder);
}

/** Boots it. `shared`: a folder of this machine that is seen there, to be read, under the same path. */
export async function boot(debian: string, shared: string): Promise<Machine> {
  const options = ["--volatile=overlay", "--register=no", "--keep-unit", "--quiet", "--console=pipe", `--bind-ro=${shared}`];
  const container = spawn("systemd-nspawn", ["-D", debian, ...options, "--boot"], { stdio: ["ignore", "pipe", "pipe"] });
  const { output, exit: exited } = gather(container, 20_000);
  try {
    const machine = await entered(container, output);
    const stop = async () => {
      // The first of its processes takes this for the order to power off.
      await machine.tryRun(["systemctl", "--no-block", "poweroff"]);
      const force = setTimeout(() => container.kill("SIGKILL"), LONGEST_BOOT_MS);
      await exited;
      clearTimeout(force);
    };
    return { ...machine, stop };
  } catch (error) {
    container.kill("SIGKILL");
    throw error;
  }
}

async function entered(container: ChildProcess, output: () => string): Promise<Inside> {
  const deadline = Date.now() + LONGEST_BOOT_MS;
  for (;;) {
    const machine = insideOf(firstProcess(container.pid));
    const state = (await machine?.tryRun(["systemctl", "is-system-running"]))?.stdout.trim() ?? "";
    if (machine !== null && ["running", "degraded"].includes(state)) return machine;
    if (Date.now() > deadline || container.exitCode !== null) throw new Error(`The machine does not boot (${state}):\n${output()}`);
    await sleep(500);
  }
}

/** The container's first process, which nspawn is the parent of. */
function firstProcess(nspawn: number | undefined): number | null {
  const children = join("/proc", String(nspawn), "task", String(nspawn), "children");
  const [first] = existsSync(children) ? readFileSync(children, "utf8").trim().split(" ") : [];
  return first ? Number(first) : null;
}

function insideOf(pid: number | null): Inside | null {
  if (pid === null) return null;
  const enter = ["--target", String(pid), "--mount", "--uts", "--ipc", "--pid", "--root", "--wdns=/", "--"];
  const tryRun: Machine["tryRun"] = (command, { env = {}, input = "" } = {}) => {
    const all = { NODE_ENV: "production" as const, PATH, HOME: "/root", LANG: "C.UTF-8", DEBIAN_FRONTEND: "noninteractive", ...env };
    return ended(spawn("nsenter", [...enter, ...command], { env: all, stdio: "pipe" }), input);
  };
  const run: Machine["run"] = async (command, options) => {
    const { status, stdout, stderr } = await tryRun(command, options);
    if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
    return stdout;
  };
  const write: Machine["write"] = async (path, content, mode, owner = "root:settlement") => {
    await run(["sh", "-c", 'umask 077; cat > "$1" && chown "$2" "$1" && chmod "$3" "$1"', "sh", path, owner, mode], { input: content });
  };
  return { run, write, tryRun };
}

/** What came of a program, once it has ended. */
export async function ended(child: ChildProcessWithoutNullStreams, input: string): Promise<Ended> {
  const { stdout, stderr, exit } = gather(child);
  child.stdin.on("error", () => {}); // it read none of it
  child.stdin.end(input);
  const status = await exit;
  if (child.pid === undefined) throw new Error(String(status));
  return { status: Number.isInteger(status) ? Number(status) : -1, stdout: stdout(), stderr: stderr() };
}
