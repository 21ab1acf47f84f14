import type { CallbackOutcome, OutgoingCallback } from "#domain/callback.ts";
import { queueOf } from "#domain/callback.ts";
import { NO_TRACER } from "#domain/tracer.ts";
import { callbackDuties } from "#server/engines/callbacks/duties.ts";
import { createCallbackEngine, type DeliveryPowers } from "#server/engines/callbacks/engine.ts";
import { startLoop } from "#server/worker/loop.ts";
import { judgeCallbacks } from "./callbacks-judge.ts";
import type { CallbackWorld, Post } from "./callbacks-world.ts";
import { Gate, type Weather } from "./gate.ts";
import type { History } from "./history.ts";
import { logFor } from "./log.ts";
import { Scheduler } from "./scheduler.ts";
import { openPool, Store } from "./store.ts";
import { business, type CallbackRow, dateOf, layTables, makeTables, tables } from "./tables/rows.ts";
import { wake } from "./tables/wakes.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
/** Six attempts take fifteen hours of business time; of real time, whatever their answers take. */
const LIMIT_MS = 900_000;
/** So soon after a death everything goes well, so that a history comes to its end. */
const FAULTS_MS = 60_000;

export async function runCallbacks(history: History): Promise<void> {
  const { random } = history;
  const scheduler = new Scheduler();
  scheduler.take();
  history.clock = () => scheduler.now;
  layTables(makeTables());
  const weather: Weather = { killed: random.chance(0.5) ? random.next() * 0.03 : 0, late: 0.1, lateMs: 30, databaseAwayUntil: 0 };
  const violations: string[] = [];
  const store = new Store(() => scheduler.now);
  const world: CallbackWorld = {
    history,
    scheduler,
    store,
    weather,
    violations,
    workers: [],
    posts: [],
    receivers: new Map(),
    bodies: new Map(),
    born: 0,
    inFlight: 0,
    interruptions: 0,
    isCalm: false,
  };
  createPayment(world);
  for (let count = 0; count < (random.chance(0.3) ? 2 : 1); count += 1) startWorker(world);
  troubles(world);
  const isOver = () => [...tables().callbacks.rows.values()].every(({ state }) => state !== "pending") && world.inFlight === 0;
  scheduler.after(200, () => passTime(world));
  await scheduler.run(FAULTS_MS, isOver);
  Object.assign(weather, { killed: 0, databaseAwayUntil: 0 });
  world.isCalm = true;
  await scheduler.run(LIMIT_MS, isOver);
  await scheduler.run(50, () => false);
  judgeCallbacks(world);
  history.violations.push(...violations);
  for (const { gate } of [...world.workers]) gate.kill();
}

function createPayment({ history: { random }, receivers, bodies }: CallbackWorld): void {
  const count = 1 + random.below(4);
  for (let index = 0; index < count; index += 1) {
    const url = `https://receiver${random.below(2)}.example/hook`;
    receivers.set(url, receivers.get(url) ?? random.pick([0, 0.2, 0.5, 0.9]));
    const id = `cb_${index}`;
    const body = JSON.stringify({ event: "settlement.executed", index });
    bodies.set(id, body);
    const due: CallbackRow = {
      id,
      partnerId: "partner",
      subjectId: `tx_${index}`,
      event: "settlement.executed",
      queue: queueOf("partner", url),
      url,
      body,
      series: 1,
      nextNumber: 1,
      state: "pending",
      dueAt: random.below(300),
      leaseUntil: null,
      leaseToken: null,
    };
    tables().callbacks.rows.set(id, due);
  }
}

/** The hours between two attempts are not waited for: the business clock is moved, as a sandbox's is. */
function passTime(world: CallbackWorld): void {
  const { scheduler } = world;
  scheduler.after(200, () => passTime(world));
  const rows = [...tables().callbacks.rows.values()].filter(({ dueAt }) => dueAt !== null);
  const next = Math.min(...rows.map(({ dueAt }) => dueAt ?? 0));
  const ahead = next - (scheduler.now + business.aheadMs);
  if (world.inFlight > 0 || rows.length === 0 || ahead < 1_000 || rows.some(({ leaseToken }) => leaseToken !== null)) return;
  business.aheadMs += ahead;
  world.history.trace?.(`business time moves on by ${Math.round(ahead / 1_000)} s`);
  wake("clock");
  for (const { hear } of world.workers) hear("clock");
}

