import { railSignatureMatches } from "#domain/rail-signature.ts";
import type { FiatGate } from "#server/ports.ts";

/** Lets in what is signed under the rail's secret. */
export function createFiatGate(secret: string): FiatGate {
  return { isFromProvider: (body, signature) => railSignatureMatches(secret, body, signature) };
}
