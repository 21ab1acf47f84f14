import { createHash } from "node:crypto";
import { bookingReversalBody, bookingsBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { listBookingsByReference, listBookings as listRows } from "#db/queries/ledger/bookings.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findPartner, listPartnerNames } from "#db/queries/partners/partners.ts";
import { findOpenProposal } from "#db/queries/proposals/proposals.ts";
import type { By } from "#domain/access.ts";
import { type Booking, type Declared, isSameBooking } from "#domain/booking.ts";
import { fiatAmount } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { type ProposalKind, propose } from "#server/services/proposals/propose.ts";
import { type Booked, book, findDeclared, refuseUnsound, reverse } from "./book.ts";

type Body = ReturnType<typeof bookingsBody.parse>;

/** In live mode two people declare movements of fiat. */
export const BOOKINGS: ProposalKind<Body, Booked[], object> = {
  kind: "bookings",
  permission: "administer",
  schema: bookingsBody,
  show: ({ bookings }) => ({
    sums: sumsOf(bookings),
    bookings: bookings.map(({ kind, currency, amount_minor, reference, partner_id, received_at }) =>
      [kind, fiatAmount(BigInt(amount_minor), currency), currency, reference, received_at.slice(0, 10), partner_id ?? ""].join(" ").trim(),
    ),
  }),
  carryOut: async ({ db: tx }, { by, proposer, reason, body }) => {
    return await book(tx, body.bookings.map(read), { by, reason, askedBy: proposer.id, now: await readBusinessNow(tx) });
  },
};

type Reversal = ReturnType<typeof bookingReversalBody.parse>;

/** In live mode two people take a booking back. */
export const BOOKING_REVERSAL: ProposalKind<Reversal, Booking, object> = {
  kind: "booking_reversal",
  permission: "administer",
  schema: bookingReversalBody,
  show: (body) => body,
  carryOut: async ({ db: tx }, { by, proposer, reason, body }) =>
    await reverse(tx, body.booking_id, { by, reason, askedBy: proposer.id, now: await readBusinessNow(tx) }),
};

/** `proposed`: it waits for the second person. `bookings`: what is in the books now, of what was asked for. */
export type Declaration = { proposed: boolean; bookings: Booked[] };

/**
 * Declares movements of fiat, each once by its kind and reference. In live mode another person confirms them; what is booked already is not
 * proposed again, and neither is what waits already.
 *
 * @throws Refusal `forbidden`, `step_up_required`, and those of `book`; `conflict` when a reference is booked, or waits, with other values
 */
export async function declareBookings(
  ctx: Uses<"db" | "clock" | "mode">,
  { by, items, reason }: { by: By; items: readonly Declared[]; reason: string | null },
): Promise<Declaration> {
  refuseUnlessAdministrator(by, ctx.clock.now());
  await refuseUnknown(ctx.db, items);
  const now = await readBusinessNow(ctx.db);
  for (const item of items) refuseUnsound(item, now);
  const known = await findBooked(ctx.db, items);
  const wanted = items.filter((item) => !known.has(nameOf(item)));
  const repeated = [...known.values()].map((booking) => ({ booking, repeated: true }));
  if (wanted.length === 0) return { proposed: false, bookings: repeated };
  const body: Body = { bookings: wanted.map(write) };
  const subject = subjectOf(wanted);
  const open = await findOpenProposal(ctx.db, BOOKINGS.kind, subject);
  if (open !== null && JSON.stringify(bookingsBody.parse(open.body)) === JSON.stringify(body))
    return { proposed: true, bookings: repeated };
  const { result } = await propose(ctx, BOOKINGS, { by, subject, body, reason });
  return { proposed: result === null, bookings: [...repeated, ...(result ?? [])] };
}

/**
 * Reverses a wrong booking. In live mode another person confirms it. True: it waits for that.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `conflict` while it is proposed, and those of `reverse`
 */
export async function reverseBooking(
  ctx: Uses<"db" | "clock" | "mode">,
  { by, id, reason }: { by: By; id: string; reason: string },
): Promise<{ proposed: boolean }> {
  refuseUnlessAdministrator(by, ctx.clock.now());
  const { kind, amountMinor, currency, reference, reversedAt } = await findDeclared(ctx.db, id);
  if (reversedAt !== null) throw new Refusal("invalid_state", { detail: "This booking is reversed already." });
  const body = { booking_id: id, kind, amount: `${fiatAmount(amountMinor, currency)} ${currency}`, reference };
  const { result } = await propose(ctx, BOOKING_REVERSAL, { by, subject: id, body, reason });
  return { proposed: result === null };
}

const SHOWN = 100;

/** The newest bookings on a partner's account, or on the operator's own (null). @throws Refusal `not_found` */
export async function listBookings(ctx: Uses<"db">, partnerId: string | null): Promise<Booking[]> {
  if (partnerId !== null && (!isUuid(partnerId) || (await findPartner(ctx.db, partnerId)) === null))
    throw new Refusal("not_found", { detail: "There is no such partner." });
  return await listRows(ctx.db, partnerId, SHOWN);
}

/** What is in the books already. @throws Refusal `conflict` when it is there with other values */
async function findBooked(db: Database, items: readonly Declared[]): Promise<Map<string, Booking>> {
  const found = new Map<string, Booking>();
  for (const [kind, group] of Map.groupBy(items, (item) => item.kind)) {
    const byName = new Map(group.map((item) => [item.reference, item]));
    for (const booking of await listBookingsByReference(db, kind, [...byName.keys()])) {
      const item = byName.get(booking.reference);
      if (item === undefined || !isSameBooking(booking, item))
        throw new Refusal("conflict", { detail: `${booking.reference} is booked already, with other values.` });
      found.set(nameOf(item), booking);
    }
  }
  return found;
}

async function refuseUnknown(db: Database, items: readonly Declared[]): Promise<void> {
  const ids = [...new Set(items.flatMap(({ partnerId }) => partnerId ?? []))];
  if (!ids.every(isUuid) || (await listPartnerNames(db, ids)).size < ids.length)
    throw new Refusal("not_found", { detail: "There is no such partner." });
}

/** One by its name; several by what they are, so that the same file is the same proposal. */
function subjectOf(items: readonly Declared[]): string {
  const [first] = items;
  if (items.length === 1 && first !== undefined) return nameOf(first);
  const digest = createHash("sha256")
    .update(JSON.stringify(items.map(write)))
    .digest("hex")
    .slice(0, 12);
  return `${items.length} bookings ${digest}`;
}

function nameOf({ kind, reference }: Pick<Declared, "kind" | "reference">): string {
  return `${kind} ${reference}`;
}

function write({ kind, partnerId, currency, amountMinor, reference, orderId, receivedAt }: Declared): Body["bookings"][number] {
  const named = { kind, partner_id: partnerId, currency, amount_minor: amountMinor.toString(), reference };
  return { ...named, order_id: orderId, received_at: receivedAt.toISOString() };
}

function read({ partner_id, amount_minor, order_id, received_at, ...rest }: Body["bookings"][number]): Declared {
  return { ...rest, partnerId: partner_id, amountMinor: BigInt(amount_minor), orderId: order_id, receivedAt: new Date(received_at) };
}

function sumsOf(items: Body["bookings"]): string {
  return [...Map.groupBy(items, ({ currency }) => currency)]
    .map(
      ([currency, same]) =>
        `${fiatAmount(
          same.reduce((sum, { amount_minor: minor }) => sum + BigInt(minor), 0n),
          currency,
        )} ${currency}`,
    )
    .join(", ");
}
