import type { Database } from "#db/client.ts";
import { decimal } from "#domain/decimal.ts";
import { newId } from "#domain/ids.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";
import type { Action, Operation, Said } from "#fault/linearizable.ts";
import type { Context } from "#server/context.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { cancelSettlement } from "#server/services/settlements/cancel-settlement.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { readSettlement } from "#server/services/settlements/read-settlement.ts";
import { rejectSettlement } from "#server/services/settlements/reject-settlement.ts";
import { moveTransfer } from "#server/services/transfers/move-transfer.ts";
import { TOKEN } from "./contents.ts";
import { Gate, type Weather } from "./gate.ts";
import type { History } from "./history.ts";
import { CHAIN } from "./nodes.ts";
import { Scheduler } from "./scheduler.ts";
import { judgeSettlements } from "./settlements-judge.ts";
import type { SettlementWorld } from "./settlements-world.ts";
import { openPool, Store } from "./store.ts";
import { dateOf, layTables, makeTables, tables } from "./tables/rows.ts";

const ACTIONS: readonly Action["type"][] = ["confirm", "confirm", "confirm", "cancel", "approve", "reject", "read"];
const LIMIT_MS = 10_000;
const HOOK = "https://partner.example/hook";

/** Clients confirm, cancel, approve, reject and read the same settlements at once, over web processes that die, while quotes run out. */
export async function runSettlements(history: History): Promise<void> {
  const { random } = history;
  const scheduler = new Scheduler();
  scheduler.take();
  history.clock = () => scheduler.now;
  layTables(makeTables());
  const store = new Store(() => scheduler.now);
  const weather: Weather = { killed: random.chance(0.4) ? random.next() * 0.03 : 0, late: 0.4, lateMs: 25, databaseAwayUntil: 0 };
  const world: SettlementWorld = { history, scheduler, store, weather, fought: [], violations: [] };
  for (let index = 0; index < (random.chance(0.3) ? 2 : 1); index += 1) fight(world, index);
  if (random.chance(0.15)) {
    history.faults.add("database away");
    scheduler.after(random.below(100), () => {
      weather.databaseAwayUntil = scheduler.now + random.below(60);
    });
  }
  scheduler.after(40, () => pay(world));
  let isWorking = () => world.fought.some(({ operations }) => operations.some(({ to }) => Number.isNaN(to)));
  await scheduler.run(400, () => false);
  weather.killed = 0;
  await scheduler.run(
    LIMIT_MS,
    () => !isWorking() && ![...tables().transfers.rows.values()].some(({ transfer }) => transfer.state === "queued"),
  );
  isWorking = () => false;
  judgeSettlements(world);
  history.violations.push(...world.violations);
}

function quoteFrom(now: number, lifetimeMs: number): Quote {
  const price = {
    exchangeRate: decimal("0.0077"),
    midRate: decimal("0.0077"),
    spreadBps: 0,
    rateSource: "fixed",
    rateAsOf: dateOf(now),
    pairTermsId: "pt_1",
  } as const;
  const amounts = { grossBase: 1_000_000n, platformFeeBase: 400_000n, destinationAmountBase: 600_000n };
  return { ...price, ...amounts, version: 1, pricedAt: dateOf(now), expiresAt: dateOf(now + lifetimeMs) };
}

function newSettlement(scheduler: Scheduler, isPending: boolean, lifetimeMs: number): Settlement {
  const now = dateOf(scheduler.now);
  return {
    id: newId("settlement", now),
    partnerId: "partner",
    apiKeyId: "key",
    batchId: null,
    status: "quoted",
    approvalState: isPending ? "pending" : null,
    externalTxId: null,
    externalMerchantId: "merchant",
    sourceAmountMinor: 12_950_000n,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    chain: CHAIN,
    walletAddress: `0x${"b".repeat(40)}`,
    tokenAddress: TOKEN,
    tokenDecimals: 6,
    quote: quoteFrom(scheduler.now, lifetimeMs),
    creationCallbackUrl: HOOK,
    callbackUrl: null,
    createdAt: now,
    confirmedAt: null,
    cancelledAt: null,
    approvalDecidedAt: null,
    rejectionReason: null,
    txHash: null,
    executedAt: null,
    failureReason: null,
    failedAt: null,
    trace: null,
    metadata: null,
  };
}

