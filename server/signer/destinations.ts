import { findWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { findMemberOfTopup } from "#db/queries/members/members.ts";
import { findLivingDeploymentOf, findSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import { type JournalState, journalOwner } from "#domain/journal.ts";
import type { Member } from "#domain/member.ts";
import type { Transfer } from "#domain/transfer.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import { type EvmChain, Rejected, Unreachable } from "#server/ports.ts";
import { askChain } from "#server/services/safes/read-own-safe.ts";
import { isTheSafe } from "#server/services/safes/verify-deployment.ts";
import { isAddressOf } from "#server/services/transfers/derive-creation.ts";
import { type Desk, keyOf } from "./desk.ts";

type Place = { desk: Desk; chain: EvmChain; readState: () => Promise<JournalState> };

/**
 * Why crypto does not go to this address, though its order says so: rows name addresses, and some log-ins write rows. It is no forgery where the
 * settings of other processes know more, or while no node answers, so the payment waits.
 */
export async function destinationFault(place: Place, transfer: Transfer): Promise<string | null> {
  try {
    switch (transfer.purpose) {
      case "treasury_withdrawal":
        return treasuryFault(place, transfer);
      case "sweep":
        return await sweepFault(place, transfer);
      case "topup":
        return await topupFault(place, transfer);
      case "return":
        return await returnFault(place, transfer);
      case "deployment":
        return await deploymentFault(place, transfer);
      default:
        return null;
    }
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Rejected)
      return `The signer asks the nodes of ${place.chain.name} first, and none answers.`;
    throw error;
  }
}

/** Out of the treasury only to what the signer's own settings name. */
function treasuryFault({ chain: { treasuryDestinations, name } }: Place, { recipient }: Transfer): string | null {
  const isNamed = treasuryDestinations.some((address) => isSame(address, recipient));
  return isNamed ? null : `The signer's settings for ${name} do not name ${recipient} as a destination of the treasury.`;
}

/** Out of a Safe only to a wallet whose key is here. No row adds an address. */
async function sweepFault({ desk, chain }: Place, { recipient }: Transfer): Promise<string | null> {
  const isOurs = (await keyOf(desk, chain.chain, recipient)) !== null;
  return isOurs ? null : `No key of ${recipient} is here: a Safe's crypto goes only to a wallet that the signer signs for.`;
}

/** A member's Safe belongs to a wallet whose key is here; otherwise what it receives would be its owner's. */
async function deploymentFault({ desk, chain }: Place, { ownerId }: Transfer): Promise<string | null> {
  const deployment = await findSafeDeployment(desk.ctx.db, ownerId);
  if (deployment?.kind !== "safe" || deployment.memberId === null) return null;
  const [owner = "nobody", ...others] = deployment.owners ?? [];
  if (others.length === 0 && (await keyOf(desk, chain.chain, owner)) !== null) return null;
  return `No key of ${[owner, ...others].join(", ")} is here: a member's Safe belongs to one wallet that the signer signs for.`;
}

/**
 * A top-up goes to the wallet that its member brought, which never changes, or to the Safe that was asked for the member: at the address which
 * follows from its salt and from an owner whose key is here.
 */
async function topupFault(place: Place, { ownerId, recipient }: Transfer): Promise<string | null> {
  const member = await findMemberOfTopup(place.desk.ctx.db, ownerId);
  // There is no such top-up: nobody owes the payment, and its derivation says so.
  if (member === null) return null;
  const isTheirs = member.safeStatus === null ? isSame(member.walletAddress ?? "", recipient) : await isSafeOf(place, member, recipient);
  return isTheirs ? null : `${recipient} is not the wallet of the top-up's member.`;
}

async function isSafeOf({ desk, chain }: Place, { id }: Pick<Member, "id">, address: string): Promise<boolean> {
  const { db } = desk.ctx;
  const deployment = await findLivingDeploymentOf(db, id);
  if (deployment?.kind !== "safe" || deployment.chain !== chain.chain) return false;
  const keys = await addressesHere(desk, chain);
  for (const owner of keys) if (await isAddressOf(db, chain, deployment, { owner, address })) return true;
  // Its first owner may have been replaced since, because the key was lost. Then the chain shows whose it is.
  const others = (await listWalletAddresses(db, chain.chain)).filter((wallet) => !keys.some((key) => isSame(key, wallet)));
  for (const owner of others)
    if (await isAddressOf(db, chain, deployment, { owner, address })) return await isHeldBy(chain, keys, { ...deployment, address });
  return false;
}

async function isHeldBy(
  chain: EvmChain,
  keys: readonly string[],
  { address, ...deployment }: Parameters<typeof isTheSafe>[2] & { address: string },
): Promise<boolean> {
  for (const key of keys)
    if (await askChain(chain, (node) => isTheSafe(chain, node, { ...deployment, owners: [key] }, address))) return true;
  return false;
}

/** What was swept comes back, and nothing else: the chain shows the sweep, under a hash that the signer signed for this withdrawal. */
async function returnFault({ desk, chain, readState }: Place, { ownerId }: Transfer): Promise<string | null> {
  const { db } = desk.ctx;
  // There is no such withdrawal: nobody owes the payment, and its derivation says so.
  if ((await findWithdrawal(db, ownerId)) === null) return null;
  const sweep = await findTransferOf(db, "sweep", ownerId);
  const hash = sweep?.txHash ?? null;
  if (sweep === null || hash === null) return "Nothing was swept for this withdrawal, so nothing returns.";
  const state = await readState();
  const place = state.paidUnder(journalOwner(sweep));
  if (place === null || !state.holds({ ...place, hash }))
    return `The signer did not sign ${hash} to sweep this withdrawal, so nothing returns.`;
  const receipt = await askChain(chain, (node) => node.receipt(hash));
  const isSwept = receipt?.succeeded === true && judgeReceipt(sweep, receipt.logs).type === "execute";
  return isSwept ? null : `The chain does not show that ${hash} swept this withdrawal, so nothing returns.`;
}

async function addressesHere({ keys }: Desk, { chain }: EvmChain): Promise<string[]> {
  const addresses = await Promise.all(keys.of(chain).map((key) => key.address().catch(() => null)));
  return addresses.flatMap((address) => address ?? []);
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
