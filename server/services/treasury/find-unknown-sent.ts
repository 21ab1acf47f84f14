import { findLapsingAttempt } from "#db/queries/transfers/lapsing-attempts.ts";
import { findSigningJournal } from "#db/queries/transfers/signing-journal.ts";
import { findTransfer, listOpenPayments } from "#db/queries/transfers/transfers.ts";
import { listWallets } from "#db/queries/transfers/wallets.ts";
import { canonicalOf, type LapsingChain, owedOn } from "#domain/lapsing-chain.ts";
import type { LapsingJournal } from "#domain/lapsing-journal.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { listUnknownSent, sentSince, type UnknownSent } from "#server/services/ledger/list-unknown-sent.ts";
import { readReference } from "#server/services/transfers/read-reference.ts";

/**
 * A payment of the treasury that the signing journal does not have. `payments`: for each of its moves, the open ones here that it may have made,
 * by recipient, token, amount and memo; none: nobody owes it here; several: only a person can say which.
 */
export type UnknownPayment = UnknownSent & { payments: Transfer[][] };

/** `nodes`: how many have shown what the wallets have paid. */
export type UnknownOnChain = { chain: LapsingChain; nodes: number; unknown: UnknownPayment[] };

/**
 * What the treasury's wallets have paid where payments lapse, and the signing journal does not have: journal and database were put back, or
 * somebody else has a key. It changes nothing.
 */
export async function findUnknownSent(ctx: Uses<"db" | "lapsing">, journal: LapsingJournal): Promise<UnknownOnChain[]> {
  const begunAt = (await findSigningJournal(ctx.db))?.begunAt ?? new Date(0);
  const wallets = await listWallets(ctx.db);
  const found: UnknownOnChain[] = [];
  for (const chain of ctx.lapsing.list()) {
    const own = wallets.flatMap((wallet) => (wallet.chain === chain.chain ? [canonicalOf(chain, wallet.address)] : []));
    const { sent, nodes } = await listUnknownSent(chain, {
      wallets: own,
      since: sentSince(journal, chain.chain, begunAt),
      isKnown: (id) => journal.holds({ chain: chain.chain, id }),
    });
    found.push({ chain, nodes, unknown: await match(ctx, chain, sent) });
  }
  return found;
}

/** Each open payment was made once: what a clear case has made, no other one has. */
async function match(ctx: Uses<"db">, chain: LapsingChain, sent: readonly UnknownSent[]): Promise<UnknownPayment[]> {
  const open = await listOpenPayments(ctx.db, chain.chain);
  const candidates = await Promise.all(sent.map(async (one) => ({ ...one, payments: await paymentsOf(ctx, chain, one, open) })));
  const clear = candidates.flatMap(({ payments }) => payments.filter((alike) => alike.length === 1).flat());
  const taken = new Set(clear.map(({ id }) => id));
  const free = (alike: Transfer[]) => (alike.length === 1 ? alike : alike.filter(({ id }) => !taken.has(id)));
  return candidates.map((one) => ({ ...one, payments: one.payments.map(free) }));
}

async function paymentsOf(ctx: Uses<"db">, chain: LapsingChain, sent: UnknownSent, open: readonly Transfer[]): Promise<Transfer[][]> {
  const attempt = await findLapsingAttempt(ctx.db, sent.id);
  const known = attempt === null ? null : await findTransfer(ctx.db, attempt.transferId);
  const all = known === null ? open : [known];
  const references = new Map(
    await Promise.all(all.map(async (transfer) => [transfer.id, await readReference(ctx.db, chain, transfer)] as const)),
  );
  return sent.moves.map(({ token, recipient, amountBase }) =>
    all.filter((transfer) => {
      const owed = owedOn(chain, transfer);
      const isSame = owed.token === token && owed.recipient === recipient && owed.amountBase === amountBase;
      return isSame && (sent.memo === null || references.get(transfer.id) === sent.memo);
    }),
  );
}
