import { initTRPC, TRPCError } from "@trpc/server";
import { hasLapsed } from "#contract/lapse.ts";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { mayAsOperator, mayAsPartner, type OperatorPermission, type PartnerPermission } from "#domain/access.ts";
import { CONSOLE_SURFACE } from "#domain/api-request.ts";
import { Refusal, type RefusalCode } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import { type RequestEnd, traceRequest } from "#server/observe/trace.ts";
import { actorOf, byOf, mustEnrolFirst, powersOf, type TrpcContext } from "./context.ts";
import { assertPlain } from "./plain.ts";
import { refusalOfCall, showRefusal, trpcCode } from "./refusal-shape.ts";
import { askToSign, withSignature } from "./signing.ts";

/** Who a procedure is for. Each checks it itself; a test walks all of them with every role. */
export type ProcedureMeta = {
  audience?: "anybody" | "person" | "operator" | "partner" | "manager";
  /**
   * A mutation that moves no money and grants no access. Every other one needs a recent step-up: a new one has that by default, and must be
   * listed here and in `light-fixture.ts` to be without.
   */
  stepUp?: false;
  /** It changes nothing, and is not a query only because its input is too long for a URL. */
  reads?: true;
  /** Besides those for managers: it is about the sessions or factors of somebody else. */
  managesPeople?: true;
  /** Also allowed in the read-only view as a partner's staff: of all mutations, only leaving that view. */
  whileViewing?: boolean;
};

const t = initTRPC
  .context<TrpcContext>()
  .meta<ProcedureMeta>()
  .create({
    defaultMeta: { audience: "person" },
    isDev: false,
    // After five seconds of silence the stream no longer counts as live: one that lost its ping reconnects before.
    sse: { ping: { enabled: true, intervalMs: 1_000 }, client: { reconnectAfterInactivityMs: 4_000 } },
    // Never a stack, an SQL text or a foreign thing's existence.
    errorFormatter: ({ shape, error, ctx }) => {
      const refusal = refusalOfCall(error);
      const shown = showRefusal(refusal, ctx?.requestId ?? null);
      return { ...shape, message: refusal.message, data: { refusal: shown, httpStatus: shown.status } };
    },
  });

export const router = t.router;

/** Returns refusals once, and logs everything unforeseen. */
const base = t.procedure.use(async ({ ctx, next, path, type }) => {
  const started = performance.now();
  if (type === "mutation" && hasLapsed(ctx.lapsesAt, ctx.services.clock.now())) throw lapsed();
  // Mutations are traced; queries, which pages send every few seconds, would be too many.
  const result = type === "mutation" ? await traceRequest(null, next, (end) => callEnd(path, ctx, end)) : await next();
  const durationMs = Math.round((performance.now() - started) * 100) / 100;
  const note = { request_id: ctx.requestId, surface: "console", operation: path, user_id: ctx.holder?.userId, duration_ms: durationMs };
  if (result.ok) {
    if (type !== "query") ctx.services.log.info({ ...note, code: null }, "request");
    if (ctx.settings.mode === "sandbox" && type !== "subscription") assertPlain(result.data, path);
    return result;
  }
  const refusal = refusalOfCall(result.error);
  ctx.services.log.info({ ...note, code: refusal.code }, "request");
  recordRefused(ctx, { path, type, code: refusal.code, durationMs });
  if (refusal.code === "internal_error") ctx.services.log.error({ ...note, err: result.error.cause ?? result.error }, "a procedure failed");
  throw new TRPCError({ code: trpcCode(refusal.code), message: refusal.message, cause: refusal });
});

function callEnd(path: string, { requestId, holder }: TrpcContext, result: { ok: true } | { ok: false; error: TRPCError }): RequestEnd {
  const refusal = result.ok ? null : refusalOfCall(result.error);
  return {
    name: `console.${path}`,
    attributes: {
      "settlement.surface": CONSOLE_SURFACE,
      "settlement.request_id": requestId,
      "settlement.user_id": holder?.userId,
      "settlement.code": refusal?.code,
    },
    failure: refusal?.code === "internal_error" ? refusal.code : null,
  };
}

/** It was delayed beyond its caller's deadline: a user's action happens now or never. */
function lapsed(): TRPCError {
  const cause = new Refusal("conflict", { detail: "The request arrived too late. Nothing was changed." });
  return new TRPCError({ code: trpcCode(cause.code), message: cause.message, cause });
}

type RefusedCall = { path: string; type: string; code: RefusalCode; durationMs: number };

