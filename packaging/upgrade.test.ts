import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findFreePort } from "#sandbox/free-port.ts";

/** Drains as the service does: its health says no before it stops listening. */
const PROGRAM = `
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
const version = readFileSync(process.cwd() + "/version", "utf8");
if (version.startsWith("faulty")) process.exit(1);
let draining = false;
const server = createServer((request, response) => {
  response.writeHead(request.url === "/health" && draining ? 503 : 200, { connection: "close" }).end(version);
}).listen(Number(process.argv[2]), "127.0.0.1");
process.on("SIGTERM", () => {
  draining = true;
  setTimeout(() => server.close(() => process.exit(0)), 400);
});
`;

/** What the maintainer script calls, below a folder instead of the machine; systemctl restarts real processes and waits for their health. */
const COMMANDS: Readonly<Record<string, string>> = {
  getent: "exit 0",
  chown: "exit 0",
  // A worker or signer is watched for seconds.
  sleep: "exec /bin/sleep 0.05",
  install: 'for last; do :; done; [ "$1" = -d ] && mkdir -p "$last"; exit 0',
  "settlement-service": '[ "$1" != migrate ] || [ ! -e "$ROOT/refuse" ] || { echo "log-in refused" >&2; exit 1; }; echo "$*" >>"$ROOT/log"',
  systemctl: `
case "$1" in
  list-units) cd "$ROOT/units"; for unit in settlement-*; do [ ! -e "$unit" ] || echo "$unit loaded active running"; done ;;
  is-active) exit 0 ;;
  show) echo 0 ;;
  restart)
    case "$2" in settlement-web@*) ;; *) echo "restart $2" >>"$ROOT/log"; exit 0 ;; esac
    port=$(echo "$2" | tr -dc 0-9); pid=$(cat "$ROOT/units/$2")
    if [ -n "$pid" ]; then
      kill "$pid" 2>/dev/null || true
      while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
    fi
    cd "$ROOT/usr/lib/settlement-releases/current"
    cd "$(pwd -P)"
    "$NODE" main.mjs "$port" >/dev/null 2>&1 </dev/null & echo $! >"$ROOT/units/$2"
    echo "restart $2" >>"$ROOT/log"
    "$NODE" -e '
      const until = Date.now() + 10_000;
      const ask = async () => {
        try { process.kill(Number(process.argv[2]), 0); } catch { process.exit(1); }
        if ((await fetch("http://127.0.0.1:" + process.argv[1] + "/health").catch(() => null))?.ok) process.exit(0);
        if (Date.now() > until) process.exit(1);
        setTimeout(ask, 50);
      };
      ask();' "$port" "$(cat "$ROOT/units/$2")" ;;
esac`,
};

let root: string;
let ports: number[];

