import { z } from "zod";
import { instantParameter, plainText } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { CALLBACK_STATES } from "#domain/callback.ts";
import type { ResendSelection } from "#domain/callback-group.ts";
import { personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import { askAttempt, askAttempts } from "#server/services/callbacks/ask-attempt.ts";
import { pauseReceiver, resumeReceiver } from "#server/services/callbacks/pause-receiver.ts";
import {
  browseCallbacks,
  countCallbacks,
  listCallbackGroups,
  listEndpoints,
  listPauses,
  readCallback,
} from "#server/services/callbacks/read-callbacks.ts";
import { listResendJobs, readResendJob } from "#server/services/callbacks/read-resend-job.ts";
import { checkResend, resendCallback } from "#server/services/callbacks/resend-callback.ts";
import { abortResendJob, previewResend, startResendJob } from "#server/services/callbacks/resend-jobs.ts";
import type { SessionHolder } from "#server/services/people/sessions/sessions.ts";
import { renderCallbackDetail, renderCallbackRow, renderEndpoint, renderGroup, renderJob } from "./callback-rows.ts";
import { readIdWalk, renderWalked, walkFields } from "./walk.ts";

const id = plainText(1, 64);
const origin = plainText(1, 300);
const cause = z.string().regex(/^[a-z0-9_]{1,40}$/, { error: "must be a cause's name" });
/** The partner, when an operator views a single one. */
const scope = { partner_id: z.uuid().optional() };
const byId = z.strictObject({ id });

const callbackPage = fromWire({
  ...scope,
  state: z.enum(CALLBACK_STATES).optional(),
  event: plainText(1, 64).optional(),
  origin: origin.optional(),
  cause: cause.optional(),
  subject_id: id.optional(),
  created_from: instantParameter.optional(),
  created_to: instantParameter.optional(),
  ...walkFields,
});

/** Undelivered: given up, or failing and still retried. */
const callbackGroups = fromWire({ ...scope, state: z.enum(["undelivered", "retrying"]) });

/** A receiver by scheme, host and port, as `URL.origin` writes it. */
const receiver = origin.refine((text) => URL.canParse(text) && new URL(text).origin === text, { error: "must be scheme, host and port" });

/** Some by their ids, or all that are undelivered: of one cause, at one receiver, since an instant. */
const resendSelection = z.union([
  fromWire({ callback_ids: z.array(id).min(1).max(100) }),
  fromWire({ ...scope, cause: cause.optional(), origin: origin.optional(), since: instantParameter.optional() }),
]);

/** Callbacks report past events: no money moves. */
const withoutStepUp = personProcedure.meta({ stepUp: false });

/** Callbacks: for a partner's users their own, for operators everybody's. */
export const callbacksRouter = router({
  list: personProcedure.input(callbackPage).query(async ({ ctx: { services, holder }, input }) => {
    const { limit, cursor, direction, ...filter } = input;
    const walk = readIdWalk({ limit, cursor, direction }, "callback");
    const page = await browseCallbacks(services, { filter: { ...filter, ...tenantOf(holder, filter.partnerId) }, ...walk });
    return renderWalked(page, renderCallbackRow);
  }),

  counts: personProcedure.input(fromWire(scope)).query(async ({ ctx: { services, holder }, input }) => {
    return await countCallbacks(services, scopeOf(holder, input));
  }),

  /** Undelivered callbacks by cause and receiver; with those given up, their newest resends. */
  groups: personProcedure.input(callbackGroups).query(async ({ ctx: { services, holder }, input }) => {
    const partnerId = scopeOf(holder, input);
    const groups = await listCallbackGroups(services, { partnerId, state: input.state });
    const jobs = input.state === "undelivered" ? await listResendJobs(services, partnerId) : [];
    return { data: groups.map(renderGroup), jobs: jobs.map(renderJob) };
  }),

  endpoints: personProcedure.input(fromWire(scope)).query(async ({ ctx: { services, holder }, input }) => {
    const endpoints = await listEndpoints(services, { partnerId: scopeOf(holder, input) });
    return { data: endpoints.map(renderEndpoint) };
  }),

  /** Which receivers are paused now, for every page that shows one. */
  pauses: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const pauses = await listPauses(services, { partnerId: holder.partnerId });
    const side = holder.partnerId === null ? "operator" : "partner";
    return pauses.map((pause) => ({ ...toWire(pause, "origin", "partnerId", "by", "since", "reason"), is_own: pause.by === side }));
  }),

  byId: personProcedure.input(byId).query(async ({ ctx: { services, holder }, input }) => {
    return renderCallbackDetail(await readCallback(services, { id: input.id, partnerId: holder.partnerId }), holder.partnerId === null);
  }),

  /** Starts one callback's six attempts again; the service checks the permission. */
  resend: withoutStepUp.input(byId).mutation(async ({ ctx: { services, holder, by }, input }) => {
    const command = { partnerId: holder.partnerId, by, callbackId: input.id };
    await checkResend(services, command);
    return { series: (await resendCallback(services, command)).series };
  }),

  /** One manual attempt of one callback now. */
  attempt: withoutStepUp.input(byId).mutation(async ({ ctx: { services, holder, by }, input: { id } }) => {
    await askAttempt(services, { partnerId: holder.partnerId, by, callbackId: id });
    return { id };
  }),

  /** One attempt now of each that a receiver has failed to take and that is still retried. */
  attemptMany: withoutStepUp
    .input(fromWire({ ...scope, origin, cause: cause.optional() }))
    .mutation(async ({ ctx: { services, holder, by }, input }) => {
      return await askAttempts(services, { ...input, partnerId: scopeOf(holder, input), by });
    }),

  pause: withoutStepUp
    .input(fromWire({ ...scope, origin: receiver, reason: plainText(1, 200) }))
    .mutation(async ({ ctx: { services, holder, by }, input }) => {
      await pauseReceiver(services, { ...input, partnerId: scopeOf(holder, input), by });
      return { origin: input.origin };
    }),

  resume: withoutStepUp.input(fromWire({ ...scope, origin: receiver })).mutation(async ({ ctx: { services, holder, by }, input }) => {
    await resumeReceiver(services, { ...input, partnerId: scopeOf(holder, input), by });
    return { origin: input.origin };
  }),

  /** Starts many again at once, as a job. */
  resendMany: withoutStepUp.input(resendSelection).mutation(async ({ ctx: { services, holder, by }, input }) => {
    const started = await startResendJob(services, { ...readSelection(input, holder), by });
    return toWire(started, "id", "count", "forbiddenOrigins");
  }),

  /** How many it would be, and to whom. */
  previewResend: personProcedure.input(resendSelection).query(async ({ ctx: { services, holder }, input }) => {
    return await previewResend(services, readSelection(input, holder));
  }),

  job: personProcedure
    .input(z.strictObject({ id, after: id.nullable().default(null) }))
    .query(async ({ ctx: { services, holder }, input }) => {
      const progress = await readResendJob(services, { ...input, partnerId: holder.partnerId });
      const items = progress.items.map((item) => {
        return toWire(item, "callbackId", "subjectId", "state", "attempts", "responseStatus", "error", "nextAttemptAt");
      });
      return { ...renderJob(progress), items, next: progress.next };
    }),

  abort: withoutStepUp.input(byId).mutation(async ({ ctx: { services, holder, by }, input }) => {
    return await abortResendJob(services, { partnerId: holder.partnerId, by, id: input.id });
  }),
});

/** The partner is the session's; only the operator's people may name one, or (null) mean everybody. */
function scopeOf(holder: SessionHolder, { partnerId }: { partnerId?: string }): string | null {
  return tenantOf(holder, partnerId).partnerId ?? null;
}

function readSelection(
  input: z.output<typeof resendSelection>,
  holder: SessionHolder,
): { partnerId: string | null; selection: ResendSelection } {
  if ("callbackIds" in input) return { partnerId: holder.partnerId, selection: input };
  const { partnerId: _, since, ...selection } = input;
  return { partnerId: scopeOf(holder, input), selection: { ...selection, ...(since && { since: since.toISOString() }) } };
}
