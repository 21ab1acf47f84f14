/** An address as it is compared: letters of hexadecimal ones mean the same in any case, and those of all others do not. */
export function addressKey(address: string): string {
  return address.startsWith("0x") ? address.toLowerCase() : address;
}

/** Whether two texts are the same address. */
export function isSameAddress(left: string, right: string): boolean {
  return addressKey(left) === addressKey(right);
}

/** A transaction's id as it is stored and compared: hexadecimal in small letters (EVM, Tron), and anything else as it is (Solana). */
export function transactionKey(id: string): string {
  return /^(?:0x)?[0-9a-f]+$/i.test(id) ? id.toLowerCase() : id;
}
