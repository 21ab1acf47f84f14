import type { ServerResponse } from "node:http";

/** Long enough for preload lists; what a proxy in front says instead counts. */
const TRANSPORT = "max-age=31536000; includeSubDomains";

/** Pages say more exactly what they need (`proxy.ts`); this is for all the rest that Next answers: error pages, assets, the console's calls. */
const BASELINE: readonly (readonly [string, string])[] = [
  ["Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Referrer-Policy", "strict-origin-when-cross-origin"],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
];

/** Over https every answer says that it stays so, whoever answers. */
export function setTransportSecurity(response: ServerResponse, baseUrl: string): void {
  if (baseUrl.startsWith("https://")) response.setHeader("Strict-Transport-Security", TRANSPORT);
}

export function setBaseline(response: ServerResponse): void {
  for (const [name, value] of BASELINE) response.setHeader(name, value);
}
