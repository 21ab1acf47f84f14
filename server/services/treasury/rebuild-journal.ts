import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { listProcesses } from "#db/queries/maintenance/vitals.ts";
import { raiseNextNonces, replaceSigningJournal } from "#db/queries/transfers/signing-journal.ts";
import { listWallets, type Wallet } from "#db/queries/transfers/wallets.ts";
import { actorId, type By } from "#domain/access.ts";
import { isOfLapsing, type JournalEntry, type JournalPlace } from "#domain/journal.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { listJournalEntries } from "#server/services/transfers/journal-entries.ts";

/** A worker's heartbeat is younger than this. */
const ALIVE_SECONDS = 30;

/**
 * `kept`: what the former journal says, as far as it can be read. `unpaid`: owners of which both people say that what the former journal has
 * of them was never mined, and never will be.
 */
export type RebuildJournal = { by: By; confirmedBy: By; reason: string; kept: readonly JournalEntry[]; unpaid: readonly string[] };

/** What the new journal begins with, and its installation's id. */
export type NewJournal = { installation: string; entries: JournalEntry[]; raised: { wallet: string; nextNonce: number }[] };

/**
 * Draws up another signing journal, from the database and the former journal, while the workers are stopped. Every entry of the former one
 * that the database does not know stays, so that its owner is not paid again. Nothing is changed yet.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `same_approver`; `invalid_state` while a worker runs, a node counts more of a wallet's
 * transactions than the database, or something that was signed is in no block and nobody has judged it
 */
export async function drawUpJournal(ctx: Uses<"db" | "clock" | "evm">, command: RebuildJournal): Promise<Omit<NewJournal, "installation">> {
  const { by, confirmedBy, kept, unpaid } = command;
  for (const person of [by, confirmedBy]) refuseUnlessAdministrator(person, ctx.clock.now());
  if (actorId(by.actor) === actorId(confirmedBy.actor)) throw new Refusal("same_approver");
  const alive = (await listProcesses(ctx.db)).filter(({ kind, beatAgeSeconds }) => kind === "worker" && beatAgeSeconds < ALIVE_SECONDS);
  if (alive.length > 0) throw refused(`${alive.length} workers run. Stop them, wait for ${ALIVE_SECONDS} s, and try again.`);
  const wallets = await listWallets(ctx.db);
  for (const chain of ctx.evm.list()) await refuseAhead(chain, wallets);
  const entries = await listJournalEntries(ctx.db);
  const known = new Set(entries.map(keyOf));
  const unknown = kept.filter((entry) => !known.has(keyOf(entry)));
  const nextOf = (place: JournalPlace) =>
    wallets.find(({ chain, address }) => chain === place.chain && address.toLowerCase() === place.wallet.toLowerCase())?.nextNonce ?? 0;
  // What lapses has no nonce. It stays, and the signer pays its owner again only once the chain has proven that it paid nothing.
  const open = unknown.filter((entry) => !isOfLapsing(entry)).filter((entry) => entry.nonce >= nextOf(entry));
  const unjudged = [...new Set(open.flatMap(({ owner }) => (unpaid.includes(owner) ? [] : [owner])))];
  if (unjudged.length > 0)
    throw refused(
      `The former journal has payments that are in no block: ${unjudged.join(", ")}. Wait until they are mined. If they never will be, name each with --unpaid.`,
    );
  const raised = [...Map.groupBy(open, ({ chain, wallet }) => `${chain} ${wallet.toLowerCase()}`).values()].flatMap((own) => {
    const [first] = own;
    return first ? [{ ...first, nextNonce: Math.max(...own.map(({ nonce }) => nonce)) + 1 }] : [];
  });
  return {
    entries: [...entries, ...unknown.filter((entry) => isOfLapsing(entry) || !open.includes(entry))],
    raised: raised.map(({ wallet, nextNonce }) => ({ wallet, nextNonce })),
  };
}

/** The new journal's file is there: it belongs to the database from now on. Nonces that were signed before are never used for a payment again. */
export async function adoptJournal(ctx: Uses<"db">, command: RebuildJournal, { installation, entries, raised }: NewJournal): Promise<void> {
  const { by, confirmedBy, reason, unpaid } = command;
  await ctx.db.transaction(async (tx: Database) => {
    await replaceSigningJournal(tx, installation);
    await raiseNextNonces(tx, raised);
    const change = { installation, entries: entries.length, confirmed_by: actorId(confirmedBy.actor), unpaid: [...unpaid], raised };
    await insertAuditEntry(tx, { by, partnerId: null, action: "journal.rebuilt", objectId: installation, reason, change });
  });
}

async function refuseAhead(chain: EvmChain, wallets: readonly Wallet[]): Promise<void> {
  for (const { address, nextNonce } of wallets.filter((wallet) => wallet.chain === chain.chain && wallet.nextNonce !== null)) {
    const counts = (await Promise.all(chain.nodes.map((node) => countUsed(node, address)))).filter((count) => count !== null);
    if (counts.length === 0) throw refused(`No node of ${chain.name} answers: the wallets' counts cannot be compared.`);
    const most = Math.max(...counts);
    if (nextNonce !== null && most > nextNonce)
      throw refused(
        `${address} on ${chain.name} has made ${most} transactions, and the database knows ${nextNonce}. Start a worker until it has halted the wallet, run \`npm run compare\`, and book what it finds.`,
      );
  }
}

async function countUsed(node: EvmNode, address: string): Promise<number | null> {
  try {
    return await node.nonce(address, "pending");
  } catch (error) {
    if (error instanceof Unreachable) return null;
    if (!(error instanceof EvmRejected)) throw error;
    return await node.nonce(address, "latest").catch(() => null);
  }
}

const refused = (detail: string) => new Refusal("invalid_state", { detail });

function keyOf(entry: JournalEntry): string {
  if (isOfLapsing(entry)) return `${entry.kind} ${entry.chain} ${entry.id}`;
  return entry.kind === "spent" ? `spent ${entry.owner} ${entry.wallet.toLowerCase()} ${entry.nonce}` : entry.hash;
}
