import { hash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";
import type { PaymentRow } from "./payment-file.ts";

/** What makes two uploads of a part of a file the same, to the letter: the key and the rows. SHA-256, hex. */
export function paymentDigest(keyId: string, rows: readonly PaymentRow[]): string {
  return hash("sha256", canonicalJson({ keyId, rows }));
}
