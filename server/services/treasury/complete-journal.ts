import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findSigningJournal } from "#db/queries/transfers/signing-journal.ts";
import { actorId, type By } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import { type Journal, journalOwner } from "#domain/journal.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { LapsingEntry } from "#domain/lapsing-journal.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { readFate } from "./compare-lapsing.ts";
import { findUnknownSent, type UnknownPayment } from "./find-unknown-sent.ts";

/** `added`: the journal has it now. `payments`: what it made here; none: nobody owes it. Else `why` says what is still missing. */
export type Completed = { chain: string; id: string } & ({ added: true; payments: string[] } | { added: false; why: string });

/** `chosen`: by a payment's id, the transaction that made it, of several alike. */
export type CompleteJournal = { by: By; confirmedBy: By; reason: string; journal: Journal; chosen: ReadonlyMap<string, string> };

/**
 * Adds to the signing journal what the treasury's wallets have paid and it does not have. From then on nobody pays it again, and the worker follows
 * it to its end. Every node must show it in a final block, with what it paid. A running signer may use the journal meanwhile.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `same_approver`
 */
export async function completeJournal(ctx: Uses<"db" | "clock" | "lapsing">, command: CompleteJournal): Promise<Completed[]> {
  const { by, confirmedBy, reason, journal, chosen } = command;
  for (const person of [by, confirmedBy]) refuseUnlessAdministrator(person, ctx.clock.now());
  if (actorId(by.actor) === actorId(confirmedBy.actor)) throw new Refusal("same_approver");
  const row = await findSigningJournal(ctx.db);
  if (row === null) throw new Refusal("invalid_state", { detail: "No worker has begun a signing journal." });
  const { state } = await journal.read(row.installation);
  const found = await findUnknownSent(ctx, state.lapsing);
  const judged = await Promise.all(found.flatMap(({ chain, unknown }) => unknown.map((one) => judge(chain, one, chosen))));
  const ready = judged.flatMap((one) => ("entry" in one ? [one] : []));
  const added = ready.map(({ entry: { chain, id }, payments }) => ({ chain, id, payments }));
  const change = { confirmed_by: actorId(confirmedBy.actor), added };
  const about = { partnerId: null, action: "journal.completed", objectId: row.installation };
  if (ready.length > 0) await insertAuditEntry(ctx.db, { by, ...about, reason, change, now: ctx.clock.now() });
  const faults = await journal.record(ready.map(({ entry }) => entry));
  const written = ready.map(({ entry: { chain, id }, payments }, index): Completed => {
    const fault = faults[index] ?? null;
    return fault === null ? { chain, id, added: true, payments } : { chain, id, added: false, why: fault.detail };
  });
  return [...written, ...judged.flatMap((one) => ("entry" in one ? [] : [one]))];
}

type Ready = { entry: LapsingEntry; payments: string[] };

async function judge(chain: LapsingChain, one: UnknownPayment, chosen: CompleteJournal["chosen"]): Promise<Ready | Completed> {
  const { id } = one;
  const refused = (why: string) => ({ chain: chain.chain, id, added: false as const, why });
  const made = one.payments.map((alike) => (alike.length > 1 ? alike.filter((payment) => chosen.get(payment.id) === id) : alike));
  const unclear = one.payments.filter((alike, place) => alike.length > 1 && made[place]?.length !== 1).flat();
  if (unclear.length > 0) return refused(`choose which it made: ${unclear.map((payment) => payment.id).join(", ")}`);
  if (new Set(one.moves.map(({ token }) => token)).size > 1) return refused("it moved several tokens, as no payment of the service does");
  const payments = made.map(([payment = null]) => payment);
  const entry = entryOf(chain, one, payments);
  const { fate } = await readFate(chain, entry);
  if (fate !== "paid") return refused("not every node shows it in a final block yet");
  return { entry, payments: payments.flatMap((payment) => payment?.id ?? []) };
}

/** As the signer would have written it, without the bytes: they are not needed in a final block. */
function entryOf({ chain }: LapsingChain, one: UnknownPayment, payments: readonly (Transfer | null)[]): LapsingEntry {
  const { id, wallet, height, at, feeToken, moves } = one;
  const [first, ...others] = moves.map(({ recipient, amountBase }, place) => {
    const payment = payments[place] ?? null;
    return { owner: payment === null ? `unknown:${id}:${place}` : journalOwner(payment), recipient, amountBase };
  });
  if (first === undefined) throw new Error(`${id} has moved nothing`);
  const terms = {
    after: height - 1,
    expiry: { by: "height" as const, last: height },
    feeAtMost: { token: feeToken, amountBase: 0n },
    bytes: "",
  };
  const place = { chain, wallet, id, token: moves[0]?.token ?? null, ...terms, at };
  if (others.length === 0) return { kind: "lapsing", ...place, ...first };
  const members = [first, ...others];
  const amountBase = members.reduce((sum, each) => sum + each.amountBase, 0n);
  return { kind: "lapsing_pack", ...place, owner: `pack:${newId("transfer", at)}`, recipient: wallet, amountBase, members };
}
