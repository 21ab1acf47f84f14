import type { Transfer } from "#domain/transfer.ts";
import type { EvmChain } from "#server/ports.ts";
import { type Desk, keyOf } from "./desk.ts";

/**
 * Why crypto does not go to this address: out of the treasury only to what the signer's own settings name, and out of a Safe only to a wallet
 * whose key is here. No row adds an address. It is no forgery when the settings of other processes know more, so the payment waits.
 */
export async function destinationFault(
  desk: Desk,
  { chain, treasuryDestinations, name }: EvmChain,
  { purpose, recipient }: Transfer,
): Promise<string | null> {
  if (purpose === "sweep") {
    const isOurs = (await keyOf(desk, chain, recipient)) !== null;
    return isOurs ? null : `No key of ${recipient} is here: a Safe's crypto goes only to a wallet that the signer signs for.`;
  }
  if (purpose !== "treasury_withdrawal") return null;
  const isNamed = treasuryDestinations.some((address) => address.toLowerCase() === recipient.toLowerCase());
  return isNamed ? null : `The signer's settings for ${name} do not name ${recipient} as a destination of the treasury.`;
}