/** A user who sees a request id finds the call with it in the API log. */
function recordRefused({ holder, requestId, address, apiLog, services }: TrpcContext, { path, type, code, durationMs }: RefusedCall): void {
  if (holder === null || requestId === null) return;
  apiLog.note({
    id: requestId,
    at: services.clock.now(),
    durationMs,
    address,
    code,
    status: REFUSAL_STATUS[code].status,
    partnerId: holder.partnerId,
    apiKeyId: null,
    userId: holder.userId,
    settlementId: null,
    replayed: false,
    refused: null,
    surface: CONSOLE_SURFACE,
    operation: path,
    method: type === "mutation" ? "POST" : "GET",
    path: `/api/trpc/${path}`,
    query: "",
  });
}

/** For anyone, signed in or not: the input must prove enough. */
export const publicProcedure = base.meta({ audience: "anybody" });

function managesPeople(meta: ProcedureMeta | undefined): boolean {
  return meta?.audience === "manager" || meta?.managesPeople === true;
}

/** For signed-in users, including those who must still enrol a second factor: only the enrolment needs no more. */
export const signedInProcedure = base.use(async ({ ctx, next, meta, type, path }) => {
  if (ctx.holder === null) throw new Refusal("invalid_token", { detail: "Sign in to continue." });
  if (type === "mutation" && ctx.holder.viewedBy !== null && meta?.whileViewing !== true)
    throw new Refusal("forbidden", { detail: "You are viewing the console as a partner. Leave that view to change anything." });
  // Who leaves a view changes only their own session, which is no row of the partner's.
  const isLeaving = type === "mutation" && ctx.holder.viewedBy !== null;
  const services = isLeaving ? ctx.services : powersOf(ctx.holder, ctx.services, managesPeople(meta));
  const by = type === "mutation" ? await withSignature(ctx, byOf(ctx.holder, ctx.requestId)) : byOf(ctx.holder, ctx.requestId);
  // The services ask as well, on every surface; what they forgot is caught here.
  if (type === "mutation" && meta?.stepUp !== false) refuseUnlessProven(by, services.clock.now());
  const result = await next({ ctx: { ...ctx, services, holder: ctx.holder, by } });
  if (!result.ok && type === "mutation") await askToSign(ctx, path, refusalOfCall(result.error));
  return result;
});

/** For signed-in users. {@link tenantOf} says what it may see: its partner's data or (for operators) everybody's. */
export const personProcedure = signedInProcedure.use(({ ctx, next }) => {
  if (mustEnrolFirst(ctx)) throw new Refusal("enrolment_required");
  return next();
});

/** For operators whose role permits the action. Partners' users get 404. */
export function operatorProcedure(permission: OperatorPermission = "read") {
  return personProcedure.meta({ audience: "operator" }).use(({ ctx, next }) => {
    if (ctx.holder.partnerId !== null) throw new Refusal("not_found");
    if (!mayAsOperator(actorOf(ctx.holder), permission)) throw new Refusal("forbidden", { detail: "Your role does not include this." });
    return next();
  });
}

/** For partners' users whose role permits the action. Operators, and users without the permission, get 404. */
export function partnerProcedure(permission: PartnerPermission) {
  return personProcedure.meta({ audience: "partner" }).use(({ ctx, next }) => {
    if (!mayAsPartner(actorOf(ctx.holder), permission)) throw new Refusal("not_found");
    return next();
  });
}

/** A database error or a defect: another database may well answer. */
const NO_WORD_OF_OURS: readonly RefusalCode[] = ["temporarily_unavailable", "internal_error"];

/**
 * For lists and figures to browse: read from the replica if one is close enough, and otherwise (it fails, or must replay) from the primary.
 * Not for data that somebody decides on, which never uses the replica.
 */
export const mayLag = t.middleware(async ({ ctx, next, type, meta }) => {
  const { replica, holder } = ctx;
  if (!replica?.state().isRead || holder === null || (type !== "query" && meta?.reads !== true)) return await next();
  const result = await next({ ctx: { services: powersOf(holder, { ...ctx.services, db: replica.db }, managesPeople(meta)) } });
  if (result.ok || !NO_WORD_OF_OURS.includes(refusalOfCall(result.error).code)) return result;
  replica.distrust();
  return await next();
});

/** Whose things may be seen: a partner's people their own, whatever they name; the operator's those of whom they name, or everybody's. */
export function tenantOf(holder: { partnerId: string | null }, named?: string): { partnerId?: string } {
  const partnerId = holder.partnerId ?? named;
  return partnerId === undefined ? {} : { partnerId };
}
