import type { Transfer } from "#domain/transfer.ts";
import type { EvmChain } from "#server/ports.ts";

/**
 * Why crypto does not leave the treasury to this address: the signer's own settings do not name it. No row adds an address. It is no forgery
 * when the settings of the web process know more, so the payment waits.
 */
export function destinationFault({ treasuryDestinations, name }: EvmChain, { purpose, recipient }: Transfer): string | null {
  if (purpose !== "treasury_withdrawal") return null;
  const isNamed = treasuryDestinations.some((address) => address.toLowerCase() === recipient.toLowerCase());
  return isNamed ? null : `The signer's settings for ${name} do not name ${recipient} as a destination of the treasury.`;
}
