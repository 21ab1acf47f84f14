import { z } from "zod";
import { plainText, timestamp } from "./primitives.ts";

/** Fields of several objects with the same meaning and the same description. */

/** A network as answers show it. */
export const chainShown = z.string().describe("The blockchain network as a CAIP-2 id, such as eip155:1");

/** Currencies as answers show them. */
export const fiatShown = z.string().describe("The fiat currency as an ISO 4217 code, such as KES");
export const cryptoShown = z.string().describe("The symbol of the token or coin, such as USDT");

export const settlementId = z.string().describe("The settlement's id. It begins with tx_");
export const partnerId = z.string().describe("The partner's id, a UUID");

export const createdAt = timestamp.describe("When the object was created");
export const updatedAt = timestamp.describe("When the object last changed");

/** Filters. */
export const createdFrom = "Return only objects created at this instant or later. ISO 8601 with a time zone";
export const createdTo = "Return only objects created before this instant. ISO 8601 with a time zone";

/** Why an operator decided so. */
export const decisionReason = plainText(8, 1_000).describe("The reason for the decision. It is kept in the audit log");

/** A request as the server read it, to find the byte that differs. */
export const requestRead = {
  method: z.string().describe("The HTTP method, in upper case"),
  path: z.string().describe("The path without the query string"),
  query: z.string().describe("The query string exactly as it was sent, without the question mark. Empty if there was none"),
  body_length: z.int().describe("The length of the body, in bytes"),
  body_sha256: z.string().describe("The SHA-256 hash of the body's bytes, in hex"),
  signing_string_sha256: z.string().describe("The SHA-256 hash of the string to sign, in hex"),
};
