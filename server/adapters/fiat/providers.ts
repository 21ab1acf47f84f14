import { railSignatureMatches } from "#domain/rail-signature.ts";
import type { FiatProviders } from "#server/ports.ts";

type Provider = { name: string; secret: string };

/** Knows each configured provider by its secret. The first is given new orders; the others end what they began. */
export function createFiatProviders(current: Provider, former: readonly Provider[] = []): FiatProviders {
  const all = [current, ...former];
  return {
    current: current.name,
    signerOf: (body, signature) => all.find(({ secret }) => railSignatureMatches(secret, body, signature))?.name ?? null,
  };
}
