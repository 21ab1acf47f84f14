/** A transaction's hash as any family writes it: 64 hexadecimal digits with or without `0x`, or a signature of 64 bytes in base 58. */
export const TRANSACTION_HASH = /^(?:(?:0x)?[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/;
