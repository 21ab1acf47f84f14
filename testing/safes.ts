import { randomUUID } from "node:crypto";
import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from "viem";
import { members } from "#db/schema/members.ts";
import type { Member } from "#domain/member.ts";
import { SENTINEL_ADDRESS } from "#domain/safe.ts";
import { deployMemberSafe } from "#server/services/members/member-safes.ts";
import type { TestChain } from "./chain.ts";
import { addPartner } from "./factories.ts";
import type { TransferBench } from "./transfers.ts";

const ADMIN = parseAbi([
  "function enableModule(address module)",
  "function setGuard(address guard)",
  "function swapOwner(address previous, address from, address to)",
]);

/** A guard that permits everything: `supportsInterface` returns true, and so does any other call. */
const PERMISSIVE = "0x600160005260206000f3";

export type SafeChange = { modules?: readonly Address[]; guard?: boolean; swapOwner?: { from: Address; to: Address } };

/** Has a Safe change itself, without its owners: enable modules, take a guard, exchange its first owner. Answers the guard's address. */
export async function asSafe(chain: TestChain, safe: Address, change: SafeChange): Promise<Address> {
  const guard = getAddress(`0x${safe.slice(2, 34)}deadbeef`);
  await chain.call("anvil_setCode", guard, PERMISSIVE);
  await chain.call("anvil_impersonateAccount", safe);
  await chain.call("anvil_setBalance", safe, "0xde0b6b3a7640000");
  for (const data of callsOf(change, guard)) await chain.call("eth_sendTransaction", { from: safe, to: safe, data, gas: "0x7a120" });
  await chain.mine();
  await chain.call("anvil_stopImpersonatingAccount", safe);
  await chain.call("anvil_setBalance", safe, "0x0");
  return guard;
}

function callsOf({ modules = [], guard: guarded, swapOwner }: SafeChange, guard: Address): Hex[] {
  const calls = modules.map((module) => encodeFunctionData({ abi: ADMIN, functionName: "enableModule", args: [module] }));
  if (guarded) calls.push(encodeFunctionData({ abi: ADMIN, functionName: "setGuard", args: [guard] }));
  if (swapOwner) {
    const args = [getAddress(SENTINEL_ADDRESS), swapOwner.from, swapOwner.to] as const;
    calls.push(encodeFunctionData({ abi: ADMIN, functionName: "swapOwner", args }));
  }
  return calls;
}

/** A new member whose Safe is to be deployed, of a new partner where none is named. */
export async function addDeployingMember({ db, ctx }: Pick<TransferBench, "db" | "ctx">, chain: string, of?: string): Promise<Member> {
  const { partnerId } = of === undefined ? await addPartner(db) : { partnerId: of };
  const now = new Date();
  const id = randomUUID();
  const member: Member = {
    id,
    partnerId,
    externalUserId: of === undefined ? "customer-1" : id,
    phone: of === undefined ? "+254712345678" : `+2547${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}`,
    name: null,
    email: null,
    walletAddress: null,
    chain,
    safeStatus: "deploying",
    createdAt: now,
    updatedAt: now,
  };
  await db.transaction(async (tx) => {
    await tx.insert(members).values(member);
    await deployMemberSafe(tx, ctx, member);
  });
  return member;
}
