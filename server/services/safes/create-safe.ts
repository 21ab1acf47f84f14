import { randomBytes } from "node:crypto";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { type SafeVersion, SENTINEL_ADDRESS } from "#domain/safe.ts";
import type { SafeDeployment } from "#domain/safe-deployment.ts";
import { checksumAddress, checkWalletAddress } from "#domain/wallet-address.ts";
import type { Uses } from "#server/context.ts";
import { askDeployment, type DeploymentWish } from "./ask-deployment.ts";

export type CreateSafe = DeploymentWish & { chain: string; owners: readonly string[]; threshold: number; version: SafeVersion };

/**
 * Has a Safe deployed, at an address of its own each time (contract, part 6).
 *
 * @throws Refusal `forbidden`, `unsupported_chain`, `invalid_wallet_address` (an owner), `validation_failed`, `idempotency_key_reused`
 */
export async function createSafe(
  ctx: Uses<"db" | "clock" | "evm">,
  { chain, owners, threshold, version, ...wish }: CreateSafe,
): Promise<SafeDeployment> {
  const checked = owners.map((owner, index) => checkOwner(chain, owner, index));
  if (new Set(checked).size !== checked.length) throw invalid("/owners", "must name each owner once");
  if (threshold < 1 || threshold > checked.length) throw invalid("/threshold", "must not exceed the number of owners");
  return await askDeployment(ctx, wish, { kind: "safe", chain, version, owners: checked, threshold, saltNonce: newSaltNonce() });
}

/** Nobody can guess where a Safe will be before it is asked for, nor take its place. */
export function newSaltNonce(): string {
  return `0x${randomBytes(32).toString("hex")}`;
}

/** The owner in its EIP-55 form. */
function checkOwner(chain: string, owner: string, index: number): string {
  const pointer = `/owners/${index}`;
  try {
    checkWalletAddress({ chain, address: owner, refused: [] });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw invalidOwner(pointer, error.message);
  }
  if (owner.toLowerCase() === SENTINEL_ADDRESS) throw invalidOwner(pointer, "A Safe uses this address itself, to mark the end of a list.");
  return checksumAddress(owner);
}

function invalidOwner(pointer: string, message: string): Refusal {
  return new Refusal("invalid_wallet_address", { detail: message, errors: [{ pointer, code: "invalid_wallet_address", message }] });
}

function invalid(pointer: string, message: string): Refusal {
  return new Refusal("validation_failed", { errors: [{ pointer, code: "invalid", message }] });
}
