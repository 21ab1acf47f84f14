import { z } from "zod";
import { plainText, timestamp } from "./primitives.ts";

/** Fields of several objects with the same meaning and the same description. */

/** A network as answers show it. */
export const chainShown = z.string().describe("Blockchain network, CAIP-2, such as eip155:1");

/** Currencies as answers show them. */
export const fiatShown = z.string().describe("Fiat currency, ISO 4217");
export const cryptoShown = z.string().describe("Symbol of the token or coin");

export const settlementId = z.string().describe("The settlement's id, tx_…");
export const partnerId = z.string().describe("The partner's id, a UUID");

export const createdAt = timestamp.describe("When it was created");
export const updatedAt = timestamp.describe("When it last changed");

/** Filters. */
export const createdFrom = "Only those created then or later";
export const createdTo = "Only those created before then";

/** Why an operator decided so. */
export const decisionReason = plainText(8, 1_000).describe("Why; kept in the audit log");

/** A request as the server read it, to find the byte that differs. */
export const requestRead = {
  method: z.string().describe("HTTP method, upper case"),
  path: z.string().describe("The path, without the query"),
  query: z.string().describe("The query as it was on the wire, without the question mark; empty when there was none"),
  body_length: z.int().describe("Length of the body in bytes"),
  body_sha256: z.string().describe("SHA-256 of the body's bytes, hex"),
  signing_string_sha256: z.string().describe("SHA-256 of the string to be signed, hex"),
};
