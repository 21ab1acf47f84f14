import { SIGNED_HEADER } from "#contract/lapse.ts";
import { refusalOf } from "./refusal.ts";

export type Json = Record<string, unknown>;
/** What a passkey must sign before a refused call is sent again: the record as one text, and what the browser needs for it. */
export type DecisionToSign = { record: string; ticket: string; options: Json; procedure: string };

/** What a refused decision asks to be signed; null for any other error. */
export function decisionToSign(error: unknown): DecisionToSign | null {
  const refusal = refusalOf(error);
  if (refusal?.code !== "passkey_required") return null;
  const { record, ticket, options, procedure } = refusal.members;
  if (typeof record !== "string" || typeof ticket !== "string" || typeof procedure !== "string") return null;
  return { record, ticket, procedure, options: options as Json };
}

/** Travels with the next call of that procedure, once. */
let signed: { procedure: string; value: string } | null = null;

export function sendWithNext({ procedure, ticket }: DecisionToSign, answer: Json): void {
  signed = { procedure, value: btoa(JSON.stringify({ ticket, answer })).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") };
}

/** The header of the call that the signature is for. */
export function signedHeaders({ path }: { path: string }): Record<string, string> {
  if (signed === null || signed.procedure !== path) return {};
  const { value } = signed;
  signed = null;
  return { [SIGNED_HEADER]: value };
}
