import type { Database } from "#db/client.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lockMemberById, saveMember } from "#db/queries/members/members.ts";
import { lockSafeDeployment, saveSafeDeployment, wakeAskedDeployments } from "#db/queries/safes/safe-deployments.ts";
import { handOverSweeps, saveSafeOwners } from "#db/queries/safes/safe-owners.ts";
import { findTransaction } from "#db/queries/transfers/transactions.ts";
import { wakeTransfers } from "#db/queries/transfers/transfers.ts";
import { createdAddress } from "#domain/contract-address.ts";
import { advanceDeployment, type SafeDeployment } from "#domain/safe-deployment.ts";
import type { Transfer } from "#domain/transfer.ts";
import { memberEvent } from "#server/services/events/event-of.ts";

/**
 * A deployment's transfer is final, in the transaction that ends it. Whether the right code is on the chain takes a network call, which the
 * worker makes next. It checks after a failure too, because somebody else may have deployed exactly the same.
 */
export async function completeDeployment(tx: Database, transfer: Transfer): Promise<void> {
  const deployment = await lockSafeDeployment(tx, transfer.ownerId);
  if (deployment === null) throw new Error(`there is no deployment ${transfer.ownerId}`);
  const reason = transfer.state === "failed" ? (transfer.failureReason ?? "The transfer failed.") : null;
  const address = deployment.address ?? (reason === null ? await addressByNonce(tx, transfer) : null);
  if (address === null) return await failDeployment(tx, deployment, reason ?? "The transfer failed.");
  await saveSafeDeployment(tx, advanceDeployment(deployment, { type: "make", address, reason }, await readBusinessNow(tx)));
}

/** The right code is on the chain: what waited for it continues. The caller has locked the deployment. */
export async function concludeDeployment(tx: Database, deployment: SafeDeployment): Promise<void> {
  const now = await readBusinessNow(tx);
  await saveSafeDeployment(tx, advanceDeployment(deployment, { type: "deploy" }, now));
  if (deployment.kind === "owner_swap") return await concludeSwap(tx, deployment);
  if (deployment.kind !== "safe") await wakeAskedDeployments(tx, deployment.chain);
  await notifyMember(tx, deployment, { safeStatus: "deployed", walletAddress: deployment.address, updatedAt: now });
}

/** The new owner is set: the Safe is its own, and transfers that waited for the old one continue with it. */
async function concludeSwap(tx: Database, { chain, address, owners }: SafeDeployment): Promise<void> {
  const [from, to] = owners ?? [];
  if (address === null || from === undefined || to === undefined) throw new Error("a swap that was owed names no owners or no Safe");
  await saveSafeOwners(tx, { chain, address, before: from, owners: [to] });
  await handOverSweeps(tx, { chain, safe: address, from, to });
  await wakeTransfers(tx);
}

/** It will not come. The deployment is locked by the caller. */
export async function failDeployment(tx: Database, deployment: SafeDeployment, reason: string): Promise<void> {
  const now = await readBusinessNow(tx);
  await saveSafeDeployment(tx, advanceDeployment(deployment, { type: "fail", reason }, now));
  if (deployment.kind !== "safe") await wakeAskedDeployments(tx, deployment.chain);
  await notifyMember(tx, deployment, { safeStatus: "failed", walletAddress: null, updatedAt: now });
}

async function notifyMember(tx: Database, { memberId }: SafeDeployment, change: Parameters<typeof saveMember>[2]): Promise<void> {
  const member = memberId === null ? null : await lockMemberById(tx, memberId);
  if (member === null) return;
  await saveMember(tx, member.id, change);
  const type = change.safeStatus === "deployed" ? "member.safe_deployed" : "member.safe_failed";
  await recordEvents(tx, [memberEvent(type, { ...member, ...change }, change.updatedAt)]);
}

async function addressByNonce(tx: Database, transfer: Transfer): Promise<string> {
  const transaction = await findTransaction(tx, transfer.id);
  if (transaction === null) throw new Error("a deployment that was made has no transaction");
  return createdAddress(transaction.walletAddress, transaction.nonce);
}
