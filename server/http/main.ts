import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import next from "next";
import { BEAT_EVERY_SECONDS } from "#domain/vitals.ts";
import { assertSignsNothing, type Config, readConfig } from "#server/config.ts";
import type { Uses } from "#server/context.ts";
import { turnConsoleToLog } from "#server/observe/console-to-log.ts";
import { metrics, observeVersion } from "#server/observe/metrics.ts";
import { openTracing } from "#server/observe/open-tracing.ts";
import { takeSnapshot } from "#server/observe/snapshot.ts";
import { readVersion } from "#server/observe/version.ts";
import { endBadly } from "#server/process/end-badly.ts";
import { handle } from "#server/rest/surface.ts";
import { assertFitDatabase } from "#server/services/maintenance/assert-fit-database.ts";
import { deregisterProcess, endAbandoned, recordHeartbeat } from "#server/services/maintenance/read-vitals.ts";
import { learnCosts } from "#server/services/rates/estimate-cost.ts";
import { webDraining, webEnding, webReplica, webStatus, webSurfaceContext, webWiring } from "#server/wiring.ts";
import { createFrontDoor } from "./front-door.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** How long requests in progress may take after the process was asked to stop. */
const GRACE_MS = 15_000;

type NextApp = ReturnType<typeof next>;

/** The web process: Next behind the front door. Sends its parent `ready` once it listens, and exits with code 0 when asked to stop. */
async function main(): Promise<void> {
  assertSignsNothing();
  const config = readConfig();
  const { ctx, database } = webWiring();
  const { log } = ctx;
  if (config.mode === "live") turnConsoleToLog(log);
  const closeTracing = await openTracing(config.tracing, { kind: "web", instance: metrics().id });
  await assertFitDatabase(ctx, "web");
  void ctx.screener.watch();
  const { server, drain } = createFrontDoor({
    answer: config.development ? null : ({ surface, bindings }, raw) => handle(surface, webSurfaceContext(), bindings, raw),
    next: (request, response) => handOver(request, response),
    log,
    baseUrl: config.baseUrl,
    trustedProxies: config.trustedProxies,
    securityContact: config.securityContact,
    mayUpgrade: config.development,
  });
  const app = openNext(config, server);
  const handOver = app.getRequestHandler();
  const writeLast = config.webProcesses > 1 ? writeFigures(ctx) : null;
  const endStatusWatch = webStatus().start();
  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    // Still answering, and saying everywhere that it is going: who sends requests here goes elsewhere before nobody listens any more.
    webDraining().abort();
    drain.announce();
    await sleep(config.drainSeconds * 1_000);
    // Live updates never finish by themselves: the browsers come back to the next process.
    webEnding().abort();
    await drain.end(GRACE_MS);
    await webSurfaceContext().apiLog.drain();
    await Promise.all([writeLast?.(), endStatusWatch()]);
    await closeTracing();
    await Promise.allSettled([app.close(), database.close(), webReplica()?.close()]);
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void end());
  process.once("disconnect", () => void end());
  process.on("unhandledRejection", (error) => log.error({ err: error }, "an unhandled promise rejection"));

  await Promise.all([app.prepare(), learnCosts(ctx)]);
  await listen(server, config);
  const version = readVersion();
  observeVersion("web", version);
  log.info({ version, port: config.port, mode: config.mode }, "listening");
  process.send?.("ready");
}

/**
 * With several processes on one port, `/metrics` may reach any of them, so each shares its figures. With each beat it ends what a frozen
 * process left behind. Returns a function that stops it.
 */
function writeFigures(ctx: Uses<"db" | "clock" | "log">): () => Promise<void> {
  const { id } = metrics();
  const startedAt = ctx.clock.now();
  const beat = async () => {
    await recordHeartbeat(ctx, { id, kind: "web", startedAt, metrics: await takeSnapshot() });
    await endAbandoned(ctx);
  };
  const heartbeat = setInterval(
    () => beat().catch((err) => ctx.log.warn({ err }, "the figures were not sent")),
    BEAT_EVERY_SECONDS * 1_000,
  );
  return async () => {
    clearInterval(heartbeat);
    await deregisterProcess(ctx, id).catch(() => {});
  };
}

function openNext(config: Config, server: Server): NextApp {
  return next({
    dev: config.development,
    dir: ROOT,
    port: config.port,
    hostname: config.host,
    quiet: !config.development,
    // Next attaches to the upgrades of the server that it is given: in development ours, otherwise one that never listens.
    httpServer: config.development ? server : createServer(),
  });
}

async function listen(server: Server, { port, host, webProcesses }: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, reusePort: webProcesses > 1 }, () => resolve());
  });
}

try {
  await main();
} catch (error) {
  endBadly("web", error);
}
