import type { Replica } from "#db/replica.ts";
import type { ByPerson, Person } from "#domain/access.ts";
import type { Retention } from "#domain/retention.ts";
import { mustEnrol } from "#domain/session.ts";
import { type Context, inTenant } from "#server/context.ts";
import type { ApiLog } from "#server/services/access/log-api-requests.ts";
import type { SessionHolder } from "#server/services/people/sessions/sessions.ts";
import type { LiveHub } from "./live-hub.ts";

/** The part of an installation's settings that the console shows or obeys. Never a secret, never an address with one in it. */
export type ConsoleSettings = {
  mode: "sandbox" | "live";
  brand: string;
  baseUrl: string;
  rateMaxAgeSeconds: number;
  rateSource: "fixed" | "http";
  rateLimits: { writesPerSecond: number; readsPerSecond: number };
  trustedProxies: readonly string[];
  callbackAllowedHosts: readonly string[];
  retention: Retention;
  /** Whether the fiat provider is simulated, so that its pools hold play money. */
  playMoney: boolean;
};

/** The context of a procedure. */
export type TrpcContext = {
  services: Context;
  settings: ConsoleSettings;
  /** Lists and figures are read from it (`mayLag`) while it is near enough; nothing that is decided on is. */
  replica?: Replica | null | undefined;
  /** Keeps the calls that were refused: their request ids are found there. */
  apiLog: ApiLog;
  /** Publishes every partner's changes: a listener drops those that its user may not see. */
  live: LiveHub;
  /** Aborted when the process ends. */
  ending: AbortSignal;
  /** Who the session's cookie says it is, as of now; null for nobody. */
  holder: SessionHolder | null;
  /** Asked again by what lasts: a session may have ended meanwhile. A new secret of the same session is no end. */
  readHolder: () => Promise<SessionHolder | null>;
  /** Gives the browser the session's new secret with this answer. */
  renewCookie: (secret: string) => Promise<void>;
  requestId: string | null;
  /** The caller's deadline for this request's effect; null: none. */
  lapsesAt: string | null;
  /** The signature of the decision that this call makes, as the browser sent it; null or left out: none. */
  signed?: string | null | undefined;
  /** The request's address. */
  address: string;
};

/** Whether the person must set two factors up before anything else. */
export function mustEnrolFirst({ holder, services }: Pick<TrpcContext, "holder" | "services">): boolean {
  return holder !== null && mustEnrol({ ...holder, role: holder.viewedBy ?? holder.role }, services.entryRules);
}

export function actorOf(holder: SessionHolder): Person {
  return { type: "user", userId: holder.userId, role: holder.role, partnerId: holder.partnerId };
}

/**
 * The database limits the work for a partner's users, or for an operator in that view, to the partner's rows, and everybody's work to the
 * person's own sessions, factors and tokens. `managesPeople`: to those of the partner's people, and for an operator to everybody's.
 */
export function powersOf({ partnerId, userId }: SessionHolder, services: Context, managesPeople = false): Context {
  const ofPerson = managesPeople ? {} : { person: userId };
  return inTenant(services, partnerId === null ? { of: "everybody", ...ofPerson } : { of: "partner", id: partnerId, ...ofPerson });
}

export function byOf(holder: SessionHolder, requestId: string | null): ByPerson {
  const { steppedUpAt, steppedUpByCode } = holder;
  const proof = steppedUpAt === null ? null : { at: steppedUpAt, byCode: steppedUpByCode };
  return { actor: actorOf(holder), requestId, proof };
}
