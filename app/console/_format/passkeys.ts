import type { startAuthentication, startRegistration } from "@simplewebauthn/browser";

/** The service's challenge and the device's answer: plain JSON that only the service interprets. */
type Json = Record<string, unknown>;

/** It loads when a device is asked: most visits to a page with passkeys never ask one. */
const withLibrary = () => import("@simplewebauthn/browser");

/**
 * Asks one of the user's devices to sign.
 * @throws DOMException `NotAllowedError` when the user cancelled
 */
export async function signWithKey(options: Json): Promise<Json> {
  const { startAuthentication: start } = await withLibrary();
  return { ...(await start({ optionsJSON: options as Json & Parameters<typeof startAuthentication>[0]["optionsJSON"] })) };
}

/**
 * Lets a device create a key.
 * @throws DOMException `NotAllowedError` when the user cancelled, `InvalidStateError` when it has one
 */
export async function makeKey(options: Json): Promise<Json> {
  const { startRegistration: start } = await withLibrary();
  return { ...(await start({ optionsJSON: options as Json & Parameters<typeof startRegistration>[0]["optionsJSON"] })) };
}

/** The browser's error, in words; null: it was not the browser. */
export function passkeySentence(error: unknown, t: Readonly<Record<string, string>>): string | null {
  return error instanceof Error ? (t[error.name] ?? null) : null;
}
