import { listTransfers } from "#db/queries/transfers/transfers.ts";
import { intentOf } from "#domain/evm-intent.ts";
import type { JournalState } from "#domain/journal.ts";
import type { AdmitAnswer, AdmitFault, AdmitOrder } from "#domain/signer.ts";
import type { Transfer } from "#domain/transfer.ts";
import { type EvmChain, Rejected } from "#server/ports.ts";
import { inTurn } from "./admit-in-turn.ts";
import { derivePack } from "./derive-pack.ts";
import { type Desk, keyOf } from "./desk.ts";
import { destinationFault } from "./destinations.ts";
import { capFaults } from "./keep-caps.ts";
import { keepReleased } from "./keep-released.ts";
import { ruleFaults } from "./keep-rules.ts";
import { payAgain } from "./pay-again.ts";
import { contentFault, packFault } from "./same-content.ts";
import { isSealed } from "./seal.ts";

type Faults = (AdmitFault | null)[];

/**
 * Makes the journal hold these bytes, durably, and opens them. It refuses what would pay an owner a second time or use a nonce for something
 * else, whatever the database says. What it holds already is opened again.
 */
export async function admitToJournal(
  desk: Desk,
  chain: EvmChain,
  { state, orders }: { state: JournalState; orders: readonly AdmitOrder[] },
): Promise<AdmitAnswer[]> {
  const opened = orders.map(({ bytes, entry }) => (entry.chain === chain.chain ? desk.seal.open(bytes, entry) : null));
  const faults = await faultsOf(desk, chain, { state, orders, opened });
  return orders.map((_, index) => {
    const fault = faults[index];
    return fault ? { fault } : { bytes: opened[index] ?? "" };
  });
}

type Opened = { state: JournalState; orders: readonly AdmitOrder[]; opened: readonly (string | null)[] };

async function faultsOf(desk: Desk, chain: EvmChain, { state, orders, opened }: Opened): Promise<Faults> {
  const changed = await Promise.all(orders.map((order, index) => isChanged(chain, order, opened[index] ?? null)));
  const whole = orders.filter((_, index) => !changed[index]);
  const faults = await judgeWhole(desk, chain, state, whole);
  return orders.map((order, index) => (changed[index] ? faultOfChanged(order) : (faults.get(order) ?? null)));
}

/** Judges bytes that are those of their entries, and adds what may be added to the journal. By the order: why it is not admitted. */
async function judgeWhole(
  desk: Desk,
  chain: EvmChain,
  state: JournalState,
  orders: readonly AdmitOrder[],
): Promise<Map<AdmitOrder, AdmitFault | null>> {
  const now = desk.ctx.clock.now().getTime();
  const stale = orders.filter(
    ({ entry, bytes }) => !state.holds(entry) && !(isSealed(bytes) && (desk.fresh.get(entry.hash)?.until ?? 0) > now),
  );
  const underived = await deriveAgain(desk, chain, state, stale);
  // By the signer's own clock: its caps count by it.
  const at = new Date(now);
  const { judged, admissible, answers } = await inTurn(desk, async () => {
    const capped = await capFaults(
      desk,
      state,
      orders.map(({ entry, transferId }) => (state.holds(entry) ? null : { entry, transferId })),
    );
    const judged = orders.map(({ entry }, index) => underived.get(entry.hash) ?? aboveCap(capped[index] ?? null));
    const admissible = orders.filter((_, index) => judged[index] === null).map((order) => ({ ...order, entry: { ...order.entry, at } }));
    const answers: Faults = await desk.journal.record(admissible.map(({ entry }) => entry));
    return { judged, admissible, answers };
  });
  for (const [index, order] of admissible.entries()) {
    const answer = answers[index];
    if (answer?.code === "owner_paid") answers[index] = await payAgain(desk, chain, order, answer);
  }
  for (const { entry } of admissible) {
    const own = desk.fresh.get(entry.hash);
    if (own !== undefined) own.isAdmitted = true;
  }
  const byHash = new Map(admissible.map(({ entry }, index) => [entry.hash, answers[index] ?? null]));
  return new Map(orders.map((order, index) => [order, judged[index] ?? byHash.get(order.entry.hash) ?? null]));
}

const aboveCap = (detail: string | null): AdmitFault | null => (detail === null ? null : { code: "capped", detail, place: null });

