import { z } from "zod";
import { JournalUnusable, JournalUnwritable } from "#domain/journal.ts";
import { SignerAway } from "#domain/signer.ts";
import { SIGNER_KINDS } from "#domain/wallet.ts";
import { Rejected, Unreachable } from "#server/ports.ts";

/** What may be asked of the signer over its socket, and nothing else. */

const text = z.string().max(200);
const hash = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/);
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const nonce = z.int().min(0);
const amount = z
  .bigint()
  .min(0n)
  .max(2n ** 256n);
const fees = z.strictObject({ maxFeePerGas: amount, maxPriorityFeePerGas: amount });
const MOST_AT_ONCE = 1_024;
const transferIds = z.array(text).max(500);

const signOrder = z.strictObject({
  of: z.union([z.strictObject({ transferId: text }), z.strictObject({ pack: text, transferIds }), z.strictObject({ filler: text })]),
  kind: z.enum(["payment", "cancellation"]),
  nonce,
  gasLimit: amount,
  fees,
});
const entry = z.strictObject({
  chain: text,
  wallet: address,
  nonce,
  kind: z.enum(["payment", "packed", "filler", "cancellation"]),
  owner: text,
  hash,
  at: z.date(),
  recipient: text,
  token: text.nullable(),
  amountBase: amount,
  members: z
    .array(z.strictObject({ owner: text, recipient: address, amountBase: amount }))
    .max(500)
    .optional(),
});
const bytes = z.string().max(1_000_000);
const admitOrder = z.strictObject({ transferId: text, members: transferIds.optional(), entry, bytes, gasLimit: amount, fees });
const safe = z.strictObject({
  address,
  fallbackHandler: text,
  guard: text,
  masterCopy: text,
  modules: z.array(text).max(100),
  nonce: z.int().min(0),
  owners: z.array(address).max(100),
  threshold: z.int(),
  version: text,
});

/** Of a chain whose payments lapse. Bytes and addresses are its own. */
const unsigned = z.strictObject({
  intent: z.strictObject({
    sender: text,
    recipient: text,
    token: text.nullable(),
    amountBase: amount,
    reference: text,
    members: z
      .array(z.strictObject({ recipient: text, amountBase: amount, reference: text }))
      .max(500)
      .optional(),
  }),
  bytes,
  after: z.int().min(0),
  expiry: z.union([
    z.strictObject({ by: z.literal("height"), last: z.int().min(0) }),
    z.strictObject({ by: z.literal("time"), last: z.date() }),
  ]),
  feeAtMost: z.strictObject({ token: text.nullable(), amountBase: amount }),
});
const lapsingSignOrder = z.strictObject({ chain: text, transferId: text, members: transferIds.optional(), unsigned });
const lapsingAdmitOrder = z.strictObject({ chain: text, transferId: text, members: transferIds.optional(), id: text, bytes });

const id = z.int().min(0);
export const Call = z.discriminatedUnion("call", [
  z.strictObject({ id, call: z.literal("wallets"), chains: z.array(text).max(1_000) }),
  z.strictObject({ id, call: z.literal("sign"), chain: text, wallet: address, orders: z.array(signOrder).max(MOST_AT_ONCE) }),
  z.strictObject({ id, call: z.literal("admit"), chain: text, orders: z.array(admitOrder).max(MOST_AT_ONCE) }),
  z.strictObject({ id, call: z.literal("signLapsing"), order: lapsingSignOrder }),
  z.strictObject({ id, call: z.literal("admitLapsing"), order: lapsingAdmitOrder }),
  z.strictObject({ id, call: z.literal("readLapsingJournal"), chain: text }),
  z.strictObject({ id, call: z.literal("readJournal"), chain: text }),
  z.strictObject({ id, call: z.literal("signSwap"), chain: text, deploymentId: text, safe, to: address }),
]);
export type Call = z.infer<typeof Call>;

/** A wallet as the socket shows it; `address` null: its key cannot be opened just now. */
export const WalletsAnswer = z.array(
  z.object({ chain: z.string(), kind: z.enum(SIGNER_KINDS), signsSafes: z.boolean(), address: text.nullable() }),
);

export const Answer = z.union([
  z.object({ id, value: z.unknown() }),
  z.object({ id, error: z.object({ name: z.string(), message: z.string() }) }),
]);

/** The errors that mean something on the other side. */
const ERRORS = { JournalUnusable, JournalUnwritable, Unreachable, Rejected, SignerAway };

/** An error in the signer, as its caller sees it. What was not foreseen says no more than that. */
export function toWire(error: unknown): { name: string; message: string } {
  const known = error instanceof Error && error.name in ERRORS;
  return known
    ? { name: error.name, message: error.message }
    : { name: "Error", message: "the signer met an unexpected error; its log says more" };
}

export function fromWire({ name, message }: { name: string; message: string }): Error {
  const Known = name in ERRORS ? ERRORS[name as keyof typeof ERRORS] : null;
  return Known === null ? new Error(message) : new Known(message);
}
