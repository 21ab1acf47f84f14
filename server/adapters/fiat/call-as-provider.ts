import { railSignature } from "#domain/rail-signature.ts";

const TIMEOUT_MS = 5_000;

/** How the sandbox's simulated provider reaches us: over HTTP, signed, like anybody else. */
export function createProviderCaller(options: { baseUrl: string; secret: string }): (path: string, body: string) => Promise<number | null> {
  return async (path, body) => {
    try {
      const response = await fetch(`${options.baseUrl}${path}`, {
        method: "POST",
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { "Content-Type": "application/json", "X-Signature": railSignature(options.secret, body) },
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return null;
    }
  };
}
