/** An address as it is compared: letters of hexadecimal ones mean the same in any case, and those of all others do not. */
export function addressKey(address: string): string {
  return address.startsWith("0x") ? address.toLowerCase() : address;
}

/** Whether two texts are the same address. */
export function isSameAddress(left: string, right: string): boolean {
  return addressKey(left) === addressKey(right);
}
