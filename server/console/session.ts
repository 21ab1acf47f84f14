import { z } from "zod";
import { instant, plainText } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import type { ByPerson } from "#domain/access.ts";
import { hasSecondFactor } from "#domain/session.ts";
import type { TrpcContext } from "#server/console/trpc/context.ts";
import { operatorProcedure, personProcedure, publicProcedure, router, signedInProcedure } from "#server/console/trpc/init.ts";
import { reportTime } from "#server/services/maintenance/clock.ts";
import { askPasskey, readAskedSignIn } from "#server/services/people/second-factor/passkey-proof.ts";
import { type StepUp, stepUp } from "#server/services/people/sessions/authenticate-person.ts";
import { leaveView, viewAsPartner } from "#server/services/people/sessions/partner-view.ts";
import { endSession, listSessions, type SessionHolder } from "#server/services/people/sessions/sessions.ts";
import { deviceAnswer, plainOptions, ticket } from "./device.ts";
import { done } from "./done.ts";

type Entered = Pick<TrpcContext, "services" | "address" | "renewCookie"> & { by: ByPerson; holder: SessionHolder };

/** The session goes on under a new secret, which the answer carries to the browser. */
async function provenBy({ services, by, holder, address, renewCookie }: Entered, proof: StepUp["proof"]) {
  const { sessionId, sidHash } = holder;
  await renewCookie(await stepUp(services, { by, sessionId, sidHash, address, proof }));
  return {};
}

/** Who is signed in, where, and what time it is. */
export const sessionRouter = router({
  me: signedInProcedure.query(({ ctx: { holder, services, settings } }) => ({
    ...toWire(holder, "userId", "email", "name", "role", "sessionId", "expiresAt"),
    partner: holder.partnerId === null ? null : { id: holder.partnerId, name: holder.partnerName ?? "" },
    two_factors: hasSecondFactor(holder),
    /** The user's second factors, which a step-up offers. */
    factors: { code: holder.hasTotp, passkey: holder.hasPasskey, provider: holder.provenByProvider },
    viewing: holder.viewedBy !== null,
    /** Real time, as a duration: the browser's clock may be wrong. */
    ends_in_seconds: Math.max(0, Math.floor((holder.expiresAt.getTime() - services.clock.now().getTime()) / 1_000)),
    mode: settings.mode,
    brand: settings.brand,
  })),

  /** Business time, which all stored instants use. */
  clock: personProcedure.query(async ({ ctx: { services } }) => ({ now: instant(await reportTime(services)) })),

  /** A step-up, by password, one-time code or recovery code, valid for five minutes. */
  stepUp: signedInProcedure
    .meta({ stepUp: false })
    .input(z.strictObject({ proof: z.string().min(1).max(1_024) }))
    .mutation(({ ctx, input }) => provenBy(ctx, input.proof)),

  /** What the person's passkey is to sign in place of a code; good for this session, once, for two minutes. */
  askPasskey: signedInProcedure.meta({ stepUp: false }).mutation(async ({ ctx: { services, holder } }) => {
    const { ticket, options } = await askPasskey(services, { userId: holder.userId, sessionId: holder.sessionId, purpose: "step_up" });
    return { ticket, options: plainOptions(options) };
  }),

  /** As `stepUp`, by what the passkey has signed. */
  stepUpByPasskey: signedInProcedure
    .meta({ stepUp: false })
    .input(deviceAnswer)
    .mutation(({ ctx, input }) => provenBy(ctx, input)),

  /** For a sign-in whose password was right: the passkey challenge of the ticket. */
  signInByPasskey: publicProcedure.input(z.strictObject({ ticket })).query(async ({ ctx: { services }, input }) => {
    const { options, hasTotp } = await readAskedSignIn(services, input.ticket);
    return { options: plainOptions(options), code: hasTotp };
  }),

  /** From the next call on, the console shows what the partner's staff sees, read-only. Every page must be loaded again. */
  viewAs: operatorProcedure()
    .meta({ stepUp: false })
    .input(fromWire({ partner_id: z.string().max(64) }))
    .mutation(({ ctx: { services, by, holder }, input }) => {
      return done(viewAsPartner(services, { by, sessionId: holder.sessionId, ...input }));
    }),

  leaveView: personProcedure.meta({ stepUp: false, whileViewing: true }).mutation(async ({ ctx: { services, by, holder } }) => {
    if (holder.viewedBy === null || holder.partnerId === null) return {};
    await leaveView(services, { by, sessionId: holder.sessionId, partnerId: holder.partnerId });
    return {};
  }),

  list: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const sessions = await listSessions(services, holder.userId);
    return sessions.map((session) => ({
      ...toWire(session, "id", "createdAt", "lastSeenAt", "expiresAt", "address", "userAgent"),
      current: session.id === holder.sessionId,
    }));
  }),

  end: personProcedure
    .meta({ stepUp: false })
    .input(fromWire({ session_id: plainText(1, 64) }))
    .mutation(({ ctx: { services, by }, input }) => done(endSession(services, { by, ...input }))),
});
