import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort, isPortFree } from "#sandbox/free-port.ts";
import { type GuardedProcess, startGuarded } from "#sandbox/guarded-process.ts";

/** A broker of the machine on 127.0.0.1, with a folder and ports of its own. */
export type TestBroker = {
  port: number;
  /** Ends it as a crash does, and starts it again with what it has on its disk. */
  crash(): Promise<void>;
  stop(): Promise<void>;
};

/** Where RabbitMQ writes its own process id, and the guard that of what it has started. */
const PID = "pid";
const STARTED = "started";

type Program = { command: string; args: readonly string[]; env: NodeJS.ProcessEnv };

/** NATS with JetStream. */
export async function startNats(): Promise<TestBroker> {
  const [port, folder] = [await findFreePort(), mkdtempSync(join(tmpdir(), "settlement-nats-"))];
  const args = ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", folder];
  return await start({ command: programOf("nats-server", ["/usr/sbin"]), args, env: process.env }, port, folder);
}

/** RabbitMQ, without plugins. */
export async function startRabbit(): Promise<TestBroker> {
  const folder = mkdtempSync(join(tmpdir(), "settlement-rabbit-"));
  const [port, dist, epmd] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const env = {
    ...process.env,
    HOME: folder,
    ERL_EPMD_PORT: String(epmd),
    ERL_EPMD_ADDRESS: "127.0.0.1",
    RABBITMQ_NODENAME: `rabbit${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: "127.0.0.1",
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(dist),
    // The program that is started only waits for the one that works.
    RABBITMQ_PID_FILE: join(folder, PID),
    RABBITMQ_MNESIA_BASE: folder,
    RABBITMQ_LOG_BASE: folder,
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, "plugins"),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `-kernel inet_dist_use_interface {127,0,0,1}`,
  };
  const command = programOf("rabbitmq-server", ["/usr/lib/rabbitmq/bin"]);
  const broker = await start({ command, args: [], env }, port, folder);
  const endEpmd = () => startGuarded({ command: "epmd", args: ["-port", String(epmd), "-kill"], endSignal: "TERM", log: 2, env }).exited;
  return {
    ...broker,
    async stop() {
      await broker.stop();
      await endEpmd();
    },
  };
}

async function start({ command, args, env }: Program, port: number, folder: string): Promise<TestBroker> {
  const logFile = join(folder, "said");
  let program: GuardedProcess;
  const begin = async () => {
    const log = openSync(logFile, "a");
    program = startGuarded({ command, args, env, endSignal: "TERM", log, pidFile: join(folder, STARTED) });
    closeSync(log);
    for (const until = Date.now() + 60_000; await isPortFree(port); await sleep(50)) {
      if (program.ended() !== null || Date.now() > until) throw new Error(`${command} did not start: ${readFileSync(logFile, "utf8")}`);
    }
  };
  await begin();
  return {
    port,
    async crash() {
      const file = [PID, STARTED].map((name) => join(folder, name)).find((each) => existsSync(each)) ?? "";
      process.kill(Number(readFileSync(file, "utf8")), "SIGKILL");
      await program.exited;
      await begin();
    },
    async stop() {
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function programOf(name: string, folders: readonly string[]): string {
  const places = [...folders, ...(process.env.PATH ?? "").split(delimiter)];
  const found = places.map((folder) => join(folder, name)).find((file) => existsSync(file));
  if (found === undefined)
    throw new Error(`${name} is not installed: \`npm test\` sees to it, or \`apt-get install rabbitmq-server nats-server\`.`);
  return found;
}
