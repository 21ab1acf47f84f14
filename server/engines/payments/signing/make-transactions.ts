import { listStopped } from "#db/queries/halts/scope-halts.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { owePack } from "#db/queries/transfers/pack-members.ts";
import { insertAttempts, insertTransactions } from "#db/queries/transfers/transactions.ts";
import { lockTransfers, restTransfers, saveTransfers } from "#db/queries/transfers/transfers.ts";
import { lockWalletLease, spendNonces } from "#db/queries/transfers/wallets.ts";
import type { EvmFees } from "#domain/evm-fees.ts";
import { type EvmIntent, intentHash } from "#domain/evm-intent.ts";
import { newId } from "#domain/ids.ts";
import type { Screening } from "#domain/screening.ts";
import { advanceTransfer, type Transfer } from "#domain/transfer.ts";
import {
  concernsAll,
  countMove,
  type LeasedWallet,
  LeaseLost,
  type Pass,
  processAll,
  type TransferEngine,
} from "#server/engines/payments/engine.ts";
import type { SigningCheck } from "#server/services/holds/check-kinds.ts";
import { judgeBeforeSigning, SIGNING_CHECKS } from "#server/services/holds/judge-before-signing.ts";
import { screenedPurposes, screeningCheck } from "#server/services/screening/screening-check.ts";
import { orderOf } from "#server/services/transfers/journal-entries.ts";
import { isNotSigned, type NotSigned, type SignedAttempt, signAttempts } from "./sign-attempt.ts";
import { haltUnowed } from "./stop-unowed.ts";

/** A payment that is due. `screening`: what was said of its recipient; left out where nothing was asked. */
export type Payment = { transfer: Transfer; screening?: Screening | undefined };
/** What may be signed: a payment of which nothing speaks against it, or several in one transaction. */
export type Draft = Payment & {
  intent: EvmIntent;
  /** What it is estimated to use. */
  gas: bigint;
  gasLimit: bigint;
  fees: EvmFees;
  /** The payments of a packed transaction, whose own transfer is stored together with its nonce. */
  members?: readonly Payment[];
  /** Drafts of its payments alone, as far as they may be signed: nothing of it was stored. */
  unpack?(): Promise<readonly Draft[]>;
};
/** The payments that it makes. */
const paidBy = ({ transfer, screening, members }: Draft): readonly Payment[] => members ?? [{ transfer, screening }];

/** A packed transaction cannot be made as it is: a payment of it is no longer ours, or is held. */
class PackBroken extends Error {
  override readonly name = "PackBroken";
  readonly packs: ReadonlySet<string>;
  constructor(packs: ReadonlySet<string>) {
    super("a packed transaction cannot be made");
    this.packs = packs;
  }
}

type Made = Draft & { attempt: SignedAttempt };

/**
 * Gives transfers their nonces and their signed bytes, all in one transaction, before any byte goes to the network: a crash burns no
 * nonce. What falls out of a batch leaves no hole: of what came after it the bytes are thrown away, and it is signed one place further
 * down. Whatever is wrong with a packed transaction, nothing of it is stored, and its payments are made alone.
 *
 * @throws LeaseLost
 */
export async function makeAll(pass: Pass, wallet: LeasedWallet, drafts: readonly Draft[], token: string): Promise<void> {
  for (let rest = drafts; rest.length > 0; ) {
    const later: Draft[] = [];
    await processAll(pass, rest, async (some) => void later.push(...(await makeOrUnpack(pass, wallet, some, token))));
    rest = later;
  }
}

async function makeOrUnpack(pass: Pass, wallet: LeasedWallet, drafts: readonly Draft[], token: string): Promise<Draft[]> {
  try {
    return await make(pass, wallet, drafts, token);
  } catch (error) {
    const [first, ...others] = drafts;
    const isAlone = first?.members !== undefined && others.length === 0 && !concernsAll(error);
    const packs = error instanceof PackBroken ? error.packs : isAlone ? new Set([first.transfer.id]) : null;
    if (packs === null) throw error;
    pass.engine.ctx.log.warn({ packs: [...packs], wallet: wallet.row.address, err: error }, "payments are not packed: one by one");
    const alone: Draft[] = [];
    for (const draft of drafts) alone.push(...((packs.has(draft.transfer.id) ? await draft.unpack?.() : null) ?? [draft]));
    return alone;
  }
}

