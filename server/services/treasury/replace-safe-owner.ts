import { safeOwnerSwapBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listPartnerWallets } from "#db/queries/partners/partners.ts";
import { insertSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import { countSafesOf, type KnownSafe, listOpenSwaps, listSafesOf } from "#db/queries/safes/safe-owners.ts";
import { findWallet, lockWallet, type Wallet } from "#db/queries/transfers/wallets.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { SAFE_VERSIONS } from "#domain/safe.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { Unreachable } from "#server/ports.ts";
import { type Order, type ProposalKind, type Proposed, propose } from "#server/services/proposals/propose.ts";
import { newDeployment } from "#server/services/safes/ask-deployment.ts";
import { askChain } from "#server/services/safes/read-own-safe.ts";
import { auditOrder } from "./audit-order.ts";

type Body = ReturnType<typeof safeOwnerSwapBody.parse>;

/** Gives a wallet's Safes another owner, once two people have approved. Returns how many swaps were requested. */
export const SAFE_OWNER_SWAP: ProposalKind<Body, number, object> = {
  kind: "safe_owner_swap",
  permission: "administer",
  schema: safeOwnerSwapBody,
  show: ({ chain, owner, others }) => ({ chain, owner, others: others.map(({ address }) => address) }),
  carryOut: (ctx, order) => askSwaps(ctx.db, order),
};

/**
 * Proposes to replace a wallet that signs nothing new as the owner of all its Safes: those that this service deployed, and partners' own
 * that it owns according to the chain. The worker swaps each; proposing again repeats those that failed.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `conflict` when that is proposed already, `invalid_state` for an active
 * wallet and for one without a Safe, `temporarily_unavailable` when no node answers
 */
export async function replaceSafeOwner(
  ctx: Uses<"db" | "clock" | "mode" | "evm">,
  command: { by: By; walletId: string; reason: string },
): Promise<Proposed<number>> {
  const { by, walletId, reason } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  const wallet = isUuid(walletId) ? await findWallet(ctx.db, walletId) : null;
  if (wallet === null) throw new Refusal("not_found", { detail: "There is no such wallet." });
  if (wallet.state === "active")
    throw new Refusal("invalid_state", { detail: "The wallet is active. Drain it first, or mark it as compromised." });
  const others = await findOtherSafes(ctx, wallet);
  const { chain, address: owner } = wallet;
  if (others.length === 0 && (await countSafesOf(ctx.db, { chain, owner })) === 0)
    throw new Refusal("invalid_state", { detail: "No Safe belongs to this wallet." });
  const body = { wallet_id: wallet.id, chain, owner, others };
  return await propose(ctx, SAFE_OWNER_SWAP, { by, subject: wallet.id, body, reason });
}

/**
 * Refuses while the wallet owns a Safe: nothing else could move that Safe's funds.
 *
 * @throws Refusal `invalid_state`, `temporarily_unavailable` when no node answers
 */
export async function refuseWhileItOwnsSafes(ctx: Uses<"db" | "evm">, wallet: Wallet): Promise<void> {
  const { chain, address: owner } = wallet;
  const others = await findOtherSafes(ctx, wallet);
  const safes = (await countSafesOf(ctx.db, { chain, owner })) + others.length;
  if (safes === 0) return;
  const these = safes === 1 ? "1 Safe still belongs" : `${safes} Safes still belong`;
  throw new Refusal("invalid_state", { detail: `${these} to this wallet. Give them a new owner first.` });
}

/** Those of the partners' own addresses that are Safes of the wallet on the chain, and that this service did not deploy. */
async function findOtherSafes({ db, evm }: Uses<"db" | "evm">, { chain: name, address: owner }: Wallet): Promise<KnownSafe[]> {
  const chain = evm.find(name);
  if (chain === null) return [];
  const known = new Set((await listSafesOf(db, { chain: name, owner })).map(({ address }) => address.toLowerCase()));
  const found: KnownSafe[] = [];
  for (const address of await listPartnerWallets(db)) {
    if (known.has(address.toLowerCase())) continue;
    const safe = await askChain(chain, (node) => node.safe(address)).catch((error: unknown) => {
      if (!(error instanceof Unreachable)) throw error;
      throw new Refusal("temporarily_unavailable", { detail: `No node of ${chain.name} answers.`, retryAfterSeconds: 10, cause: error });
    });
    const version = SAFE_VERSIONS.find((each) => each === safe?.version);
    if (safe === null || version === undefined || !safe.owners.some((each) => each.toLowerCase() === owner.toLowerCase())) continue;
    found.push({ address: safe.address, version });
  }
  return found;
}

async function askSwaps(tx: Database, { by, proposer, body, reason }: Order<Body>): Promise<number> {
  const { wallet_id: walletId, chain, owner, others } = body;
  const wallet = await lockWallet(tx, walletId);
  if (wallet === null || wallet.state === "active")
    throw new Refusal("invalid_state", { detail: "The wallet is active again, so its Safes keep their owner." });
  const open = await listOpenSwaps(tx, { chain, owner });
  const wanted = [...(await listSafesOf(tx, { chain, owner })), ...others].filter(({ address }) => !open.has(address.toLowerCase()));
  for (const { address, version } of wanted) {
    const order = { kind: "owner_swap" as const, chain, version, owners: [owner], threshold: null, saltNonce: null };
    await insertSafeDeployment(tx, { ...(await newDeployment(tx, order)), address });
  }
  const change = { chain, address: owner, safes: wanted.length, asked_by: proposer.id };
  await auditOrder(
    tx,
    { by, reason: reason ?? "" },
    { action: "wallet.safes_reassigned", objectId: walletId, change, now: await readBusinessNow(tx) },
  );
  return wanted.length;
}
