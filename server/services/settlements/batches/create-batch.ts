import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findBatchByExternalId, insertBatch, listItems, listTakenReferences } from "#db/queries/settlements/batches.ts";
import { writeQuoted } from "#db/queries/settlements/insert-quoted.ts";
import { inTransaction } from "#db/transaction.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import type { By } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import type { Metadata } from "#domain/metadata.ts";
import { type Fault, Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import { areTotalsPublishable, type SettlementBatch, shareOf, tallyOf } from "#domain/settlement-batch.ts";
import type { Uses } from "#server/context.ts";
import { batchEvent, settlementEvent } from "#server/services/events/event-of.ts";
import { rememberDestination } from "#server/services/screening/known-destinations.ts";
import { quoteSettlements, type ToQuote } from "#server/services/settlements/quote-settlements.ts";
import { ItemFaults } from "./item-faults.ts";
import { talliedWith } from "./lock-items.ts";

/** An item as it was sent. */
export type BatchItem = Omit<ToQuote, "partnerId" | "apiKeyId" | "by" | "trace" | "batchId" | "externalTxId"> & {
  externalTxId: string | null;
};
type Owner = { partnerId: string; apiKeyId: string; by: By; trace?: string | null };
export type UrlFault = { index: number; refusal: Refusal };

export type EstimateBatch = Owner & {
  items: readonly BatchItem[];
  /** What `checkCallbackUrl` said of the items' own, outside of any transaction. */
  urlFaults?: readonly UrlFault[];
  /** Whether references that another settlement has are faults of an estimate, too. */
  refusesTaken?: boolean;
};
export type CreateBatch = EstimateBatch & {
  externalBatchId: string;
  /** SHA-256 of the request's body, hex. */
  bodySha256: string;
  /** Already judged by `checkCallbackUrl`. */
  callbackUrl: string | null;
  /** The partner's own notes; left out: none. */
  metadata?: Metadata | null;
};
export type MadeBatch = { batch: SettlementBatch; items: Settlement[]; repeated: boolean };

/**
 * Makes up to 500 settlements together (contract, part 11), all or none, each with its own quote. A repeat of the same bytes under the same
 * reference changes nothing and answers what exists, also when several come at once.
 *
 * @throws Refusal `external_batch_id_conflict` for other bytes; `validation_failed`, or the one code of all faults, with a pointer for
 * each; `amount_too_large` where the sum cannot be written; `rate_unavailable`, `liquidity_unavailable`.
 */
export async function createBatch(ctx: Uses<"db" | "chains">, command: CreateBatch): Promise<MadeBatch> {
  return await inTransaction(ctx.db, async (tx) => {
    const batch = await newBatch(tx, command);
    // The second of two waits here, and finds the first one's.
    if (!(await insertBatch(tx, batch))) return await findEarlier(tx, command);
    const faults = faultsOf(command);
    await refuseTakenReferences(tx, command, faults);
    const quoted = await quote({ ...ctx, db: tx }, { ...command, batchId: batch.id }, faults);
    await store(tx, quoted);
    const { id: objectId, partnerId, createdAt: now, externalBatchId } = batch;
    const change = { external_batch_id: externalBatchId, items: quoted.length };
    await insertAuditEntry(tx, { by: command.by, partnerId, action: "batch.created", objectId, change, now });
    const items = quoted.map(({ settlement }) => settlement);
    await recordEvents(tx, [batchEvent("batch.created", talliedWith(batch, items), now)]);
    items.forEach(rememberDestination);
    return { batch, items, repeated: false };
  });
}

/** What a batch of these items would be just now. Nothing is stored. @throws Refusal as {@link createBatch} */
export async function estimateBatch(ctx: Uses<"db" | "chains">, command: EstimateBatch): Promise<Settlement[]> {
  const faults = faultsOf(command);
  if (command.refusesTaken) await refuseTakenReferences(ctx.db, command, faults);
  const quoted = await quote(ctx, command, faults);
  return quoted.map(({ settlement }) => settlement);
}

async function quote(ctx: Uses<"db" | "chains">, command: EstimateBatch & { batchId?: string }, faults: ItemFaults) {
  const { partnerId, apiKeyId, by, trace = null, batchId, items } = command;
  const commands = items.map((item) => ({ ...item, partnerId, apiKeyId, by, trace, ...(batchId && { batchId }) }));
  const quoted = await quoteSettlements(ctx, commands, { items: faults, isTogether: true });
  const { totals } = tallyOf(quoted.map(({ settlement }) => shareOf(settlement)));
  if (!areTotalsPublishable(totals)) throw sumTooLarge();
  // Their ids are in the order of the items, so that a list of them is too.
  const ids = quoted.map(({ settlement }) => settlement.id).toSorted();
  return quoted.map((one, index) => {
    const id = ids[index] ?? one.settlement.id;
    const verdict = one.verdict && { ...one.verdict, ownerId: id };
    const settlement = { ...one.settlement, id };
    const event = settlementEvent("settlement.created", settlement, one.entry.now);
    return { ...one, verdict, settlement, entry: { ...one.entry, objectId: id }, event };
  });
}

async function newBatch(tx: Database, command: CreateBatch): Promise<SettlementBatch> {
  const { partnerId, apiKeyId, externalBatchId, bodySha256, callbackUrl, metadata = null, trace = null, items } = command;
  const createdAt = await readBusinessNow(tx);
  const nothingYet = { confirmedAt: null, cancelledAt: null, completedAt: null };
  const made = { partnerId, apiKeyId, externalBatchId, bodySha256, callbackUrl, metadata, trace, createdAt, itemCount: items.length };
  return { ...made, ...nothingYet, id: newId("batch", createdAt), status: "quoted" };
}

async function findEarlier(tx: Database, { partnerId, externalBatchId, bodySha256 }: CreateBatch): Promise<MadeBatch> {
  const batch = await findBatchByExternalId(tx, partnerId, externalBatchId);
  if (batch === null) throw new Error("a batch was neither stored nor found");
  if (batch.bodySha256 !== bodySha256) {
    throw new Refusal("external_batch_id_conflict", {
      detail: "You used this external_batch_id with another body.",
      members: { batch_id: batch.id },
    });
  }
  return { batch, items: await listItems(tx, batch), repeated: true };
}

/** What is known before anything is read. */
function faultsOf({ items, urlFaults = [] }: EstimateBatch): ItemFaults {
  const faults = new ItemFaults();
  for (const { index, refusal } of urlFaults) faults.add(index, refusal);
  refuseRepeatedReferences(items, faults);
  return faults;
}

/** Each place where a reference occurs twice. */
function refuseRepeatedReferences(items: readonly BatchItem[], faults: ItemFaults): void {
  const places = Map.groupBy([...items.keys()], (index) => items[index]?.externalTxId ?? null);
  for (const [reference, same] of places) {
    if (reference === null || same.length < 2) continue;
    const message = "is in this batch more than once";
    const errors: Fault[] = [{ pointer: "/external_tx_id", code: "repeated", message }];
    for (const index of same) faults.add(index, new Refusal("validation_failed", { errors }));
  }
}

async function refuseTakenReferences(tx: Database, { partnerId, items }: EstimateBatch, faults: ItemFaults): Promise<void> {
  const references = items.flatMap(({ externalTxId }) => externalTxId ?? []);
  const taken = await listTakenReferences(tx, partnerId, references);
  for (const [index, { externalTxId }] of items.entries()) {
    if (externalTxId !== null && taken.has(externalTxId)) faults.add(index, referenceTaken());
  }
}

/** Another request may use a reference at the same moment. */
async function store(tx: Database, quoted: Parameters<typeof writeQuoted>[1]): Promise<void> {
  try {
    await writeQuoted(tx, quoted);
  } catch (error) {
    if (!isUniqueViolation(error, "settlements_external_tx_id")) throw error;
    const message = "Another settlement has just used one of these references.";
    throw new Refusal("validation_failed", { errors: [{ pointer: "/items", code: "external_tx_id_conflict", message }], cause: error });
  }
}

function referenceTaken(): Refusal {
  const message = "Another settlement already uses this external_tx_id.";
  const errors: Fault[] = [{ pointer: "/external_tx_id", code: "external_tx_id_conflict", message }];
  return new Refusal("external_tx_id_conflict", { detail: message, errors });
}

/** A partner could not read it exactly. */
export function sumTooLarge(): Refusal {
  const message = "The items together come to more than can be written exactly.";
  return new Refusal("amount_too_large", { detail: message, errors: [{ pointer: "/items", code: "amount_too_large", message }] });
}
