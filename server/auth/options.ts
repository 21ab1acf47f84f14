import type { AuthOptions } from "next-auth";
import credentialsProvider from "next-auth/providers/credentials";
import { z } from "zod";
import { isRefusal } from "#domain/refusal.ts";
import { SESSION_LIFETIME_MS, sessionHash } from "#domain/session.ts";
import type { Context } from "#server/context.ts";
import { openSession, signOut } from "#server/services/people/sessions/sessions.ts";
import { readClient } from "./client.ts";
import { type AuthSettings, cookieName, cookieSecret, isSecure } from "./settings.ts";

/** A passkey's answer, as JSON, with the ticket of its challenge. */
const DEVICE = { ticket: z.string().max(64).optional(), passkey: z.string().max(20_000).optional() };
const Form = z
  .object({ email: z.string().min(1).max(320), password: z.string().min(1).max(1_024), otp: z.string().max(64).optional() })
  .extend(DEVICE);
const Token = z.object({ sid: z.string() });

/**
 * next-auth with passwords: its encrypted cookie contains only a session's secret. The user and the permissions are looked up on every
 * call.
 */
export function authOptions(ctx: Context, settings: AuthSettings): AuthOptions {
  return {
    secret: cookieSecret(settings),
    session: { strategy: "jwt", maxAge: SESSION_LIFETIME_MS / 1_000 },
    pages: { signIn: "/console/sign-in", signOut: "/console/sign-in", error: "/console/sign-in" },
    useSecureCookies: isSecure(settings),
    cookies: {
      sessionToken: cookie(settings, "session"),
      csrfToken: cookie(settings, "csrf"),
      callbackUrl: cookie(settings, "callback"),
    },
    providers: [
      credentialsProvider({
        credentials: { email: {}, password: {}, otp: {}, ticket: {}, passkey: {} },
        authorize: async (form, request) => {
          const read = Form.safeParse(form);
          if (!read.success) return null;
          const { email, password, otp, ticket, passkey } = read.data;
          const client = readClient((name) => headerOf(request.headers, name));
          const { userId, secret } = await opened(ctx, {
            email,
            password,
            otp: otp?.replaceAll(" ", "") || null,
            passkey: ticket && passkey ? { ticket, answer: parsed(passkey) } : null,
            ...client,
          });
          const person = { id: userId, sid: secret };
          return person;
        },
      }),
    ],
    callbacks: {
      // Ignores the requested target: the pages continue by themselves, so nobody can be sent to another origin.
      redirect: () => "/console",
      jwt: ({ token, user }) => {
        const { sid } = Token.parse(user ?? token);
        return { sid };
      },
      // next-auth's own session endpoint reveals nothing about a person.
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        const read = Token.safeParse(token);
        if (read.success) await signOut(ctx, sessionHash(read.data.sid));
      },
    },
    logger: {
      error: (code, particulars) =>
        ctx.log.error({ code, err: particulars instanceof Error ? particulars : undefined }, "next-auth failed"),
      warn: () => {},
      debug: () => {},
    },
  };
}

/** Invalid JSON counts as no answer. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** next-auth hands an error's message to the page: it gets the refusal's code, and in how many seconds to try again or the passkey's ticket. */
async function opened(ctx: Context, command: Parameters<typeof openSession>[1]) {
  try {
    return await openSession(ctx, command);
  } catch (error) {
    if (isRefusal(error)) {
      const { retryAfterSeconds, members } = error.particulars;
      throw new Error([error.code, retryAfterSeconds ?? members?.ticket].filter((part) => part !== undefined).join(":"));
    }
    ctx.log.error({ err: error, request_id: command.requestId }, "a sign-in failed");
    throw new Error("temporarily_unavailable");
  }
}

function cookie(settings: AuthSettings, purpose: "session" | "csrf" | "callback") {
  return {
    name: cookieName(settings, purpose),
    options: { httpOnly: true, sameSite: "lax" as const, path: "/", secure: isSecure(settings) },
  };
}

function headerOf(headers: unknown, name: string): string | null {
  const value = headers !== null && typeof headers === "object" ? Reflect.get(headers, name) : null;
  return typeof value === "string" ? value : null;
}