/** One settlement, a third of them above the maximum, and everybody at it. */
function fight(world: SettlementWorld, index: number): void {
  const { history, scheduler, fought } = world;
  const { random } = history;
  const [isPending, lifetimeMs] = [random.chance(1 / 3), random.chance(0.4) ? 20 + random.below(150) : 60_000];
  if (lifetimeMs < 60_000) history.faults.add("quote runs out");
  const settlement = newSettlement(scheduler, isPending, lifetimeMs);
  const { id } = settlement;
  tables().settlements.rows.set(id, { id, settlement });
  const operations: Operation[] = [];
  fought.push({
    id,
    initial: { status: "quoted", approval: isPending ? "pending" : null, reference: null },
    operations,
    expiresAt: lifetimeMs,
  });
  // Two settlements may be confirmed under one reference; of those each wins or loses for a reason that its own history does not hold.
  const references = [`order-${index}-0`, `order-${index}-1`];
  for (let client = 0; client < 3 + random.below(5); client += 1) {
    const type = random.pick(ACTIONS);
    const action: Action = type === "confirm" ? { type, reference: random.pick(references) } : { type };
    scheduler.after(random.below(200), () => void begin(world, operations, id, action, client));
  }
}

/** A client's request at a web process of its own. One that dies, or whose database is away, has said nothing. */
async function begin(world: SettlementWorld, operations: Operation[], id: string, action: Action, client: number): Promise<void> {
  const { history, scheduler, store, weather } = world;
  const gate = new Gate({ name: `client${client}`, alive: true, frozenUntil: 0 }, scheduler, history.random, weather, history.trace);
  const operation: Operation = { action, said: null, from: scheduler.now, to: Number.NaN };
  operations.push(operation);
  gate.onDeath(() => {
    history.faults.add("kill");
    operation.to = scheduler.now;
  });
  const said = await send({ db: openPool(store, gate), at: scheduler.now }, id, action);
  Object.assign(operation, { said, to: scheduler.now });
  history.trace?.(`${id.slice(-4)} ${JSON.stringify(action)}: ${JSON.stringify(said)}`);
}

async function send({ db, at }: { db: Database; at: number }, id: string, action: Action): Promise<Said> {
  const partner = {
    partnerId: "partner",
    by: { actor: { type: "api_key", apiKeyId: "key", partnerId: "partner" }, requestId: null },
  } as const;
  const by = { actor: { type: "operator_key", apiKeyId: "operator" }, requestId: null } as const;
  const chains = { find: () => ({ tokens: [{ currency: "USDT", address: TOKEN, decimals: 6 }] }) };
  const ctx = {
    db,
    clock: { now: () => dateOf(at) },
    mode: "sandbox",
    policy: { driftToleranceBps: 0, signedApprovals: null },
    chains,
  } as unknown as Context;
  try {
    return saidBy(await happen(ctx, id, action, partner, by));
  } catch (error) {
    if (isRefusal(error)) return { refused: error.code };
    if (error instanceof Error && /away|aborted/.test(error.message)) return null;
    throw error;
  }
}

type Partner = Omit<Parameters<typeof cancelSettlement>[1], "id">;

async function happen(
  ctx: Context,
  id: string,
  action: Action,
  partner: Partner,
  by: Parameters<typeof rejectSettlement>[1]["by"],
): Promise<Settlement> {
  switch (action.type) {
    case "read":
      return await readSettlement(ctx, { id });
    case "cancel":
      return (await cancelSettlement(ctx, { ...partner, id })).settlement;
    case "reject":
      return await rejectSettlement(ctx, { by, id, reason: "not in the mood" });
    case "approve":
      return await approveSettlement(ctx, { by, id, note: null, expectedExchangeRate: null });
    case "confirm":
      return (
        await confirmSettlement(ctx, { ...partner, id, externalTxId: action.reference, callbackUrl: HOOK, expectedDestinationAmount: null })
      ).settlement;
  }
}

const saidBy = ({ status, approvalState, externalTxId }: Settlement): Said => ({
  status,
  approval: approvalState,
  reference: externalTxId,
});

/** The chain's part: what is owed is paid, and its owner notified in the same transaction. */
function pay(world: SettlementWorld): void {
  const { scheduler, store, weather, history } = world;
  scheduler.after(20 + history.random.below(60), () => pay(world));
  const due = [...tables().transfers.rows.values()].find(({ transfer }) => transfer.state === "queued");
  if (due === undefined) return;
  const gate = new Gate({ name: "worker", alive: true, frozenUntil: 0 }, scheduler, history.random, weather, history.trace);
  gate.onDeath(() => history.faults.add("kill"));
  const inBlock = { txHash: "0xpaid", blockNumber: 1, blockHash: "0xblock" };
  const paid = openPool(store, gate).transaction(async (tx) => {
    const moved = await moveTransfer(tx, due.id, { type: "restore", ...inBlock });
    if (moved !== null) await completeOwner(tx, [moved]);
  });
  paid.catch((error: unknown) => {
    if (!(error instanceof Error && /away|aborted/.test(error.message)))
      world.violations.push(`the worker: ${error instanceof Error ? error.stack : error}`);
  });
}