/** Signs and stores as many from the front as can be without a hole. Answers those that are still to be made. */
async function make(pass: Pass, wallet: LeasedWallet, drafts: readonly Draft[], token: string): Promise<Draft[]> {
  const answers = await sign(pass, wallet, drafts);
  if (answers === null) return [];
  const made: Made[] = [];
  for (const [index, draft] of drafts.entries()) {
    const attempt = answers[index];
    if (!attempt) break;
    made.push({ ...draft, attempt });
    pass.engine.step("signed", draft.transfer.id);
  }
  const { count, moved, held } = made.length === 0 ? NOTHING : await store(pass, wallet, made, token);
  wallet.nextNonce += count;
  for (const transfer of moved) {
    countMove(pass.engine, "queued", transfer);
    pass.engine.step("stored", transfer.id);
  }
  // The one after the last that was stored fell out: it was not signed, or is not ours to make any more.
  return drafts.filter(({ transfer }, index) => index > count && answers[index] && !held.has(transfer.id));
}

/** `count`: of transactions. `held`: what waits for people from now on. */
type Stored = { count: number; moved: readonly Transfer[]; held: ReadonlySet<string> };
const NOTHING: Stored = { count: 0, moved: [], held: new Set() };

/**
 * One answer for each draft; null where the signer did not sign, which is said on the transfer: what it does not answer is no fact about the
 * payment. Null for all: a payment that nobody owes has halted the chain just now, and nothing of the batch may be stored.
 */
async function sign(pass: Pass, wallet: LeasedWallet, drafts: readonly Draft[]): Promise<(SignedAttempt | null)[] | null> {
  const wanted = drafts.map(({ transfer, members, intent, gasLimit, fees }, index) => {
    const nonce = wallet.nextNonce + index;
    const packed = members?.map((member) => ({ transfer: member.transfer })) ?? [];
    return { of: orderOf({ transfer, members: packed }), kind: "payment" as const, intent, nonce, gasLimit, fees };
  });
  const signing = signAttempts(pass, wallet, wanted);
  const answers = await Promise.all(
    drafts.map(({ transfer }, index) => {
      const attributes = {
        "settlement.transfer_id": transfer.id,
        "settlement.chain": pass.chain.chain,
        "settlement.signer": wallet.signer.kind,
      };
      const about = { within: transfer.trace, kind: "client", attributes } as const;
      return pass.engine.ctx.tracer.span("transfer.sign", about, async () => (await signing)[index]);
    }),
  );
  const refused = drafts.flatMap(({ transfer, members }, index) => {
    const answer = answers[index];
    return answer && isNotSigned(answer) ? [{ transfer, isPack: members !== undefined, ...answer }] : [];
  });
  // Which payment is to blame, and whether any is, shows when each is signed alone.
  const packs = new Set(refused.flatMap(({ isPack, transfer }) => (isPack ? [transfer.id] : [])));
  if (packs.size > 0) throw new PackBroken(packs);
  if (await haltUnowed(pass, refused)) return null;
  await restUnsigned(pass, wallet, refused);
  return answers.map((answer) => (answer && !isNotSigned(answer) ? answer : null));
}

async function restUnsigned(pass: Pass, wallet: LeasedWallet, refused: readonly (NotSigned & { transfer: Transfer })[]): Promise<void> {
  const { ctx, timings } = pass.engine;
  for (const { transfer, kind, reason } of refused) {
    if (kind === "unowed") continue;
    ctx.log.error({ transfer_id: transfer.id, wallet: wallet.row.address, kind, reason }, "a signer did not sign");
    const waits = kind === "capped" ? ("review" as const) : ("chain_unavailable" as const);
    await restTransfers(ctx.db, [transfer.id], { kind: waits, reason, restMs: timings.restMs });
  }
}

