import type { SIGN_IN } from "./words.ts";

/** Signing in and out, through next-auth's endpoints. */

/** `ticket`: the password was right, and a passkey may answer the challenge of this ticket. */
export type SignInOutcome = "signed_in" | { refused: string; retryAfterSeconds: number | null; ticket: string | null };

type Refused = Exclude<SignInOutcome, "signed_in">;

/** Why signing in failed, in words; null: there was no answer. */
export function refusedSentence(outcome: Refused | null, t: typeof SIGN_IN): string {
  if (outcome === null) return t.silent;
  if (outcome.refused === "rate_limited") return t.tooMany(outcome.retryAfterSeconds ?? 30);
  return t.refused[outcome.refused] ?? t.otherwise;
}

type Credentials = { email: string; password: string; otp: string };

/** The same with the passkey's answer to the ticket's challenge, which uses up the ticket. */
export async function signInByPasskey(credentials: Omit<Credentials, "otp">, ticket: string): Promise<SignInOutcome> {
  const asked = await fetch(`/api/trpc/session.signInByPasskey?input=${encodeURIComponent(JSON.stringify({ ticket }))}`);
  if (!asked.ok) return { refused: "invalid_credentials", retryAfterSeconds: null, ticket: null };
  const { result } = await asked.json();
  const { signWithKey } = await import("./passkeys.ts");
  const passkey = JSON.stringify(await signWithKey(result.data.options));
  return await signIn({ ...credentials, otp: "", ticket, passkey });
}

/** Returns the outcome. The session itself is a cookie that scripts cannot read. */
export async function signIn(credentials: Credentials & { ticket?: string; passkey?: string }): Promise<SignInOutcome> {
  const body = new URLSearchParams({ ...credentials, csrfToken: await readCsrfToken(), json: "true", callbackUrl: "/console" });
  const response = await fetch("/api/auth/callback/credentials", { method: "POST", body });
  if (response.ok) return "signed_in";
  const answer: unknown = await response.json().catch(() => null);
  const url = typeof answer === "object" && answer !== null && "url" in answer ? String(answer.url) : "";
  const [code = "", more] = (new URL(url, window.location.origin).searchParams.get("error") ?? "").split(":");
  const isWait = code === "rate_limited" && more !== undefined;
  return { refused: code, retryAfterSeconds: isWait ? Number(more) : null, ticket: isWait ? null : (more ?? null) };
}

/** Ends the session at once and leaves its pages. */
export async function signOut(): Promise<void> {
  const body = new URLSearchParams({ csrfToken: await readCsrfToken(), json: "true", callbackUrl: "/console" });
  await fetch("/api/auth/signout", { method: "POST", body });
  window.location.assign("/console/sign-in");
}

async function readCsrfToken(): Promise<string> {
  const answer: unknown = await (await fetch("/api/auth/csrf")).json();
  return typeof answer === "object" && answer !== null && "csrfToken" in answer ? String(answer.csrfToken) : "";
}
