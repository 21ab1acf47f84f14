import { haltLiftBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findHalt, listLiftedHalts, lockHalt, saveLift } from "#db/queries/halts/scope-halts.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { listOpenProposals } from "#db/queries/proposals/proposals.ts";
import { hasProved } from "#db/queries/transfers/transfer-proofs.ts";
import { findTransfer, wakeTransfers } from "#db/queries/transfers/transfers.ts";
import { listWallets } from "#db/queries/transfers/wallets.ts";
import type { By } from "#domain/access.ts";
import { foreignNoncesIn, paidTransfersIn, type ScopeHalt } from "#domain/halt-scope.ts";
import { isId } from "#domain/ids.ts";
import { formatRanges } from "#domain/number-ranges.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { type Order, type ProposalKind, type Proposed, propose } from "#server/services/proposals/propose.ts";
import { type HaltReading, readHalt } from "./compare-treasury.ts";
import { keepUnexplained } from "./keep-unexplained.ts";

type Body = ReturnType<typeof haltLiftBody.parse>;

/** In live mode, a halt after a broken invariant takes two people to lift. */
export const HALT_LIFT: ProposalKind<Body, ScopeHalt, object> = {
  kind: "lane_lift",
  isSigned: true,
  permission: "administer",
  schema: haltLiftBody,
  show: (body) => body,
  carryOut: (ctx, order) => lift(ctx.db, order),
};

/**
 * Proposes to lift a halt, with the reason; in the sandbox it is lifted at once. For a halt by unknown transactions, the chain is read
 * first, every nonce. `acceptedNonces`: those that may stay unread; they are recorded in the proposal and in the audit log.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `conflict` when that is proposed already, `invalid_state` when it was
 * lifted, when a payment that an unknown transaction seems to have made is still open and would be made again, or when a nonce cannot be read
 * and is not accepted
 */
export async function liftHalt(
  ctx: Uses<"db" | "clock" | "mode" | "evm">,
  command: { by: By; haltId: string; reason: string; acceptedNonces?: readonly number[] | undefined },
): Promise<Proposed<ScopeHalt>> {
  const { by, haltId, reason, acceptedNonces = [] } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  const halt = isId("scopeHalt", haltId) ? await findHalt(ctx.db, haltId) : null;
  if (halt === null) throw new Refusal("not_found", { detail: "There is no such halt." });
  const reading = halt.lift === null ? await readHalt(ctx, halt) : null;
  const paid = reading?.paid ?? [];
  await refuseUnlessLiftable(ctx.db, halt, paid);
  if (reading !== null) refuseUnread(reading, acceptedNonces);
  if (reading !== null) await keepUnexplained(ctx.db, { chain: reading.chain, wallet: reading.address }, reading.transactions);
  const scope = { halt_id: halt.id, lane: halt.scope.kind, key: halt.scope.key, cause: halt.cause };
  const found = paid.map(({ transferId, hash }) => ({ transfer_id: transferId, hash }));
  const body = reading === null ? scope : { ...scope, paid: found, accepted_unread: [...reading.unread] };
  return await propose(ctx, HALT_LIFT, { by, subject: halt.id, body, reason });
}

async function lift(tx: Database, { by, proposer, body, reason }: Order<Body>): Promise<ScopeHalt> {
  const halt = await lockHalt(tx, body.halt_id);
  if (halt === null) throw new Refusal("not_found", { detail: "There is no such halt." });
  if (body.accepted_unread === undefined && foreignNoncesIn(halt) !== null)
    throw new Refusal("invalid_state", { detail: "It was proposed before the chain was read. Withdraw it and propose it again." });
  await refuseUnlessLiftable(
    tx,
    halt,
    (body.paid ?? []).map(({ transfer_id: transferId, hash }) => ({ transferId, hash })),
  );
  const now = await readBusinessNow(tx);
  const actor = by.actor.type === "user" ? by.actor.userId : by.actor.type === "operator_key" ? by.actor.apiKeyId : null;
  const lifted = { at: now, by: proposer.id, confirmedBy: actor === proposer.id ? null : actor, reason: reason ?? "" };
  if (!(await saveLift(tx, halt.id, lifted))) throw new Refusal("invalid_state", { detail: "It was already lifted." });
  const change = {
    lane: halt.scope.kind,
    key: halt.scope.key,
    cause: halt.cause,
    asked_by: proposer.id,
    accepted_unread: body.accepted_unread ?? [],
  };
  await insertAuditEntry(tx, { by, partnerId: null, action: "lane.lifted", objectId: halt.id, reason, change, now });
  await wakeTransfers(tx);
  return { ...halt, lift: lifted };
}

/** `paid`: what the chain said last, next to what it said when the scope was halted. */
async function refuseUnlessLiftable(db: Database, halt: ScopeHalt, paid: HaltReading["paid"]): Promise<void> {
  if (halt.lift !== null) throw new Refusal("invalid_state", { detail: "It was already lifted." });
  for (const { transferId, hash } of [...paidTransfersIn(halt), ...paid]) {
    const transfer = await findTransfer(db, transferId);
    if (transfer?.state !== "queued" || (await hasProved(db, transfer.chain, hash))) continue;
    throw new Refusal("invalid_state", {
      detail: `${transferId} would be paid twice, because ${hash} seems to have paid it. First book that payment (npm run compare), or cancel the transfer.`,
    });
  }
}

function refuseUnread({ address, unread }: HaltReading, accepted: readonly number[]): void {
  const left = unread.filter((nonce) => !accepted.includes(nonce));
  if (left.length === 0) return;
  const which = `${left.length === 1 ? "Nonce" : "Nonces"} ${formatRanges(left)} of ${address}`;
  throw new Refusal("invalid_state", {
    detail: `${which} could not be read. A payment under it may be made twice. Try again when a node answers, or accept each nonce by its number.`,
  });
}

/** `name`: the scope's display name. `proposal`: who has proposed to lift the halt. */
export type ShownHalt = ScopeHalt & { name: string; proposal: { id: string; by: string; reason: string | null } | null };

const LIFTED = 10;
const PROPOSALS = 100;

/** Every halted scope, and those that were lifted last, for the console. */
export async function readHalts(ctx: Uses<"db">): Promise<{ open: ShownHalt[]; lifted: ShownHalt[] }> {
  const [open, lifted, wallets, proposals] = await Promise.all([
    listOpenHalts(ctx),
    listLiftedHalts(ctx.db, LIFTED),
    listWallets(ctx.db),
    listOpenProposals(ctx.db, PROPOSALS),
  ]);
  const nameOf = async ({ kind, key }: ScopeHalt["scope"]): Promise<string> => {
    if (kind === "partner") return (await findPartner(ctx.db, key))?.name ?? key;
    const wallet = kind === "wallet" ? wallets.find(({ id }) => id === key) : undefined;
    return wallet ? `${wallet.address} on ${wallet.chain}` : key;
  };
  const show = async (halt: ScopeHalt): Promise<ShownHalt> => {
    const asked = proposals.find(({ kind, subject }) => kind === HALT_LIFT.kind && subject === halt.id);
    const proposal = asked ? { id: asked.id, by: asked.proposer.name, reason: asked.reason } : null;
    return { ...halt, name: await nameOf(halt.scope), proposal };
  };
  return { open: await Promise.all(open.map(show)), lifted: await Promise.all(lifted.map(show)) };
}
