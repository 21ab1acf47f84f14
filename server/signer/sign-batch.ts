import { listTransfers } from "#db/queries/transfers/transfers.ts";
import { cancellationOf, type EvmIntent, intentHash, intentOf } from "#domain/evm-intent.ts";
import { type JournalPlace, type JournalState, journalOwner, type SignedEntry } from "#domain/journal.ts";
import { isMoving, ownersOf } from "#domain/journal-content.ts";
import type { SignAnswer, SignBatch, SignOrder } from "#domain/signer.ts";
import { senderOf, type Transfer } from "#domain/transfer.ts";
import { type EvmChain, type Signer, Unreachable } from "#server/ports.ts";
import { type DerivedPack, derivePack, paymentsOf } from "./derive-pack.ts";
import { type Desk, keyOf } from "./desk.ts";
import { destinationFault } from "./destinations.ts";
import { FRESH_MS, forgetStale } from "./fresh.ts";
import { capFaults } from "./keep-caps.ts";
import { keepReleased } from "./keep-released.ts";
import { ruleFaults } from "./keep-rules.ts";
import { nonceFault } from "./nonce-order.ts";

/** What an order comes to, by the signer's own derivation. */
type Derived = { intent: EvmIntent; entry: Omit<SignedEntry, "hash" | "at"> };
type Refused = Extract<SignAnswer, { outcome: "refused" }>;

/**
 * Signs a batch of one wallet. Each payment is read from the database and derived again from what it is owed for; nothing that the caller says
 * of it counts but its nonce, gas and fees. The answers are sealed.
 */
export async function signBatch(
  desk: Desk,
  chain: EvmChain,
  readState: () => Promise<JournalState>,
  { wallet, orders, ...batch }: SignBatch,
): Promise<SignAnswer[]> {
  const key = await keyOf(desk, batch.chain, wallet);
  if (key === null) return orders.map(() => ({ outcome: "refused", kind: "unsigned", reason: `No key of ${wallet} is here.` }));
  const judging = desk.caps.length > 0 || orders.some(({ of, kind }) => "filler" in of || kind === "cancellation");
  const state = judging ? await readState() : null;
  const all = await deriveAll(desk, chain, readState, { wallet, orders });
  const derived = await keepOrder(desk, chain, state, await keepCaps(desk, state, orders, all));
  forgetStale(desk);
  return await Promise.all(
    orders.map(async (order, index) => {
      const one = derived[index];
      if (one === undefined || "outcome" in one) return one ?? unowed("It was not derived.");
      return await signOne(desk, chain, key, { wallet, order, ...one });
    }),
  );
}

async function deriveAll(
  desk: Desk,
  chain: EvmChain,
  readState: () => Promise<JournalState>,
  { wallet, orders }: Pick<SignBatch, "wallet" | "orders">,
): Promise<(Derived | Refused)[]> {
  const { db } = desk.ctx;
  const named = await listTransfers(
    db,
    orders.flatMap(({ of }) => paymentsOf(of)),
  );
  const transfers = new Map(named.map((one) => [one.id, one]));
  const paid = orders.flatMap(({ of, kind }) => (kind === "payment" ? paymentsOf(of).flatMap((id) => transfers.get(id) ?? []) : []));
  const faults = paid.length === 0 ? new Map<string, string>() : await desk.findUnowed(db, paid, chain);
  const refused = orders.flatMap((order) => {
    const transfer = "transferId" in order.of && faults.has(order.of.transferId) ? transfers.get(order.of.transferId) : undefined;
    return transfer ? [{ order, transfer, place: { chain: chain.chain, wallet, nonce: order.nonce } }] : [];
  });
  const kept = refused.length === 0 ? new Map<SignOrder, string | null>() : await keepReleased(desk, chain, await readState(), refused);
  const barred = new Map<string, string | null>();
  for (const transfer of paid) barred.set(transfer.id, await destinationFault({ desk, chain, readState }, transfer));
  const derived = orders.map((order): Derived | Refused => {
    const { of, kind, nonce, fees } = order;
    if (chain.maxFeePerGas !== null && fees.maxFeePerGas > chain.maxFeePerGas)
      return { outcome: "refused", kind: "unsigned", reason: "The fee is above the configured cap." };
    const place = { chain: chain.chain, wallet, nonce };
    const empty = { intent: cancellationOf(wallet), content: { recipient: wallet, token: null, amountBase: 0n } };
    if ("filler" in of) {
      if (!of.filler.startsWith("filler:") || kind !== "payment") return unowed("It fills no nonce.");
      return { intent: empty.intent, entry: { ...place, ...empty.content, kind: "filler", owner: of.filler } };
    }
    if ("pack" in of)
      return fromPack(derivePack(chain, of.transferIds, { transfers, unowed: faults }), { kind, owner: of.pack, place, empty });
    const transfer = transfers.get(of.transferId);
    if (transfer === undefined || transfer.chain !== chain.chain) return unowed("There is no such payment.");
    const owner = journalOwner(transfer);
    if (kind === "cancellation") return { intent: empty.intent, entry: { ...place, ...empty.content, kind, owner } };
    if (transfer.purpose === "allowance" && chain.packingContract === null)
      return { outcome: "refused", kind: "unsigned", reason: "Payments are not packed on this chain." };
    const fault = (kept.has(order) ? kept.get(order) : faults.get(transfer.id)) ?? senderFault(transfer, wallet);
    if (fault !== null) return unowed(fault);
    const reason = barred.get(transfer.id) ?? null;
    if (reason !== null) return { outcome: "refused", kind: "unsigned", reason };
    const { recipient, tokenAddress: token, amountBase, purpose } = transfer;
    return {
      intent: intentOf(transfer),
      entry: { ...place, recipient, token, amountBase, owner, kind: purpose === "filler" ? "filler" : kind },
    };
  });
  const ruled = derived.map((one, index) => {
    const { of, kind } = orders[index] ?? {};
    if ("outcome" in one || of === undefined || kind !== "payment") return null;
    return { ...one.entry, payments: paymentsOf(of).flatMap((id) => transfers.get(id) ?? []) };
  });
  const unsigned = await ruleFaults(desk, readState, ruled);
  return derived.map((one, index) => {
    const reason = unsigned[index] ?? null;
    return reason === null ? one : { outcome: "refused", kind: "unsigned", reason };
  });
}

