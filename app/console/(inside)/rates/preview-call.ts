import { signedCurl } from "#contract/signed-curl.ts";

/**
 * A signed call for the price of a pair's maximum, for a shell with the key and the secret in its environment. It never contains a secret.
 */
export function previewCall(
  pair: { source_currency: string; destination_currency: string; chain: string; maximum_source_minor: number },
  brand: string,
): string {
  const query = new URLSearchParams({
    source_currency: pair.source_currency,
    destination_currency: pair.destination_currency,
    chain: pair.chain,
    source_amount: String(pair.maximum_source_minor),
  });
  // The URL is added in the browser when it is copied: during server rendering the origin is unknown.
  const baseUrl = globalThis.location?.origin ?? "";
  return signedCurl({ baseUrl, brand, method: "GET", path: "/api/v1/rates/preview", query: query.toString() });
}
