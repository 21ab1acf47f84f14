import { findSharedDeployment, insertSafeDeployment, listStandingContracts } from "#db/queries/safes/safe-deployments.ts";
import { SAFE_CONTRACTS, type SafeContract, type SafeVersion } from "#domain/safe.ts";
import type { Uses } from "#server/context.ts";
import type { EvmChain } from "#server/ports.ts";
import { newDeployment } from "./ask-deployment.ts";
import { askChain } from "./read-own-safe.ts";

export type Located = { contracts: Record<SafeContract, string> } | { waiting: string };

/** How long to wait after a failed attempt before the next: each costs gas. */
const RETRY_AFTER_MS = 600_000;

/**
 * The addresses of a release's contracts on a chain: the canonical ones, or else this service's own, and only with the canonical code.
 * Requests the missing ones, once for all Safes that wait for them.
 *
 * @throws Unreachable
 */
export async function locateContracts(ctx: Uses<"db">, chain: EvmChain, version: SafeVersion): Promise<Located> {
  const found: Partial<Record<SafeContract, string>> = {};
  let waiting: string | null = null;
  for (const contract of SAFE_CONTRACTS) {
    const place = await locate(ctx, chain, version, contract);
    if ("address" in place) found[contract] = place.address;
    else waiting ??= place.waiting;
  }
  const { master_copy, proxy_factory, fallback_handler } = found;
  if (master_copy && proxy_factory && fallback_handler) return { contracts: { master_copy, proxy_factory, fallback_handler } };
  return { waiting: waiting ?? "The Safe contracts of this chain are not there yet." };
}

type Place = { address: string } | { waiting: string };

async function locate(ctx: Uses<"db">, chain: EvmChain, version: SafeVersion, contract: SafeContract): Promise<Place> {
  const of = { chain: chain.chain, version, contract };
  const shared = await findSharedDeployment(ctx.db, of);
  // A block may still be undone: nothing builds on a contract before it is final.
  if (shared && ["asked", "owed", "made"].includes(shared.state))
    return { waiting: shared.waitingReason ?? "The Safe contracts of this chain are being deployed." };
  const places = [...chain.safes.homes(contract, version).map(({ address }) => address), ...(await listStandingContracts(ctx.db, of))];
  for (const address of new Set(places)) {
    const code = chain.safes.recognise(await askChain(chain, (node) => node.code(address)));
    if (code?.contract === contract && code.version === version) return { address };
  }
  const next = await ctx.db.transaction(async (tx) => {
    const deployment = await newDeployment(tx, {
      kind: contract,
      chain: chain.chain,
      version,
      owners: null,
      threshold: null,
      saltNonce: null,
      shared: true,
    });
    const isRecent = shared?.state === "failed" && shared.updatedAt.getTime() > deployment.createdAt.getTime() - RETRY_AFTER_MS;
    if (!isRecent) await insertSafeDeployment(tx, deployment);
    return isRecent ? shared.failureReason : null;
  });
  return { waiting: next ?? "The Safe contracts of this chain are being deployed." };
}
