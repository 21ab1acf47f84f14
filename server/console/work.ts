import { z } from "zod";
import { instant } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { fiatAmount, tokenAmount } from "#domain/money.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import { readAbsence, setAbsence } from "#server/services/notifications/set-wishes.ts";
import { readWorkQueue, type WorkItem } from "#server/services/transactions/read-work-queue.ts";
import { done } from "./done.ts";

const absence = fromWire({ until: z.iso.datetime(), substitute_id: z.uuid() });

/** A person's queue of decisions, and who is asked for them while they are away. */
export const workRouter = router({
  queue: operatorProcedure().query(async ({ ctx: { services, by } }) => {
    const { items, more, now } = await readWorkQueue(services, by.actor);
    return { data: items.map(renderWork), more, now: instant(now) };
  }),

  absence: operatorProcedure("decide_settlement").query(async ({ ctx: { services, holder } }) => {
    const { absence: current, substitutes } = await readAbsence(services, holder);
    return { absence: current && toWire(current, "until", "substituteId"), substitutes };
  }),

  /** Gives nobody a right, so that it needs no step-up. Null ends it. */
  setAbsence: operatorProcedure("decide_settlement")
    .meta({ stepUp: false })
    .input(z.strictObject({ absence: absence.nullable() }))
    .mutation(({ ctx: { services, by }, input }) => {
      const asked = input.absence && { ...input.absence, until: new Date(input.absence.until) };
      return done(setAbsence(services, { by, absence: asked }));
    }),
});

function renderWork({ amount, escalated, ...work }: WorkItem) {
  return {
    ...toWire(work, "kind", "id", "since", "partner", "detail", "promisedBy", "waitsFor"),
    escalated: escalated && toWire(escalated, "name", "at", "toYou"),
    amount:
      amount === null
        ? null
        : {
            value: amount.decimals === null ? fiatAmount(amount.units, amount.currency) : tokenAmount(amount.units, amount.decimals),
            currency: amount.currency,
          },
  };
}
