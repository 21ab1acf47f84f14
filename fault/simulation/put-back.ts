import { readAsFarAsPossible } from "#server/adapters/journal/read-lines.ts";
import { paidIn } from "./contents.ts";
import type { PutBack } from "./history.ts";
import { CHAIN, isOurs } from "./nodes.ts";
import type { PaymentWorld } from "./payments-world.ts";
import { business, dateOf, tables } from "./tables/rows.ts";

/** What would make such an hour another story: payments that may be made again for a reason of the chain's own. */
export const APART = ["reverts", "revert forgotten", "deep fork", "key shared", "forgotten, and counted"];
const SHARE = 0.12;
/** So long it is watched, once all is calm, and how often people lift the halts meanwhile. */
export const WATCHED_MS = 30_000;
const LIFTED_EACH_MS = 4_000;

/**
 * In some of the hours without such stories the database is put back. The nodes may know nothing of what was sent since, and people may lift
 * the halts without looking. Drawn apart, so that no other draw changes.
 */
export function planPutBack(world: PaymentWorld, faultsMs: number): void {
  const { history, scheduler } = world;
  const random = history.random.fork("put back");
  if (APART.some((kind) => history.faults.has(kind)) || !random.chance(SHARE)) return;
  history.faults.add("put back");
  const [keptAt, backAt] = [random.below(faultsMs), faultsMs / 2 + random.below(faultsMs / 2)];
  let kept: ReturnType<typeof copyTables> | null = null;
  scheduler.after(Math.min(keptAt, backAt), () => {
    kept = copyTables();
  });
  scheduler.after(Math.max(keptAt, backAt), () => {
    if (kept !== null) putBack(world, kept, random.chance(0.5));
  });
  if (!random.chance(0.5)) return;
  for (let ms = LIFTED_EACH_MS; ms < WATCHED_MS; ms += LIFTED_EACH_MS) scheduler.after(faultsMs + ms, () => liftAll(world));
}

/** The tables as they are now. */
export const copyTables = () => Object.entries(tables()).map(([name, { rows }]) => [name, new Map<string, unknown>(rows)] as const);

/** The tables are as they were then. */
export function putTablesBack(kept: ReturnType<typeof copyTables>): void {
  const all: Record<string, { rows: Map<string, unknown> }> = tables();
  for (const [name, rows] of kept) {
    all[name]?.rows.clear();
    for (const [id, row] of rows) all[name]?.rows.set(id, row);
  }
}

function putBack(world: PaymentWorld, kept: ReturnType<typeof copyTables>, isForgotten: boolean): void {
  const { net, workers, scheduler, journal } = world;
  const counts = net.wallets.map((wallet) => [wallet, net.chain.countAt(wallet, net.chain.height)] as const);
  for (const { gate } of [...workers]) gate.kill();
  const before = new Set(tables().attempts.rows.keys());
  putTablesBack(kept);
  const lost = new Set([...before].filter((hash) => !tables().attempts.rows.has(hash)));
  const known = [...tables().wallets.rows.values()];
  const marks = journal.bytes === null ? [] : readAsFarAsPossible(journal.bytes).lines.state.marks(CHAIN);
  const places = new Map(
    counts.map(([address]) => {
      const nextNonce = known.find(({ wallet }) => wallet.address === address)?.wallet.nextNonce ?? 0;
      return [address, { mark: marks.find(({ wallet }) => wallet === address)?.mark ?? -1, nextNonce }];
    }),
  );
  world.putBack = { at: scheduler.now, places, lost };
  business.lineBeganAt = scheduler.now;
  world.fiat?.provider.showAll();
  const forgotten = new Map(counts.map(([address, count]) => [address, Math.min(count, places.get(address)?.nextNonce ?? 0)]));
  if (isForgotten) for (const mood of net.moods) mood.countsAtMost = forgotten;
  const told = [...places].map(([address, { mark, nextNonce }]) => `${address}: next nonce ${nextNonce}, signed up to ${mark}`);
  world.history.trace?.(`the database is put back; ${told.join("; ")}`);
}

/** Two people lift every halt, and have not looked at anything. */
export function liftAll({ scheduler, history }: Pick<PaymentWorld, "scheduler" | "history">): void {
  const { rows } = tables().halts;
  const lift = { at: dateOf(scheduler.now), by: "ana", confirmedBy: "ben", reason: "nobody looked" };
  for (const [id, { halt }] of [...rows]) if (halt.lift === null) rows.set(id, { id, halt: { ...halt, lift } });
  history.trace?.("every halt is lifted");
}

/**
 * Nobody was paid twice, nothing left again under a nonce that was signed before, and the chain was halted. What the signer signed and did not
 * admit to its journal is sealed: it can never leave.
 */
export function judgePutBack(world: PaymentWorld, { at, places }: PutBack): void {
  const { net, violations } = world;
  const paid = net.chain.blocks.flatMap((block) =>
    block.signed.flatMap((one) => (isOurs(net, one.sender) && !block.failed.has(one.hash) ? paidIn(one, block) : [])),
  );
  for (const [recipient, some] of Map.groupBy(paid, String))
    if (some.length > 1) violations.push(`${recipient} was paid ${some.length} times after the database was put back`);
  const { attempts, transactions, wallets, halts } = tables();
  for (const { attempt } of attempts.rows.values()) {
    const { nonce = 0, walletId = "" } = transactions.rows.get(attempt.transactionId) ?? {};
    const { mark = -1, nextNonce = 0 } = places.get(wallets.rows.get(walletId)?.wallet.address ?? "") ?? {};
    if (nonce >= nextNonce && nonce <= mark && attempt.broadcastAt !== null && attempt.signedAt.getTime() > dateOf(at).getTime())
      violations.push(`something was sent again under nonce ${nonce} after the database was put back`);
  }
  const isHalted = [...halts.rows.values()].some(({ halt }) => halt.cause === "database_behind" || halt.cause === "journal_unusable");
  for (const [address, { mark, nextNonce }] of places)
    if (mark >= nextNonce && !isHalted)
      violations.push(`nonce ${mark} of ${address} was signed, the next one is ${nextNonce}, and nothing is halted`);
}
