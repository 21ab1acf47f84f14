import { z } from "zod";
import { causeOf } from "./cause.ts";

/** What a service says about itself to anybody, without a key. */

const TIMEOUT_MS = 10_000;

/** One request, without retries or redirects. */
export async function ask(url: string, { signal, ...init }: RequestInit & { signal?: AbortSignal | undefined } = {}): Promise<Response> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  return await fetch(url, { ...init, redirect: "manual", signal: signal ? AbortSignal.any([signal, limit]) : limit });
}

export async function readJson(answer: Response): Promise<unknown> {
  try {
    return JSON.parse(await answer.text());
  } catch {
    return null;
  }
}

export type Clock = {
  service: Date /** How far this machine's clock is ahead of the service's, at least; negative: behind. */;
  aheadSeconds: number;
};

const timeAnswer = z.object({ now: z.iso.datetime(), epoch_seconds: z.number() });

/** The service's clock, or a sentence that says why it is unknown. */
export async function readClock(baseUrl: string, signal: AbortSignal): Promise<Clock | string> {
  const asked = Date.now();
  let answer: Response;
  try {
    answer = await ask(`${baseUrl}/time`, { signal });
  } catch (error) {
    return unreachable(baseUrl, error);
  }
  const answered = Date.now();
  if (answer.status >= 300 && answer.status < 400)
    return `${baseUrl} redirects to ${answer.headers.get("location")}. Log in with the URL that it leads to.`;
  const parsed = timeAnswer.safeParse(await readJson(answer));
  if (answer.status !== 200 || !parsed.success)
    return `What answers at ${baseUrl} is not the settlement service (/time: ${answer.status}): the host is wrong, or the path has a part too few or too many.`;
  const service = Date.parse(parsed.data.now);
  // It was read somewhere between the two: only what lies outside of both is an error of a clock.
  const ahead = asked > service ? asked - service : answered < service ? answered - service : 0;
  return { service: new Date(service), aheadSeconds: Math.round(ahead / 1_000) };
}

/** Why a request got no answer, in a sentence. */
export function unreachable(baseUrl: string, error: unknown): string {
  const { host, hostname } = new URL(baseUrl);
  const cause = causeOf(error);
  if (/ENOTFOUND|EAI_AGAIN/.test(cause)) return `There is no host ${hostname}. Check the URL, or the DNS of this machine.`;
  if (/ECONNREFUSED/.test(cause)) return `Nothing listens at ${host}. The service is not running, or the port is wrong.`;
  if (/CERT|SSL|TLS|certificate/i.test(cause)) return `The certificate of ${host} is not trusted here: ${cause}.`;
  if (/abort|timeout/i.test(cause)) return `${host} did not answer within ${TIMEOUT_MS / 1_000} s.`;
  return `${host} cannot be reached: ${cause}.`;
}

/** The brand in the names of the signing headers, from the service's own challenge; null: unknown. */
export async function readBrand(baseUrl: string, signal: AbortSignal): Promise<string | null> {
  const challenge = (await ask(`${baseUrl}/api/v1/pairs`, { signal })).headers.get("www-authenticate") ?? "";
  return /\bX-([A-Za-z0-9-]+)-Signature\b/i.exec(challenge)?.[1] ?? null;
}

const sandboxDocument = z.object({ openapi: z.string(), paths: z.object({ "/sandbox/clock": z.object({}) }) });

/**
 * Whether money moves here. Only a sandbox publishes the document of a sandbox's controls, and only a sandbox issues test keys; whatever
 * else is answered, or nothing, is live.
 */
export async function readMode(
  { base_url, api_key }: { base_url: string; api_key: string },
  signal: AbortSignal,
): Promise<"sandbox" | "live"> {
  if (!api_key.startsWith("key_test_")) return "live";
  try {
    const answer = await ask(`${base_url}/openapi/sandbox.json`, { signal });
    return answer.status === 200 && sandboxDocument.safeParse(await readJson(answer)).success ? "sandbox" : "live";
  } catch {
    return "live";
  }
}
