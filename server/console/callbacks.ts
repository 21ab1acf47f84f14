import { renderCallbackDetail, renderCallbackRow } from "#contract/console/callback.ts";
import { renderEndpoint, renderGroup, renderJob, renderJobItem } from "#contract/console/callback-work.ts";
import {
  attemptSelection,
  type CallbackFilterInput,
  callbackById,
  callbackGroups,
  callbackPage,
  callbackScope,
  type ResendSelectionInput,
  receiverPause,
  receiverResume,
  resendJobById,
  resendJobPage,
  resendSelection,
} from "#contract/console/callbacks.ts";
import type { ResendSelection } from "#domain/callback-group.ts";
import { personProcedure, router } from "#server/console/trpc/init.ts";
import { abortResendJob } from "#server/services/callbacks/abort-resend-job.ts";
import { askAttempt, askAttempts } from "#server/services/callbacks/ask-attempt.ts";
import { browseCallbacks, type CallbackFilter, countCallbacks } from "#server/services/callbacks/browse-callbacks.ts";
import { listCallbackGroups, listEndpoints } from "#server/services/callbacks/list-callback-groups.ts";
import { pauseReceiver, resumeReceiver } from "#server/services/callbacks/pause-receiver.ts";
import { readCallback } from "#server/services/callbacks/read-callback.ts";
import { listResendJobs, readResendJob } from "#server/services/callbacks/read-resend-job.ts";
import { checkResend, resendCallback } from "#server/services/callbacks/resend-callback.ts";
import { previewResend, startResendJob } from "#server/services/callbacks/start-resend-job.ts";
import type { SessionHolder } from "#server/services/people/sessions/authenticate-session.ts";

/** Callbacks as people look after them: a partner's people their own, the operator's everybody's. */
export const callbacksRouter = router({
  list: personProcedure.input(callbackPage).query(async ({ ctx: { services, holder }, input }) => {
    const { limit, cursor, direction, ...filter } = input;
    const page = await browseCallbacks(services, { filter: readFilter(filter, holder), limit, beyond: cursor ?? null, direction });
    return { data: page.items.map(renderCallbackRow), older_cursor: page.older, newer_cursor: page.newer };
  }),

  counts: personProcedure.input(callbackScope).query(async ({ ctx: { services, holder }, input }) => {
    return await countCallbacks(services, scopeOf(holder, input.partner_id));
  }),

  /** What is not taken, by cause and receiver; beside what was given up, the newest resends of it. */
  groups: personProcedure.input(callbackGroups).query(async ({ ctx: { services, holder }, input: { partner_id, state } }) => {
    const partnerId = scopeOf(holder, partner_id);
    const groups = await listCallbackGroups(services, { partnerId, state });
    const jobs = state === "undelivered" ? await listResendJobs(services, partnerId) : [];
    return { data: groups.map(renderGroup), jobs: jobs.map(renderJob) };
  }),

  endpoints: personProcedure.input(callbackScope).query(async ({ ctx: { services, holder }, input }) => {
    const endpoints = await listEndpoints(services, { partnerId: scopeOf(holder, input.partner_id) });
    return { data: endpoints.map(renderEndpoint) };
  }),

  byId: personProcedure.input(callbackById).query(async ({ ctx: { services, holder }, input }) => {
    return renderCallbackDetail(await readCallback(services, { id: input.id, partnerId: holder.partnerId }), holder.partnerId === null);
  }),

  /** Starts one callback's six attempts anew; the service knows who may. */
  resend: personProcedure.input(callbackById).mutation(async ({ ctx: { services, holder, by }, input }) => {
    const command = { partnerId: holder.partnerId, by, callbackId: input.id };
    await checkResend(services, command);
    return { series: (await resendCallback(services, command)).series };
  }),

  /** One attempt of one callback now, beside its six. */
  attempt: personProcedure.input(callbackById).mutation(async ({ ctx: { services, holder, by }, input: { id } }) => {
    await askAttempt(services, { partnerId: holder.partnerId, by, callbackId: id });
    return { id };
  }),

  /** One attempt now of each that a receiver has failed to take and that is still retried. */
  attemptMany: personProcedure.input(attemptSelection).mutation(async ({ ctx: { services, holder, by }, input }) => {
    const { partner_id, origin, cause } = input;
    return await askAttempts(services, { partnerId: scopeOf(holder, partner_id), by, origin, ...(cause && { cause }) });
  }),

  pause: personProcedure.input(receiverPause).mutation(async ({ ctx: { services, holder, by }, input }) => {
    const { partner_id, origin, reason } = input;
    await pauseReceiver(services, { partnerId: scopeOf(holder, partner_id), by, origin, reason });
    return { origin };
  }),

  resume: personProcedure.input(receiverResume).mutation(async ({ ctx: { services, holder, by }, input }) => {
    await resumeReceiver(services, { partnerId: scopeOf(holder, input.partner_id), by, origin: input.origin });
    return { origin: input.origin };
  }),

  /** Starts many anew at once, as a job. */
  resendMany: personProcedure.input(resendSelection).mutation(async ({ ctx: { services, holder, by }, input }) => {
    const started = await startResendJob(services, { ...readSelection(input, holder), by });
    return { id: started.id, count: started.count, forbidden_origins: started.forbiddenOrigins };
  }),

  /** How many it would be, and to whom. */
  previewResend: personProcedure.input(resendSelection).query(async ({ ctx: { services, holder }, input }) => {
    return await previewResend(services, readSelection(input, holder));
  }),

  job: personProcedure.input(resendJobPage).query(async ({ ctx: { services, holder }, input }) => {
    const progress = await readResendJob(services, { partnerId: holder.partnerId, id: input.id, after: input.after });
    return { ...renderJob(progress), items: progress.items.map(renderJobItem), next: progress.next };
  }),

  abort: personProcedure.input(resendJobById).mutation(async ({ ctx: { services, holder, by }, input }) => {
    return await abortResendJob(services, { partnerId: holder.partnerId, by, id: input.id });
  }),
});

/** The partner is the session's; only the operator's people may name one, or (null) mean everybody. */
function scopeOf(holder: SessionHolder, named: string | undefined): string | null {
  return holder.partnerId ?? named ?? null;
}

function readFilter(input: CallbackFilterInput, holder: SessionHolder): CallbackFilter {
  const partnerId = scopeOf(holder, input.partner_id);
  return {
    ...(partnerId !== null && { partnerId }),
    ...(input.state && { state: input.state }),
    ...(input.event && { event: input.event }),
    ...(input.origin && { origin: input.origin }),
    ...(input.cause && { cause: input.cause }),
    ...(input.subject_id && { subjectId: input.subject_id }),
    ...(input.created_from && { createdFrom: input.created_from }),
    ...(input.created_to && { createdTo: input.created_to }),
  };
}

function readSelection(input: ResendSelectionInput, holder: SessionHolder): { partnerId: string | null; selection: ResendSelection } {
  if ("callback_ids" in input) return { partnerId: holder.partnerId, selection: { callbackIds: input.callback_ids } };
  const { partner_id, cause, origin, since } = input;
  const selection = { ...(cause && { cause }), ...(origin && { origin }), ...(since && { since: since.toISOString() }) };
  return { partnerId: scopeOf(holder, partner_id), selection };
}