type Empty = { intent: EvmIntent; content: Pick<SignedEntry, "recipient" | "token" | "amountBase"> };
type PackOrder = { kind: SignOrder["kind"]; owner: string; place: JournalPlace; empty: Empty };

function fromPack(derived: DerivedPack, { kind, owner, place, empty }: PackOrder): Derived | Refused {
  if (!owner.startsWith("pack:")) return unowed("It packs no payments.");
  if (kind === "cancellation") return { intent: empty.intent, entry: { ...place, ...empty.content, kind, owner } };
  if ("reason" in derived) return { outcome: "refused", ...derived };
  return { intent: derived.intent, entry: { ...place, ...derived.content, kind: "packed", owner } };
}

/** What pays nobody stays behind what was signed. `state`: null where there is nothing such. */
async function keepOrder(
  desk: Desk,
  chain: EvmChain,
  state: JournalState | null,
  derived: readonly (Derived | Refused)[],
): Promise<(Derived | Refused)[]> {
  return await Promise.all(
    derived.map(async (one) => {
      if (state === null || "outcome" in one || isMoving(one.entry)) return one;
      const reason = await nonceFault(desk, chain, state, one.entry);
      return reason === null ? one : { outcome: "refused", kind: "unsigned", reason };
    }),
  );
}

/** `state`: null where there are no caps. */
async function keepCaps(
  desk: Desk,
  state: JournalState | null,
  orders: readonly SignOrder[],
  derived: readonly (Derived | Refused)[],
): Promise<(Derived | Refused)[]> {
  if (state === null) return [...derived];
  const counted = derived.map((one, index) => {
    const of = orders[index]?.of;
    if ("outcome" in one || of === undefined || "filler" in of) return null;
    // People let single payments go above a cap, no packed ones.
    return { transferId: "pack" in of ? of.pack : of.transferId, entry: one.entry };
  });
  const faults = await capFaults(desk, state, counted);
  return derived.map((one, index) => {
    const reason = faults[index] ?? null;
    return reason === null ? one : { outcome: "refused", kind: "capped", reason };
  });
}

const unowed = (reason: string): Refused => ({ outcome: "refused", kind: "unowed", reason });

function senderFault(transfer: Transfer, wallet: string): string | null {
  const sender = senderOf(transfer);
  return sender === undefined || sender.toLowerCase() === wallet.toLowerCase() ? null : `Only ${sender} may send it.`;
}

async function signOne(
  { ctx, seal, fresh }: Desk,
  chain: EvmChain,
  key: Signer,
  { wallet, order, intent, entry }: Derived & { wallet: string; order: SignOrder },
): Promise<SignAnswer> {
  const { nonce, gasLimit, fees } = order;
  const { to, valueBase, data } = intent;
  const unsigned = { to, valueBase, data, chainId: chain.chainId, nonce, gasLimit, ...fees };
  try {
    const raw = await key.signTransaction(unsigned);
    const hash = await chain.checkSigned(raw, unsigned, key.isOurs ? null : wallet);
    const { token, amountBase } = entry;
    const counted = isMoving(entry) && !entry.owner.startsWith("sweep:") ? amountBase : 0n;
    const until = ctx.clock.now().getTime() + FRESH_MS;
    fresh.set(hash, {
      until,
      owners: ownersOf(entry),
      chain: chain.chain,
      wallet: wallet.toLowerCase(),
      nonce,
      token,
      amountBase: counted,
      isAdmitted: false,
    });
    const bytes = seal.close(raw, { ...entry, hash, at: new Date(0) });
    return { outcome: "signed", hash, bytes, intentHash: intentHash(chain.chain, wallet, intent) };
  } catch (error) {
    ctx.log.error({ wallet, owner: entry.owner, err: error }, "a key did not sign");
    return { outcome: "refused", kind: "unsigned", reason: keyTrouble(error) };
  }
}

/** Keys are asked over a network, too: what they do not answer is no fact about the payment. */
function keyTrouble(error: unknown): string {
  return error instanceof Unreachable ? "The treasury wallet's signer cannot be reached." : "The treasury wallet's signer refuses to sign.";
}