beforeEach(async () => {
  root = mkdtempSync("/tmp/settlement-upgrade-");
  ports = [await findFreePort(), await findFreePort()];
  for (const path of ["bin", "units", "run/systemd/system", "etc/settlement-service"]) mkdirSync(join(root, path), { recursive: true });
  writeFileSync(join(root, "etc/settlement-service/migrate.env"), "MIGRATION_DATABASE_URL=postgres://owner@localhost/settlement\n");
  for (const [name, text] of Object.entries(COMMANDS)) {
    writeFileSync(join(root, "bin", name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(root, "bin", name), 0o755);
  }
  unpack("one");
  await configure();
  for (const port of ports) {
    writeFileSync(join(root, "units", `settlement-web@${port}.service`), "");
    execFileSync("sh", [join(root, "bin", "systemctl"), "restart", `settlement-web@${port}.service`], { env: environment() });
  }
  rmSync(join(root, "log"));
});

afterEach(() => {
  for (const pid of pids().filter((one) => one !== "")) spawnSync("kill", ["-9", pid]);
  rmSync(root, { recursive: true, force: true });
});

const environment = () => ({ ...process.env, ROOT: root, NODE: process.execPath, PATH: `${join(root, "bin")}:${process.env.PATH}` });
const pids = () => readdirSync(join(root, "units")).map((unit) => readFileSync(join(root, "units", unit), "utf8").trim());
const log = () => readFileSync(join(root, "log"), "utf8").trim().split("\n");
const versions = () => Promise.all(ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/`)).text()));

/** As dpkg does: each file is a new one under the old one's name. */
function unpack(version: string): void {
  const folder = join(root, "usr/lib/settlement-service");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "version"), version);
  writeFileSync(join(folder, "main.mjs"), PROGRAM);
}

/** The maintainer script itself, each absolute path of it below the test's folder. */
async function configure(): Promise<{ status: number | null; stderr: string }> {
  const script = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "debian", "postinst"), "utf8");
  const moved = script
    .replace(/(?<=[\s"])\/(usr|etc|var|run)\//g, `${root}/$1/`)
    .replaceAll("=/usr/", `=${root}/usr/`)
    .replaceAll("=/run/", `=${root}/run/`);
  const child: ChildProcess = spawn("sh", ["-c", moved, "postinst", "configure", "1"], {
    env: environment(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += String(chunk);
  });
  return await new Promise((resolve) => child.once("close", (status) => resolve({ status, stderr })));
}

/** A proxy: it sends each request to a process whose last health check succeeded, and counts unanswered ones. */
function keepAsking(): () => Promise<{ answered: number; failed: string[] }> {
  let stopped = false;
  const failed: string[] = [];
  let answered = 0;
  const healthy = new Set(ports);
  const watch = async (port: number) => {
    for (; !stopped; await sleep(50)) {
      const good = (await fetch(`http://127.0.0.1:${port}/health`).catch(() => null))?.ok ?? false;
      if (good) healthy.add(port);
      else healthy.delete(port);
    }
  };
  const ask = async () => {
    for (let turn = 0; !stopped; turn += 1) {
      const there = [...healthy];
      const port = there[turn % there.length];
      const answer = port === undefined ? null : await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
      if (answer?.ok) answered += 1;
      else failed.push(String(port ?? "no process is healthy"));
      await sleep(10);
    }
  };
  const all = Promise.all([ask(), ...ports.map(watch)]);
  return async () => {
    stopped = true;
    await all;
    return { answered, failed };
  };
}

describe("the package's upgrade on one machine", () => {
  it("migrates while the version before runs, replaces one process after the other, and loses no request", async () => {
    const stop = keepAsking();
    unpack("two");
    const { status, stderr } = await configure();
    const { answered, failed } = await stop();
    expect({ status, failed }, stderr).toEqual({ status: 0, failed: [] });
    expect(answered).toBeGreaterThan(20);
    expect(log()).toEqual([
      "hand-over-keys",
      "check-settings web",
      "migrate",
      ...[...ports].sort().map((port) => `restart settlement-web@${port}.service`),
    ]);
    expect(await versions()).toEqual(["two", "two"]);
    // Nothing of the previous version is left.
    expect(readdirSync(join(root, "usr/lib/settlement-releases"))).toHaveLength(2);
  });

  it("gives the signer the keys first, checks its settings, and starts it before the workers", async () => {
    writeFileSync(join(root, "units", "settlement-worker@1.service"), "");
    unpack("two");
    expect((await configure()).status).toBe(0);
    const webs = [...ports].sort().map((port) => `restart settlement-web@${port}.service`);
    expect(log()).toEqual([
      ...["hand-over-keys", "check-settings web", "check-settings worker", "check-settings signer", "migrate"],
      ...["restart settlement-signer.service", ...webs, "restart settlement-worker@1.service"],
    ]);
  });

  it("leaves every process of the version before running where the migration fails, says so, and goes on when it is repeated", async () => {
    const before = pids();
    unpack("two");
    writeFileSync(join(root, "refuse"), "");
    const { status, stderr } = await configure();
    expect(status).toBe(1);
    expect(stderr).toContain("The database was not migrated. What ran before goes on.");
    expect(pids()).toEqual(before);
    expect(await versions()).toEqual(["one", "one"]);
    expect(readFileSync(join(realpathSync(join(root, "usr/lib/settlement-releases/current")), "version"), "utf8")).toBe("one");

    rmSync(join(root, "refuse"));
    expect((await configure()).status).toBe(0);
    expect(await versions()).toEqual(["two", "two"]);
  });

  it("puts the version before back where a process does not start with the new one, and loses no request", async () => {
    const stop = keepAsking();
    unpack("faulty");
    const { status, stderr } = await configure();
    const { failed } = await stop();
    expect(status).toBe(1);
    expect(stderr).toContain("the version before runs again");
    expect(failed).toEqual([]);
    expect(await versions()).toEqual(["one", "one"]);
    // The second process was never touched.
    const [first] = [...ports].sort();
    expect(log().filter((line) => line.startsWith("restart") && !line.includes(String(first)))).toEqual([]);
  });
});
