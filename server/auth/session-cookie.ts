import { encode } from "next-auth/jwt";
import { type AuthSettings, cookieName, cookieSecret, isSecure } from "./settings.ts";

/** The header line that gives a browser its session's secret, in the form that next-auth reads, until the session's end. */
export async function sessionCookie(settings: AuthSettings, session: { secret: string; expiresAt: Date }, now: Date): Promise<string> {
  const lifetime = Math.max(1, Math.floor((session.expiresAt.getTime() - now.getTime()) / 1_000));
  const sealed = await encode({ token: { sid: session.secret }, secret: cookieSecret(settings), maxAge: lifetime });
  return cookieLine(settings, "session", sealed, lifetime);
}

export function cookieLine(settings: AuthSettings, purpose: "provider" | "session", value: string, maxAge: number): string {
  const secure = isSecure(settings) ? "; Secure" : "";
  return `${cookieName(settings, purpose)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
}
