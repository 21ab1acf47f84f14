import { randomBytes } from "node:crypto";
import http from "node:http";
import https from "node:https";
import {
  judgeProbe,
  judgeSpeed,
  type Probe,
  type Shot,
  type ShotAnswer,
  WORK_HEADER,
  workOf,
} from "#server/services/callbacks/judge-probe.ts";
import { receiverProbes, type SignShot } from "#server/services/callbacks/receiver-probes.ts";
import { signAttempt } from "#server/services/callbacks/sign-attempt.ts";
import { eventProbes } from "./event-probes.ts";
import type { Check } from "./sheet.ts";

export type ReceiverOptions = {
  url: string;
  /** `whsec_…` */
  callbackSecret: string;
  apiSecret: string;
  /** The word in the names of the signing headers. */
  brand?: string;
  /** How long one answer is waited for: as long as the service does. */
  timeoutMs?: number;
  /** What still counts as soon. */
  soonMs?: number;
  /** Ends it. */
  signal?: AbortSignal | undefined;
  /** Only these probes. */
  only?: readonly string[];
  /** What its URL gets: callbacks, or the events of a destination, whose secret is then `callbackSecret`. */
  gets?: "callbacks" | "events";
};

/** Sends good and bad callbacks to a receiver, and judges its answers. Its effects are invisible from here. */
export async function certifyReceiver({ timeoutMs = 30_000, ...options }: ReceiverOptions): Promise<Check[]> {
  const { url, brand = "Service", callbackSecret, apiSecret, gets = "callbacks" } = options;
  const signWith =
    (secret: string, request: string): SignShot =>
    ({ id, body }, now) =>
      signAttempt({ id, url, body, now, webhookSecrets: [secret], apiSecret: request, brand, signPublicly: null });
  const signAsStranger = signWith(`whsec_${randomBytes(32).toString("base64")}`, `sec_test_${randomBytes(24).toString("base64url")}`);
  const keys = { url, brand, sign: signWith(callbackSecret, apiSecret), signAsStranger };
  const probes = gets === "events" ? eventProbes(keys) : receiverProbes(keys);
  const wanted = probes.filter(({ name }) => options.only?.includes(name) ?? true);
  const [verdicts, taken]: [ReturnType<typeof judgeProbe>[], ShotAnswer[]] = [[], []];
  for (const probe of wanted) {
    if (options.signal?.aborted) break;
    const answers = await sendAll(probe, (shot) => send(url, shot, timeoutMs));
    verdicts.push(judgeProbe(probe, answers));
    if (probe.wants === "taken") taken.push(...answers);
  }
  if (options.only?.includes("soon") ?? true) verdicts.push(judgeSpeed(taken, options.soonMs));
  const part = gets === "events" ? "event receiver" : "receiver";
  return verdicts.map(({ statuses: _, ...verdict }) => ({ part, ...verdict }));
}

async function sendAll(probe: Probe, once: (shot: Shot) => Promise<ShotAnswer>): Promise<ShotAnswer[]> {
  const shots = probe.shots(new Date());
  if (probe.atOnce) return await Promise.all(shots.map(once));
  const answers: ShotAnswer[] = [];
  for (const shot of shots) answers.push(await once(shot));
  return answers;
}

/** As the service sends it: one POST, no redirect followed, the verdict with the status line and the headers. */
async function send(url: string, { headers, body }: Shot, timeoutMs: number): Promise<ShotAnswer> {
  const startedAt = performance.now();
  const bytes = Buffer.from(body);
  const { request } = url.startsWith("https:") ? https : http;
  return await new Promise((resolve) => {
    const end = (status: number | null, trouble: string | null, worked: number | null = null) => {
      clearTimeout(timer);
      resolve({ status, trouble, durationMs: performance.now() - startedAt, worked });
    };
    const sent = request(url, { method: "POST", headers: { ...headers, "content-length": bytes.length }, agent: false }, (response) => {
      end(response.statusCode ?? null, null, workOf(response.headers[WORK_HEADER]));
      // A body may break off, or never end.
      response.on("error", () => {}).destroy();
    });
    const timer = setTimeout(() => {
      end(null, `no answer within ${timeoutMs / 1_000} s`);
      sent.destroy();
    }, timeoutMs);
    sent.on("error", (error) => end(null, error.message || "the connection broke"));
    sent.end(bytes);
  });
}