const CHANGED: AdmitFault = { code: "other_content", detail: "The stored bytes are not those of their hash.", place: null };
const CLOSED: AdmitFault = {
  ...CHANGED,
  detail:
    "The signer's seal does not open the stored bytes: they or their row were changed, or the file with the seal's key is another one.",
};
const faultOfChanged = ({ bytes }: AdmitOrder) => (isSealed(bytes) ? CLOSED : CHANGED);

/** Sealed bytes open for their own entry only. Bytes of a release without a signer are compared with their hash. */
async function isChanged(chain: EvmChain, { bytes, entry }: AdmitOrder, opened: string | null): Promise<boolean> {
  if (opened === null) return true;
  return !isSealed(bytes) && (await chain.hashOf(bytes).catch(() => "")) !== entry.hash;
}

/**
 * Derives again what was signed a while ago, or by a release without a signer: meanwhile the payment may have ended in another way. By the
 * hash: why it is not admitted.
 */
async function deriveAgain(
  desk: Desk,
  chain: EvmChain,
  state: JournalState,
  stale: readonly AdmitOrder[],
): Promise<Map<string, AdmitFault>> {
  const faults = new Map<string, AdmitFault>();
  if (stale.length === 0) return faults;
  const { db } = desk.ctx;
  const named = await listTransfers(
    db,
    stale.flatMap(({ transferId, members }) => members ?? [transferId]),
  );
  const transfers = new Map(named.map((transfer) => [transfer.id, transfer]));
  const payments = stale.flatMap(({ transferId, members, entry }) =>
    entry.kind === "cancellation" ? [] : (members ?? [transferId]).flatMap((id) => transfers.get(id) ?? []),
  );
  const unowed = payments.length === 0 ? new Map<string, string>() : await desk.findUnowed(db, payments, chain);
  const refused = stale.flatMap((order) => {
    const transfer = order.entry.kind === "payment" && unowed.has(order.transferId) ? transfers.get(order.transferId) : undefined;
    return transfer ? [{ order, transfer, place: order.entry }] : [];
  });
  const kept = await keepReleased(desk, chain, state, refused);
  const ruled = stale.map(({ transferId, members, entry }) => {
    const named = entry.kind === "cancellation" ? [] : (members ?? [transferId]);
    return { ...entry, payments: named.flatMap((id) => transfers.get(id) ?? []) };
  });
  const unsigned = await ruleFaults(desk, async () => state, ruled);
  for (const [index, order] of stale.entries()) {
    const { entry, transferId, members } = order;
    const transfer = transfers.get(transferId);
    const isPacked = entry.kind === "packed";
    const single = () => (kept.has(order) ? kept.get(order) : unowed.get(transferId)) ?? contentFault(entry, transfer);
    const packed = () => packFault(entry, derivePack(chain, members ?? [], { transfers, unowed }));
    const destination =
      transfer === undefined || entry.kind === "cancellation"
        ? null
        : await destinationFault({ desk, chain, readState: async () => state }, transfer);
    const barred = destination ?? unsigned[index] ?? null;
    const detail = entry.kind === "cancellation" ? null : isPacked ? packed() : single();
    // Nothing is wrong with it: it waits until packing is on again.
    if (isPacked && chain.packingContract === null)
      faults.set(entry.hash, { code: "not_packed", detail: detail ?? "", place: null, isDoubt: true });
    else if (detail !== null) faults.set(entry.hash, { code: "unowed", detail, place: null });
    else if (barred !== null) faults.set(entry.hash, { code: "unowed", detail: barred, place: null, isDoubt: true });
    else if (!isSealed(order.bytes) && (isPacked || !(await isWhatItSays(desk, chain, order, transfer)))) faults.set(entry.hash, CHANGED);
  }
  return faults;
}

/** Whether bytes that no signer has sealed are by a key that is here, and do what their row says. */
async function isWhatItSays(
  desk: Desk,
  chain: EvmChain,
  { entry, bytes, gasLimit, fees }: AdmitOrder,
  transfer: Transfer | undefined,
): Promise<boolean> {
  if ((await keyOf(desk, chain.chain, entry.wallet)) === null) return false;
  const empty = { to: entry.wallet, valueBase: 0n, data: "0x" };
  const { to, valueBase, data } = entry.kind === "cancellation" || transfer === undefined ? empty : intentOf(transfer);
  const unsigned = { to, valueBase, data, chainId: chain.chainId, nonce: entry.nonce, gasLimit, ...fees };
  try {
    return (await chain.checkSigned(bytes, unsigned, entry.wallet)) === entry.hash;
  } catch (error) {
    if (error instanceof Rejected) return false;
    throw error;
  }
}
