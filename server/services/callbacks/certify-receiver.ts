import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { markReceiverCertified } from "#db/queries/partners/partners.ts";
import { takeFromBudget } from "#db/queries/people/login-tries.ts";
import type { ByPerson } from "#domain/access.ts";
import { newSampleId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { triesFor } from "#server/services/access/guard-tries.ts";
import { checkCallbackUrl } from "./callback-target.ts";
import { judgeProbe, judgeSpeed, type Probe, type ProbeVerdict, type Shot, type ShotAnswer, WORK_HEADER, workOf } from "./judge-probe.ts";
import { receiverProbes, type SignShot } from "./receiver-probes.ts";
import { attemptHeaders } from "./send-attempt.ts";
import { readSigning, refuseUnlessMayTest } from "./send-sample.ts";

export type CertifyReceiver = {
  partnerId: string;
  by: ByPerson;
  url: string;
  /** Replaces `Service` in the header names of the request signature. */
  brand: string;
  /** Calls it off: the process ends. */
  signal: AbortSignal;
};
/** `untried`: not sent, because the receiver did not answer at all, or time ran out. */
export type ReceiverSheet = { passed: boolean; verdicts: ProbeVerdict[]; untried: string[] };

/** Each answer is waited for this long here, where a person looks on; a real attempt waits 30 s. */
const PATIENCE_MS = 5_000;
const LONGEST_MS = 60_000;
/** The budget of runs of a partner, across all processes: a burst after a pause, then one per interval. */
const AT_ONCE = 3;
const EVERY_SECONDS = 60;

/**
 * Sends good and bad callbacks to a receiver, as attempts are sent, and judges its answers. It stores an audit entry that names the
 * host, and when a receiver last passed. Like samples, they describe nothing real. No transaction is open meanwhile.
 *
 * @throws Refusal as `sendSample`.
 */
export async function certifyReceiver(
  ctx: Uses<"db" | "clock" | "vault" | "callbacks" | "log">,
  { partnerId, by, url, brand, signal }: CertifyReceiver,
): Promise<ReceiverSheet> {
  refuseUnlessMayTest(by.actor, partnerId);
  await checkCallbackUrl(ctx, url, "/url");
  const signing = await readSigning(ctx, partnerId);
  await admit(ctx, { partnerId, by, url });
  const sign: SignShot = (sample, at) =>
    attemptHeaders({ vault: ctx.vault, clock: { now: () => at } }, { ...sample, url }, { signing, brand });
  const probes = receiverProbes({ url, brand, sign, signAsStranger: asStranger(sign) });
  const [verdicts, answers]: [ProbeVerdict[], ShotAnswer[]] = [[], []];
  const begun = performance.now();
  for (const probe of probes) {
    if (performance.now() - begun > LONGEST_MS) break;
    const came = await send(ctx, probe, { url, signal });
    if (signal.aborted) throw new Refusal("temporarily_unavailable", { retryAfterSeconds: 5 });
    verdicts.push(judgeProbe(probe, came));
    if (probe.wants === "taken") answers.push(...came);
    // A receiver that does not answer at all would cost a timeout per probe.
    if (came.every(({ status }) => status === null)) break;
  }
  const untried = probes.slice(verdicts.length).map(({ title }) => title);
  if (untried.length === 0) verdicts.push(judgeSpeed(answers));
  const passed = untried.length === 0 && verdicts.every((verdict) => verdict.passed);
  if (passed) await markReceiverCertified(ctx.db, partnerId, ctx.clock.now());
  ctx.log.info(
    { partner_id: partnerId, passed, failed: verdicts.filter((each) => !each.passed).map(({ name }) => name) },
    "receiver certified",
  );
  return { passed, verdicts, untried };
}

/** Signatures of the right form that are of nothing: no second set of secrets is needed for them. */
function asStranger(sign: SignShot): SignShot {
  return (sample, at) => {
    const headers = sign({ id: sample.id, body: `${sample.body} ` }, new Date(at.getTime() + 1_000));
    const own = sign(sample, at);
    return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, /signature$/i.test(name) ? (headers[name] ?? "") : value]));
  };
}

async function send(
  ctx: Uses<"callbacks" | "log">,
  probe: Probe,
  { url, signal }: { url: string; signal: AbortSignal },
): Promise<ShotAnswer[]> {
  const once = async ({ headers, body }: Shot): Promise<ShotAnswer> => {
    try {
      const came = await ctx.callbacks.send({ url, headers, body, timeoutMs: PATIENCE_MS, signal });
      const { status, trouble, durationMs, responseHeaders } = came;
      return { status, trouble: trouble?.message ?? null, durationMs, worked: workOf(responseHeaders?.[WORK_HEADER]) };
    } catch (error) {
      ctx.log.error({ error }, "a receiver could not be certified");
      return { status: null, trouble: "for a reason of our own", durationMs: 0, worked: null };
    }
  };
  const shots = probe.shots(new Date());
  if (probe.atOnce) return await Promise.all(shots.map(once));
  const answers: ShotAnswer[] = [];
  for (const shot of shots) answers.push(await once(shot));
  return answers;
}

async function admit(ctx: Uses<"db" | "clock">, { partnerId, by, url }: Pick<CertifyReceiver, "partnerId" | "by" | "url">): Promise<void> {
  const now = await readBusinessNow(ctx.db);
  await ctx.db.transaction(async (tx) => {
    const waitMs = await takeFromBudget(tx, triesFor(`certified receivers ${partnerId}`, AT_ONCE, EVERY_SECONDS), ctx.clock.now());
    if (waitMs !== null) {
      const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
      const detail = `All of your people together certify ${AT_ONCE} times at once, then once a minute: the next in ${retryAfterSeconds} s.`;
      throw new Refusal("rate_limited", { detail, retryAfterSeconds });
    }
    const change = { host: new URL(url).host };
    await insertAuditEntry(tx, { by, partnerId, action: "receiver.certified", objectId: newSampleId("callback"), change, now });
  });
}
