import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Runs the command, and ends it by the given signal when the pipe to us closes: on our request, and also when we are killed. It runs in its
 * own session, so that Ctrl-C in the terminal reaches only us and we stop everything in order.
 */
const GUARD = `
signal=$1; pidfile=$2; shift 2
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
if [ -n "$pidfile" ]; then echo "$child" > "$pidfile"; fi
(read -r _ <&3; kill -s "$signal" "$child") >/dev/null 2>&1 &
reader=$!
wait "$child"; status=$?
kill "$reader" 2>/dev/null
exit "$status"
`;

export type GuardedOptions = {
  command: string;
  args: readonly string[];
  /** The signal by which the program ends in good order. */
  endSignal: "INT" | "TERM";
  /** A file descriptor that takes what the program prints. */
  log: number;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  identity?: { uid: number; gid: number } | null;
  /** Called with the program's process id, for a later start that finds it left behind. */
  pidFile?: string;
};

export type GuardedProcess = {
  /** How it ended: null while it runs. */
  ended(): string | null;
  /** Settles when the program ends, for whatever reason, with how. */
  exited: Promise<string>;
  /** Ends it in good order, by force when that takes longer than `graceMs`. */
  stop(graceMs?: number): Promise<void>;
};

/** Starts a program that is not Node under a guard that ends it with us. */
export function startGuarded(options: GuardedOptions): GuardedProcess {
  const child = spawn("/bin/sh", ["-c", GUARD, "guard", options.endSignal, options.pidFile ?? "", options.command, ...options.args], {
    stdio: ["pipe", options.log, options.log],
    detached: true,
    cwd: options.cwd ?? "/",
    env: options.env ?? process.env,
    ...(options.identity ?? {}),
  });
  let end: string | null = null;
  child.stdin?.on("error", () => {}); // it may be gone before we close the pipe
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(describeExit(code, signal)));
  }).then((how) => {
    end = how;
    return how;
  });
  return { ended: () => end, exited, stop: (graceMs = 10_000) => stop(child, exited, graceMs) };
}

async function stop(child: ChildProcess, exited: Promise<string>, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const group = child.pid;
  child.stdin?.end();
  const force = setTimeout(() => killGroup(group), graceMs);
  await exited;
  clearTimeout(force);
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // gone meanwhile
  }
}

/** `exit code 1`, or `killed by SIGKILL` (which a shell reports as 137). */
export function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return `killed by ${signal}`;
  if (code === 137) return "killed by SIGKILL";
  return `exit code ${code}`;
}

/** Runs a program to its end and returns its output; throws with that text when it failed. */
export async function run(command: string, args: readonly string[], identity: { uid: number; gid: number } | null): Promise<string> {
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: "/",
    env: { ...process.env, LC_ALL: "C" },
    ...(identity ?? {}),
  });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    text += String(chunk);
  });
  const [code, signal] = await once(child, "close");
  if (code !== 0) throw new Error(`${command}: ${describeExit(code, signal)}: ${text.trim()}`);
  return text;
}
