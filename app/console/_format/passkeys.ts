import { startAuthentication, startRegistration } from "@simplewebauthn/browser";

/** What the service asks of a device, and what the device answers: plain JSON, which the service alone reads. */
type Json = Record<string, unknown>;

/** Has one of the person's devices sign what is asked. @throws DOMException `NotAllowedError` when it was called off. */
export async function signWithKey(options: Json): Promise<Json> {
  return { ...(await startAuthentication({ optionsJSON: options as Json & Parameters<typeof startAuthentication>[0]["optionsJSON"] })) };
}

/** Has a device make a key. @throws DOMException `NotAllowedError` when it was called off, `InvalidStateError` when it has one. */
export async function makeKey(options: Json): Promise<Json> {
  return { ...(await startRegistration({ optionsJSON: options as Json & Parameters<typeof startRegistration>[0]["optionsJSON"] })) };
}

/** What the browser said, for people; null: it was not the browser. */
export function passkeySentence(error: unknown, t: Readonly<Record<string, string>>): string | null {
  return error instanceof Error ? (t[error.name] ?? null) : null;
}