/**
 * Nonces, signed bytes and states, together or not at all: of all up to the first that somebody else has now, whose partner or
 * pair is stopped, or that a check holds. All that are held are noted in the same transaction.
 */
async function store(pass: Pass, wallet: LeasedWallet, made: readonly Made[], token: string): Promise<Stored> {
  const { engine, chain, head } = pass;
  const { lease, nextNonce: from } = wallet;
  return await engine.ctx.db.transaction(async (tx) => {
    const ids = made.flatMap(paidBy).map(({ transfer }) => transfer.id);
    const locked = new Map((await lockTransfers(tx, ids, token)).map((transfer) => [transfer.id, transfer]));
    const stopped = await listStopped(tx, ids);
    const isOurs = ({ transfer: { id } }: Payment) => locked.get(id)?.state === "queued" && !stopped.has(id);
    const ours = upTo(made, (one) => !paidBy(one).every(isOurs));
    const now = await readBusinessNow(tx);
    const payments = ours.flatMap(paidBy);
    const judged = payments.map(({ transfer }) => locked.get(transfer.id) ?? transfer);
    const held = await judgeBeforeSigning(tx, judged, { walletId: wallet.row.id, now }, checksOf(engine, payments));
    const kept = upTo(ours, (one) => paidBy(one).some(({ transfer }) => held.has(transfer.id)));
    const fallen = made[kept.length];
    // Nothing of this is stored: what counts for limits would count twice.
    if (fallen?.members !== undefined) throw new PackBroken(new Set([fallen.transfer.id]));
    if (kept.length === 0) return { count: 0, moved: [], held };
    const spend = { from, count: kept.length, height: head.height };
    if (!((await lockWalletLease(tx, lease)) && (await spendNonces(tx, lease, spend))))
      throw new LeaseLost("the wallet was taken by another worker, or stopped");
    for (const { transfer, members } of kept)
      if (members)
        await owePack(
          tx,
          transfer,
          members.map((member) => member.transfer.id),
        );
    const placed = kept.map(({ transfer, intent, attempt }, index) => {
      const place = { id: newId("transaction", now), transferId: transfer.id, walletId: wallet.row.id, nonce: from + index };
      const transaction = { ...place, intent, intentHash: intentHash(chain.chain, wallet.row.address, intent), createdAt: now };
      return { transaction, attempt: { ...attempt, transactionId: place.id, number: 1, signedAt: now } };
    });
    await insertTransactions(
      tx,
      placed.map(({ transaction }) => transaction),
      chain.bumpAfterSeconds,
    );
    await insertAttempts(
      tx,
      placed.map(({ attempt }) => attempt),
    );
    const moved = kept.flatMap(({ transfer, members = [] }) => [
      advanceTransfer(locked.get(transfer.id) ?? transfer, { type: "sign" }, now),
      ...members.map((member) => advanceTransfer(locked.get(member.transfer.id) ?? member.transfer, { type: "pack" }, now)),
    ]);
    await saveTransfers(tx, moved, now);
    return { count: kept.length, moved, held };
  });
}

/** All that is asked of them; of their recipients what they brought along. */
function checksOf({ ctx }: TransferEngine, made: readonly Payment[]): readonly SigningCheck[] {
  if (!ctx.screener.isOn) return SIGNING_CHECKS;
  const screenings = made.flatMap(({ transfer: { id }, screening }) => (screening === undefined ? [] : [[id, screening] as const]));
  return [...SIGNING_CHECKS, screeningCheck(new Map(screenings), screenedPurposes(ctx.screener))];
}

/** What comes before the first that falls out. */
function upTo<Item>(items: readonly Item[], fallsOut: (item: Item) => boolean): readonly Item[] {
  const first = items.findIndex(fallsOut);
  return first === -1 ? items : items.slice(0, first);
}