function startWorker(world: CallbackWorld): void {
  const { history, scheduler, store, weather, violations } = world;
  const { random, trace } = history;
  world.born += 1;
  const living = { name: `worker${world.born}`, alive: true, frozenUntil: 0 };
  const gate = new Gate(living, scheduler, random, weather, trace);
  const ctx = {
    db: openPool(store, gate),
    clock: { now: () => dateOf(scheduler.now + business.aheadMs) },
    log: logFor(history, violations, living.name),
    tracer: NO_TRACER,
    vault: { seal: (text: string) => text, open: () => SECRET },
    callbacks: { judge: async () => ({ verdict: "allowed" }), send: (request: OutgoingCallback) => receive(world, gate, request) },
  } as unknown as DeliveryPowers;
  const engine = createCallbackEngine(ctx, { brand: "Service" });
  const worker = { gate, stop: async () => {}, hear: (_: string) => {} };
  world.workers.push(worker);
  gate.onDeath(() => {
    world.interruptions += 1;
    if (!world.isCalm) history.faults.add("kill");
    world.workers.splice(world.workers.indexOf(worker), 1);
    scheduler.after(50 + random.below(3_000), () => startWorker(world));
  });
  scheduler.as(living, () => {
    const listen = async (_: string, onPayload: (payload: string) => void, onListening: () => void) => {
      worker.hear = (payload) => scheduler.as(living, () => onPayload(payload));
      onListening();
    };
    const loop = startLoop({ duties: callbackDuties(engine), listen, log: ctx.log });
    worker.stop = () => scheduler.as(living, () => loop.stop());
  });
}

/** A receiver: what it heard is noted, whatever becomes of its answer. */
async function receive(
  world: CallbackWorld,
  gate: Gate,
  { url, headers, body, timeoutMs, signal }: OutgoingCallback,
): Promise<CallbackOutcome> {
  const { history, scheduler, posts } = world;
  const { random, faults } = history;
  const nothing = {
    timings: {},
    requestHeaders: headers,
    responseHeaders: null,
    responseBody: null,
    responseBytes: null,
    remoteAddress: null,
  };
  const step = gate.step("post");
  if (step !== undefined) await step;
  const began = scheduler.now;
  const end = (status: number | null, kind: string | null): CallbackOutcome => ({
    ...nothing,
    durationMs: scheduler.now - began,
    status,
    trouble: kind === null ? null : { kind, message: kind },
  });
  const well = random.chance(world.receivers.get(url) ?? 0);
  const bad = random.pick(["http_500", "reset", "timeout", "refused"] as const);
  const post: Post = { id: headers["webhook-id"] ?? "", body, at: scheduler.now + business.aheadMs, acknowledged: well, by: gate.who.name };
  if (well || bad !== "refused") posts.push(post);
  if (!well) faults.add(bad);
  world.inFlight += 1;
  gate.onDeath(() => {
    if (!isOver) world.inFlight -= 1;
    isOver = true;
  });
  let isOver = false;
  history.trace?.(`${post.id} posted: ${well ? "2xx" : bad}`);
  const takes = !well && bad === "timeout" ? timeoutMs : 5 + random.below(400);
  await Promise.race([scheduler.sleep(takes), new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()))]);
  if (!isOver) world.inFlight -= 1;
  isOver = true;
  const died = gate.step("answered");
  if (died !== undefined) await died;
  if (signal?.aborted === true) return end(null, "aborted");
  if (well) return end(200, null);
  return end(bad === "http_500" ? 500 : null, bad);
}

const TROUBLES: readonly { kind: string; share: number; begin(world: CallbackWorld): void }[] = [
  {
    kind: "database away",
    share: 0.2,
    begin: ({ weather, scheduler, history }) => {
      weather.databaseAwayUntil = scheduler.now + history.random.below(3_000);
    },
  },
  {
    kind: "freeze",
    share: 0.2,
    begin: ({ workers, scheduler, history }) => {
      const [worker] = workers;
      if (worker !== undefined) worker.gate.who.frozenUntil = scheduler.now + history.random.below(20_000);
    },
  },
  {
    kind: "rolling restart",
    share: 0.2,
    begin: (world) => {
      const [old] = world.workers;
      if (old === undefined) return;
      startWorker(world);
      world.workers.splice(world.workers.indexOf(old), 1);
      void old.stop().then(() => {
        old.gate.who.alive = false;
      });
    },
  },
];

function troubles(world: CallbackWorld): void {
  const { history, scheduler } = world;
  for (const { kind, share, begin } of TROUBLES) {
    if (!history.random.chance(share)) continue;
    scheduler.after(history.random.below(5_000), () => {
      if (world.isCalm) return;
      history.faults.add(kind);
      world.interruptions += 1;
      history.trace?.(`fault: ${kind}`);
      begin(world);
    });
  }
}
