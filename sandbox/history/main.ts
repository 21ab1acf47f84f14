import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isAddress } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { z } from "zod";
import { applicationRole } from "#db/application-role.ts";
import { type Database, openDatabase } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { countUnsealed } from "#db/queries/audit/audit-seals.ts";
import { listWallets, setWalletState } from "#db/queries/transfers/wallets.ts";
import { SYSTEM } from "#domain/access.ts";
import { fundWallet } from "#sandbox/chain/tokens.ts";
import { readOrMakeKey } from "#server/adapters/signer/key-file.ts";
import { readSignerConfig } from "#server/config/read-signer.ts";
import { callbackDuties } from "#server/engines/callbacks/duties.ts";
import { createCallbackEngine } from "#server/engines/callbacks/engine.ts";
import { overdueApprovalsDuty } from "#server/engines/maintenance/duties.ts";
import { paymentDuties } from "#server/engines/payments/duties.ts";
import { createTransferEngine } from "#server/engines/payments/engine.ts";
import { verifyAuditLog } from "#server/services/audit/verify-audit-log.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { signersOf } from "#server/signer/wiring.ts";
import { startLoop } from "#server/worker/loop.ts";
import { type WorkerWiring, workerWiring } from "#server/worker/wiring.ts";
import { bringOver } from "./bring-over.ts";
import { beginPast, forgetPast, freshIsKept } from "./databases.ts";
import { livePresent } from "./live-present.ts";
import { liveThrough } from "./live-through.ts";
import { openPastClock } from "./past-clock.ts";
import { planHistory } from "./plan.ts";
import { receiversAt } from "./receivers.ts";

const Address = z.string().refine(isAddress);

/**
 * The process that creates some weeks of history: in a copy of the database, with its own wallet on the sandbox's chain, through the
 * services themselves. Users of the sandbox notice nothing until the history appears, all at once, at the end.
 */
const HistoryOrder = z.object({
  administrator: z.object({ port: z.number(), password: z.string() }),
  /** Of the present. */
  databaseUrl: z.url(),
  rpcUrl: z.url(),
  tokens: z.object({ USDT: Address, USDC: Address }),
  /** Of the wallet that pays in the past. */
  keyFile: z.string(),
  days: z.int().min(1).max(30),
  /** The address of the partners' receivers. */
  receiversPort: z.int(),
  /** `sandbox.json` of the sandbox that runs. */
  sandboxFile: z.string(),
});
export type HistorySettings = z.input<typeof HistoryOrder>;

const DAY_MS = 86_400_000;
/** Others use these two cores. */
const LOW_PRIORITY = 15;
const LOOK_EVERY_MS = 200;
const LONGEST_SEALING_MS = 120_000;

async function main(): Promise<void> {
  setPriority(LOW_PRIORITY);
  process.send?.("ready");
  const history = HistoryOrder.parse(JSON.parse(process.env.HISTORY ?? ""));
  // A process that took over may find the past done.
  if (await freshIsKept(history.administrator)) await makePast(history);
  await livePresent({ sandboxFile: history.sandboxFile, receivers: receiversAt(history.receiversPort) });
}

async function makePast(history: z.infer<typeof HistoryOrder>): Promise<void> {
  const wallet = privateKeyToAddress(await readOrMakeKey(history.keyFile));
  await fundWallet(history.rpcUrl, history.tokens, wallet, { ether: 10, tokens: 5_000_000 });
  // An earlier attempt's past is forgotten, and its journal with it.
  await rm(process.env.SIGNING_JOURNAL ?? "", { force: true });
  const pastUrl = await beginPast(history.administrator, history.databaseUrl);
  await migrate(pastUrl);
  process.env.DATABASE_URL = pastUrl;
  process.env.WORKER_DATABASE_URL = "";
  process.env.SIGNER_DATABASE_URL = "";
  const past = workerWiring();
  // What two processes do elsewhere is done here by one.
  const role = applicationRole(decodeURIComponent(new URL(pastUrl).pathname.slice(1)));
  const database = openDatabase({ url: pastUrl, applicationName: "past", maxConnections: 10, role });
  const ctx = { ...past.ctx, db: database.db };
  const { chains, signingJournal } = readSignerConfig();
  const signers = signersOf(ctx, { chains, signingJournal });
  const wired = { ...past, database, ctx: { ...ctx, signers, lapsingSigners: signers.lapsing } };
  try {
    const count = await livePast(wired, history);
    // The present's worker does not sign for it.
    for (const { id } of await listWallets(wired.ctx.db)) await setWalletState(wired.ctx.db, id, "retired");
    await bringOver(pastUrl, history.databaseUrl);
    await onPresent(history.databaseUrl, (db) => noteInAudit(db, count));
  } finally {
    await Promise.all([past.database.close(), database.close()]);
  }
  await forgetPast(history.administrator);
  // Only now: a process that ends while it waits does not make the past again.
  await onPresent(history.databaseUrl, (db) => verifyOnceSealed({ ...wired.ctx, db }));
}

/** Answers how many settlements there were. */
async function livePast({ ctx, config, database }: WorkerWiring, { days, receiversPort }: z.infer<typeof HistoryOrder>): Promise<number> {
  const end = new Date();
  const clock = await openPastClock(ctx.db, new Date(end.getTime() - (days + 1) * DAY_MS));
  const engine = createTransferEngine({ ctx, workerId: randomUUID(), onFinal: completeOwner });
  const deliveries = createCallbackEngine(ctx, { brand: config.brand, signPublicly: ctx.callbackKeys.sign });
  const duties = [...callbackDuties(deliveries), ...paymentDuties(engine), overdueApprovalsDuty(ctx)];
  const loop = startLoop({ duties, listen: database.listen, log: ctx.log });
  try {
    const count = await liveThrough(ctx, clock, receiversAt(receiversPort), planHistory(days), end);
    await clock.walkTo(new Date());
    await clock.settle();
    return count;
  } finally {
    await loop.stop();
  }
}

async function onPresent(databaseUrl: string, work: (db: Database) => Promise<void>): Promise<void> {
  const role = applicationRole(decodeURIComponent(new URL(databaseUrl).pathname.slice(1)));
  const { db, close } = openDatabase({ url: databaseUrl, applicationName: "history", maxConnections: 1, role });
  try {
    await work(db);
  } finally {
    await close();
  }
}

async function noteInAudit(db: Database, count: number): Promise<void> {
  const change = { settlements: count };
  await db.transaction((tx) =>
    insertAuditEntry(tx, { by: SYSTEM, partnerId: null, action: "sandbox.history_added", objectId: "sandbox", change }),
  );
}

/** Verifies the audit log as soon as the present has sealed all of it. Without a worker the next hourly verification does that. */
async function verifyOnceSealed(ctx: WorkerWiring["ctx"]): Promise<void> {
  for (const givenUpAt = Date.now() + LONGEST_SEALING_MS; (await countUnsealed(ctx.db)) > 0; ) {
    if (Date.now() > givenUpAt) return;
    await sleep(LOOK_EVERY_MS);
  }
  await verifyAuditLog(ctx, { userId: null });
}

try {
  await main();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}
