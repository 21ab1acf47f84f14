import type { Database } from "#db/client.ts";
import { listStandingContracts } from "#db/queries/safes/safe-deployments.ts";
import type { EvmIntent } from "#domain/evm-intent.ts";
import { SAFE_CONTRACTS, type SafeContract, type SafePlan } from "#domain/safe.ts";
import type { SafeDeployment } from "#domain/safe-deployment.ts";
import { type EvmChain, EvmRejected, Unreachable } from "#server/ports.ts";

/** What creates a Safe, and the address that follows from it. */
type Creation = { call: EvmIntent; address: string };
type Asked = Pick<SafePlan, "version" | "owners" | "threshold" | "saltNonce">;
type Places = Record<SafeContract, string[]>;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/**
 * The creation of a Safe as it was asked for, if this call is it: every byte is derived again from owners, threshold and salt, and so is the
 * address. Null: it is another one.
 *
 * @throws Unreachable where the call names contracts that only a node can show to be canonical
 */
export async function findCreation(
  tx: Database,
  chain: EvmChain,
  { version, owners, threshold, saltNonce, address }: SafeDeployment,
  call: EvmIntent,
): Promise<EvmIntent | null> {
  if (owners === null || threshold === null || saltNonce === null || address === null) return null;
  if (!owners.every((owner) => ADDRESS.test(owner))) return null;
  const text = `${call.to}${call.data}`.toLowerCase();
  const isNamed = (place: string) => text.includes(place.slice(2).toLowerCase());
  for await (const creation of creationsOf(tx, chain, { version, owners, threshold, saltNonce: BigInt(saltNonce) }, isNamed)) {
    const isSame = creation.call.to?.toLowerCase() === call.to?.toLowerCase() && creation.call.data === call.data;
    if (isSame && creation.address.toLowerCase() === address.toLowerCase()) return creation.call;
  }
  return null;
}

/** Whether the Safe of that deployment has that address when this is its first and only owner. @throws Unreachable as above */
export async function isAddressOf(
  tx: Database,
  chain: EvmChain,
  { version, threshold, saltNonce }: SafeDeployment,
  { owner, address }: { owner: string; address: string },
): Promise<boolean> {
  if (threshold === null || saltNonce === null) return false;
  const asked = { version, owners: [owner], threshold, saltNonce: BigInt(saltNonce) };
  for await (const creation of creationsOf(tx, chain, asked)) if (creation.address.toLowerCase() === address.toLowerCase()) return true;
  return false;
}

/**
 * By each set of contracts that a Safe of the service may use. The address of a canonical contract proves its code; a copy that the service
 * deployed counts only while a node shows that its code is canonical.
 */
async function* creationsOf(tx: Database, chain: EvmChain, asked: Asked, isUsed = (_: string) => true): AsyncGenerator<Creation> {
  const homes = await placesBy(async (contract) =>
    chain.safes
      .homes(contract, asked.version)
      .map(({ address }) => address)
      .filter(isUsed),
  );
  for (const contracts of setsOf(homes)) yield await chain.safes.createSafe({ ...asked, ...contracts });
  const copies = await placesBy((contract) => listCopies(tx, chain, { ...asked, contract }, isUsed));
  if (SAFE_CONTRACTS.every((contract) => copies[contract].length === 0)) return;
  const all = await placesBy(async (contract) => [...new Set([...homes[contract], ...copies[contract]])]);
  for (const contracts of setsOf(all)) yield await chain.safes.createSafe({ ...asked, ...contracts });
}

async function listCopies(
  tx: Database,
  chain: EvmChain,
  { version, contract }: Pick<Asked, "version"> & { contract: SafeContract },
  isUsed: (place: string) => boolean,
): Promise<string[]> {
  const standing = (await listStandingContracts(tx, { chain: chain.chain, version, contract })).filter(isUsed);
  const canonical: string[] = [];
  for (const place of standing) {
    const code = chain.safes.recognise(await codeAt(chain, place));
    if (code?.contract === contract && code.version === version) canonical.push(place);
  }
  return canonical;
}

/** By the first node that answers. @throws Unreachable */
async function codeAt(chain: EvmChain, place: string): Promise<string> {
  for (const node of chain.nodes) {
    try {
      return await node.code(place);
    } catch (error) {
      if (!(error instanceof Unreachable) && !(error instanceof EvmRejected)) throw error;
    }
  }
  throw new Unreachable(`no node of ${chain.chain} answers`);
}

async function placesBy(find: (contract: SafeContract) => Promise<string[]>): Promise<Places> {
  const [master_copy, proxy_factory, fallback_handler] = [
    await find("master_copy"),
    await find("proxy_factory"),
    await find("fallback_handler"),
  ];
  return { master_copy, proxy_factory, fallback_handler };
}

function setsOf(places: Places): Record<SafeContract, string>[] {
  return places.master_copy.flatMap((master_copy) =>
    places.proxy_factory.flatMap((proxy_factory) =>
      places.fallback_handler.map((fallback_handler) => ({ master_copy, proxy_factory, fallback_handler })),
    ),
  );
}
