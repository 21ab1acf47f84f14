import { createHash } from "node:crypto";
import { canonicalJson, type Json } from "./canonical-json.ts";

/** What the text of a record looks like. Another shape gets another number; the records of an earlier one stay readable. */
const RECORD_VERSION = 1;

/** A decision that a person signs. */
export type SignedAction =
  | "settlement.approve"
  | "settlements.approve"
  | "batch.approve"
  | "proposal.confirm"
  | "payment.above_cap"
  | "treasury.withdraw";
export type Facts = Readonly<Record<string, Json>>;
/** What is decided: on what, and everything that the screen shows of it. */
export type Decision = { action: SignedAction; subject: string; facts: Facts };
/** The decision with who is asked, where and when. `nonce`: no two records are the same. */
export type DecisionRecord = Decision & { version: number; person: string; origin: string; asked_at: string; nonce: string };

/** The parts of a device's signature, each base64url. */
export type SignatureParts = { credentialId: string; authenticatorData: string; clientData: string; signature: string };
/** A record and what the device of its person has signed for it. The device's signature was verified. */
export type DecisionSignature = SignatureParts & { record: string; userId: string };

/** The one text that is shown, signed and stored: canonical JSON (RFC 8785). */
export function writeRecord(decision: Decision, asked: { person: string; origin: string; at: Date; nonce: string }): string {
  const { action, subject, facts } = decision;
  const { person, origin, at, nonce } = asked;
  return canonicalJson({ version: RECORD_VERSION, action, subject, facts, person, origin, asked_at: at.toISOString(), nonce });
}

/** Null for a text that {@link writeRecord} did not write. */
export function readRecord(text: string): DecisionRecord | null {
  try {
    const read = JSON.parse(text) as DecisionRecord;
    return read.version === RECORD_VERSION && canonicalJson(read as unknown as Json) === text ? read : null;
  } catch {
    return null;
  }
}

/** The challenge that a device signs: SHA-256 of the record's text. */
export function challengeOf(record: string): string {
  return createHash("sha256").update(record, "utf8").digest("base64url");
}

/** Whether the record is of exactly this decision. */
export function isRecordOf(record: string, decision: Decision): boolean {
  const read = readRecord(record);
  return read !== null && isSameDecision(read, decision);
}

/** Whether both are the same action on the same subject, with the same facts. */
export function isSameDecision(one: Decision, other: Decision): boolean {
  const text = ({ action, subject, facts }: Decision) => canonicalJson({ action, subject, facts });
  return text(one) === text(other);
}
