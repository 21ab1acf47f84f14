import type { Context } from "#server/context.ts";
import type { By, Person } from "#server/domain/access.ts";
import type { SessionHolder } from "#server/services/people/authenticate-session.ts";

/** The part of an installation's settings that the console shows or obeys. */
export type ConsoleSettings = { mode: "sandbox" | "live"; brand: string; baseUrl: string };

/** What a procedure is handed beside its input. */
export type TrpcContext = {
  services: Context;
  settings: ConsoleSettings;
  /** Aborted when the process ends. */
  ending: AbortSignal;
  /** Who the session's cookie says it is, as of now; null for nobody. */
  holder: SessionHolder | null;
  /** Asked again by what lasts: a session may have ended meanwhile. */
  readHolder: () => Promise<SessionHolder | null>;
  requestId: string | null;
  /** Where the request comes from. */
  address: string;
};

export function actorOf(holder: SessionHolder): Person {
  return { type: "user", userId: holder.userId, role: holder.role, partnerId: holder.partnerId };
}

export function byOf(holder: SessionHolder, requestId: string | null): By & { actor: Person } {
  return { actor: actorOf(holder), requestId };
}
