import type { ServerResponse } from "node:http";
import { BASELINE } from "#server/rest/baseline-headers.ts";

/** Long enough for preload lists; what a proxy in front says instead counts. */
const TRANSPORT = "max-age=31536000; includeSubDomains";

/** Over https every answer says that it stays so, no matter who answers. */
export function setTransportSecurity(response: ServerResponse, baseUrl: string): void {
  if (baseUrl.startsWith("https://")) response.setHeader("Strict-Transport-Security", TRANSPORT);
}

export function setBaseline(response: ServerResponse): void {
  for (const [name, value] of BASELINE) response.setHeader(name, value);
}
