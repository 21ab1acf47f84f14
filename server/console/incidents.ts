import { z } from "zod";
import { instant, instantOrNull, plainText } from "#contract/primitives.ts";
import { disruptionSentence } from "#contract/service-status.ts";
import { toWire } from "#contract/wire.ts";
import { tokenAmount } from "#domain/money.ts";
import { RUNBOOKS } from "#domain/runbook.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import {
  type Addition,
  addToIncident,
  type Incident,
  listIncidents,
  openIncident,
  readIncident,
} from "#server/services/maintenance/incidents.ts";
import { done } from "./done.ts";

const id = plainText(1, 64);
const trouble = z.strictObject({
  name: plainText(1, 200),
  part: plainText(1, 40),
  detail: z.string().max(2_000),
  runbook: z.enum(RUNBOOKS).nullable(),
  since: z.iso.datetime(),
});
const step = { step: z.int().min(0).max(99), text: plainText(1, 1_000) };
const addition = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("taken") }),
  z.strictObject({ kind: z.literal("noted"), text: plainText(1, 1_000) }),
  z.strictObject({ kind: z.literal("published"), text: plainText(1, 500), disruption_id: id }),
  z.strictObject({ kind: z.enum(["step_done", "step_undone"]), ...step }),
  z.strictObject({ kind: z.literal("ended") }),
]);

const look = operatorProcedure();
/** Nothing here moves money or changes a right. */
const work = operatorProcedure("resend_callback").meta({ stepUp: false });

/** Troubles that people work on: who is on it, which steps are done, and what is not being paid. */
export const incidentsRouter = router({
  list: look.query(async ({ ctx: { services } }) => ({ data: (await listIncidents(services)).map(renderIncident) })),

  byId: look.input(z.strictObject({ id })).query(async ({ ctx: { services, holder }, input }) => {
    const { entries, done: steps, stopped, disruptions, ...incident } = await readIncident(services, input.id);
    const chains = services.chains.list();
    return {
      ...renderIncident(incident),
      is_mine: incident.owner?.id === holder.userId,
      entries: entries.map(({ kind, step: of, text, byName, at }) => ({ kind, step: of, text, by: byName, at: instant(at) })),
      done: [...steps].map(([of, { by, at }]) => ({ step: of, by, at: instant(at) })),
      disruptions: disruptions.map((each) => ({ id: each.id, sentence: disruptionSentence(each, chains) })),
      stopped: stopped.map(({ base, tokenDecimals, ...row }) => ({
        ...toWire(row, "reason", "payments", "partners", "currency"),
        amount: tokenAmount(base, tokenDecimals),
      })),
    };
  }),

  open: work.input(trouble).mutation(async ({ ctx: { services, by }, input }) => ({
    id: await openIncident(services, { by, trouble: { ...input, since: new Date(input.since) } }),
  })),

  add: work
    .input(z.strictObject({ id, addition }))
    .mutation(({ ctx: { services, by }, input }) =>
      done(addToIncident(services, { by, id: input.id, addition: toAddition(input.addition) })),
    ),
});

function toAddition(given: z.infer<typeof addition>): Addition {
  return given.kind === "published" ? { kind: given.kind, text: given.text, disruptionId: given.disruption_id } : given;
}

function renderIncident({ owner, endedAt, ...incident }: Incident) {
  return {
    ...toWire(incident, "id", "trouble", "part", "detail", "runbook", "beganAt", "openedAt"),
    ended_at: instantOrNull(endedAt),
    owner: owner && { name: owner.name, since: instant(owner.since) },
  };
}
