import { listBookingsByReference } from "#db/queries/ledger/bookings.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listPartnerIds } from "#db/queries/partners/partners.ts";
import type { By } from "#domain/access.ts";
import { type BankFault, type BankRow, readBankFile, readBankRows } from "#domain/bank-file.ts";
import { type Declared, isSameBooking } from "#domain/booking.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { declareBookings } from "./declare-bookings.ts";

/** `items`: what is new in it. `known`: how many of its lines are booked already, and are not booked again. */
export type BankFile = { rows: BankRow[]; faults: BankFault[]; items: Declared[]; known: number };

/**
 * Reads a file of partners' payments and names every fault by row and column; nothing is stored.
 *
 * @throws Refusal `validation_failed` for a text that is no such file
 */
export async function judgeBankFile(ctx: Uses<"db">, text: string): Promise<BankFile> {
  const rows = rowsOf(text);
  const now = await readBusinessNow(ctx.db);
  const partners = await listPartnerIds(
    ctx.db,
    rows.map(({ partner }) => partner.toLowerCase()),
  );
  const { items: read, faults } = readBankRows(rows, partners, now);
  const booked = await listBookingsByReference(
    ctx.db,
    "partner_payment",
    read.map(({ reference }) => reference),
  );
  const byReference = new Map(booked.map((booking) => [booking.reference, booking]));
  const items: Declared[] = [];
  for (const { row, ...item } of read) {
    const before = byReference.get(item.reference);
    if (before === undefined) items.push(item);
    else if (!isSameBooking(before, item)) faults.push({ row, column: "reference", message: "is booked already, with other values" });
  }
  return { rows, faults, items, known: byReference.size };
}

/**
 * Declares the payments of a file, all or none, each once by its reference. In live mode another person confirms them together.
 *
 * @returns whether they wait for that, how many are booked now, and how many were booked before
 * @throws Refusal `forbidden`, `step_up_required`, `validation_failed` for any fault, and those of `declareBookings`
 */
export async function bookBankFile(
  ctx: Uses<"db" | "clock" | "mode">,
  { by, text, reason }: { by: By; text: string; reason: string },
): Promise<{ proposed: boolean; booked: number; known: number }> {
  refuseUnlessAdministrator(by, ctx.clock.now());
  const { faults, items, known } = await judgeBankFile(ctx, text);
  if (faults.length > 0) {
    const errors = faults.map(({ row, column, message }) => ({
      pointer: `/rows/${row}/${column ?? ""}`,
      code: "invalid_value" as const,
      message,
    }));
    throw new Refusal("validation_failed", { detail: `${faults.length} faults: nothing is booked.`, errors });
  }
  if (items.length === 0) return { proposed: false, booked: 0, known };
  const { proposed, bookings } = await declareBookings(ctx, { by, items, reason });
  return { proposed, booked: bookings.filter(({ repeated }) => !repeated).length, known };
}

function rowsOf(text: string): BankRow[] {
  try {
    return readBankFile(text);
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal("validation_failed", { detail: error.message });
    throw error;
  }
}
