import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { askAgain, type FiatTable, isAmbiguous } from "#db/queries/fiat/fiat-work.ts";
import { lockTopup } from "#db/queries/fiat/topups.ts";
import { lockWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { hearProvider, type OrderKind } from "./hear-provider.ts";

/**
 * What an operator has found out with the provider about an order of which nobody could tell whether it has it: it moved the money
 * (under that reference), it did not and never will, or it shall be asked again. Nothing is ever given to it a second time.
 */
export type AmbiguousResolution = { outcome: "moved"; reference: string } | { outcome: "not_moved" } | { outcome: "ask_again" };

export type ResolveAmbiguous = { by: By; reason: string; kind: OrderKind; orderId: string; resolution: AmbiguousResolution };

const AUDITED_AS = { moved: "resolved_moved", not_moved: "resolved_not_moved", ask_again: "asked_again" };

/**
 * Settles an ambiguous order on an operator's word, which is kept like a word of the provider's and moves the order like one: it
 * completes, or its crypto goes back.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `invalid_state` unless it is ambiguous
 */
export async function resolveAmbiguous(ctx: Uses<"db" | "clock" | "mode">, command: ResolveAmbiguous): Promise<void> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  const { kind, orderId, resolution, by, reason } = command;
  await ctx.db.transaction(async (tx) => {
    const table = await holdAmbiguous(tx, kind, orderId);
    if (resolution.outcome === "ask_again") await askAgain(tx, table, orderId);
    else {
      const moved = resolution.outcome === "moved";
      const word = { status: moved ? "succeeded" : "failed", reference: moved ? resolution.reference : null, reason: null } as const;
      await hearProvider(tx, ctx, { kind, orderId, source: "operator", word, body: null });
    }
    const change = resolution.outcome === "moved" ? { reference: resolution.reference } : {};
    const action = `${kind}.${AUDITED_AS[resolution.outcome]}`;
    await insertAuditEntry(tx, { by, reason, partnerId: null, action, objectId: orderId, change, now: await readBusinessNow(tx) });
  });
}

async function holdAmbiguous(tx: Database, kind: OrderKind, orderId: string): Promise<FiatTable> {
  const table = kind === "withdrawal" ? "withdrawals" : "topups";
  const order = kind === "withdrawal" ? await lockWithdrawal(tx, orderId) : await lockTopup(tx, orderId);
  if (order === null) throw new Refusal("not_found", { detail: "There is no such order." });
  if (await isAmbiguous(tx, table, orderId)) return table;
  throw new Refusal("invalid_state", { detail: "It is known how the provider stands to this order: there is nothing to decide." });
}
