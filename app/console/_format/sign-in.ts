/** Signing in and out, by next-auth's endpoints. */

export type SignInOutcome = "signed_in" | { refused: string; retryAfterSeconds: number | null };

type Credentials = { email: string; password: string; otp: string };

/** Answers what came of it. The session itself is a cookie that no script can read. */
export async function signIn(credentials: Credentials): Promise<SignInOutcome> {
  const body = new URLSearchParams({ ...credentials, csrfToken: await readCsrfToken(), json: "true", callbackUrl: "/console" });
  const response = await fetch("/api/auth/callback/credentials", { method: "POST", body });
  if (response.ok) return "signed_in";
  const answer: unknown = await response.json().catch(() => null);
  const url = typeof answer === "object" && answer !== null && "url" in answer ? String(answer.url) : "";
  const [code = "", seconds] = (new URL(url, window.location.origin).searchParams.get("error") ?? "").split(":");
  return { refused: code, retryAfterSeconds: seconds === undefined ? null : Number(seconds) };
}

/** Ends the session at once and leaves the pages that needed it. */
export async function signOut(): Promise<void> {
  const body = new URLSearchParams({ csrfToken: await readCsrfToken(), json: "true", callbackUrl: "/console" });
  await fetch("/api/auth/signout", { method: "POST", body });
  window.location.assign("/console/sign-in");
}

async function readCsrfToken(): Promise<string> {
  const answer: unknown = await (await fetch("/api/auth/csrf")).json();
  return typeof answer === "object" && answer !== null && "csrfToken" in answer ? String(answer.csrfToken) : "";
}
