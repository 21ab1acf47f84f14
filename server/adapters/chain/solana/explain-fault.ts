import { z } from "zod";
import { CREATE_AT, PER_PAYMENT } from "./payment-bytes.ts";

/** Why the runtime refused a payment, in plain words. `payment`: the recipient's, for good. `treasury`: it waits. */
export type ExplainedFault = { reason: string; fault: "payment" | "treasury" };

const InstructionError = z.object({ InstructionError: z.tuple([z.int(), z.unknown()]) });
const Custom = z.object({ Custom: z.int() });
const RentError = z.object({ InsufficientFundsForRent: z.object({ account_index: z.int() }) });

/** The token programs' own numbers. */
const TOKEN_FAULTS: ReadonlyMap<number, string> = new Map([
  [1, "The treasury holds too little of the token."],
  [3, "The token's mint is another one than configured."],
  [4, "The treasury's account for the token belongs to somebody else."],
  [18, "The token's mint has other decimals than configured."],
  [37, "The token cannot be transferred."],
  [67, "The token is paused."],
]);
const FROZEN = 17;

/**
 * Explains what a node said. Only what is surely the recipient's ends the payment; all else waits, and people see it.
 *
 * @param isCoin whether it pays in lamports. @param isRecipientFrozen whether the recipient's account is frozen now
 */
export function explainFault(fault: unknown, isCoin: boolean, isRecipientFrozen: boolean): ExplainedFault {
  if (typeof fault === "string") return waits(SIMPLE[fault] ?? `The chain refuses the payment (${fault}).`);
  const rent = RentError.safeParse(fault).data?.InsufficientFundsForRent;
  // The fee payer is account 0; the only other account of a payment in the coin that can lack rent is the recipient's.
  if (rent !== undefined && isCoin && rent.account_index > 0)
    return ends("The amount is below what a new account on this chain must hold.");
  if (rent !== undefined) return waits("The treasury holds too little of the native coin.");
  const at = InstructionError.safeParse(fault).data?.InstructionError;
  if (at === undefined) return waits(`The chain refuses the payment (${JSON.stringify(fault)}).`);
  const [index, inner] = at;
  const code = Custom.safeParse(inner).data?.Custom ?? null;
  if (!isCoin && index >= CREATE_AT && (index - CREATE_AT) % PER_PAYMENT === 0) return explainCreation(inner, code);
  if (isCoin) return waits(code === 1 ? "The treasury holds too little of the native coin." : unknown(inner));
  if (code === FROZEN && isRecipientFrozen) return ends("The recipient's account is frozen by the token's issuer.");
  if (code === FROZEN) return waits("An account of the payment was frozen by the token's issuer.");
  return waits(TOKEN_FAULTS.get(code ?? -1) ?? unknown(inner));
}

function explainCreation(inner: unknown, code: number | null): ExplainedFault {
  if (code === 1) return waits("The treasury holds too little of the native coin for the recipient's token account.");
  // The program of associated accounts compares the owner of an account that is there already.
  if (inner === "IllegalOwner" || code === 0) return ends("The recipient's account for the token belongs to somebody else.");
  return waits(unknown(inner));
}

const SIMPLE: Readonly<Record<string, string>> = {
  AccountNotFound: "The treasury holds none of the native coin.",
  InsufficientFundsForFee: "The treasury holds too little of the native coin.",
};

const unknown = (inner: unknown) => `The chain refuses the payment (${typeof inner === "string" ? inner : JSON.stringify(inner)}).`;
const waits = (reason: string): ExplainedFault => ({ reason, fault: "treasury" });
const ends = (reason: string): ExplainedFault => ({ reason, fault: "payment" });
