import { decode } from "next-auth/jwt";
import { z } from "zod";
import type { Uses } from "#server/context.ts";
import { authenticateSession, type SessionHolder } from "#server/services/people/sessions/sessions.ts";
import { type AuthSettings, cookieName, cookieSecret } from "./settings.ts";

const Token = z.object({ sid: z.string() });

/** The user of a request's cookie, with the present role; null for nobody. */
export async function readSession(
  ctx: Uses<"db" | "clock">,
  settings: AuthSettings,
  cookie: (name: string) => string | undefined,
): Promise<SessionHolder | null> {
  const sealed = cookie(cookieName(settings, "session"));
  if (sealed === undefined || sealed === "") return null;
  const token = Token.safeParse(await decode({ token: sealed, secret: cookieSecret(settings) }).catch(() => null));
  return token.success ? await authenticateSession(ctx, token.data.sid) : null;
}
