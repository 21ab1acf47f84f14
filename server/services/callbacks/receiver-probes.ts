import { CALLBACK_EVENTS, type CallbackEvent } from "#domain/callback.ts";
import { newSampleId } from "#domain/ids.ts";
import { sampleCallback } from "./sample-callback.ts";

/** The probes of a receiver, and how its answers are judged. Each shot is sent once. */

export type Shot = { headers: Record<string, string>; body: string };
/** `status` null: no answer, and why. */
export type ShotAnswer = { status: number | null; trouble: string | null; durationMs: number };
export type Probe = {
  name: string;
  /** What a correct receiver does, as a sentence. */
  title: string;
  wants: "taken" | "refused";
  /** What it means where the receiver does the opposite. */
  danger: string;
  /** All at once, or one after the other. */
  atOnce: boolean;
  /** Signed as of that moment. */
  shots(now: Date): Shot[];
};
export type ProbeVerdict = { name: string; title: string; passed: boolean; reason: string; statuses: (number | null)[] };

/** Signs what is sent as every attempt is signed: under the partner's own secrets. */
export type SignShot = (callback: { id: string; body: string }, at: Date) => Record<string, string>;
export type ProbeKeys = {
  /** The receiver's URL. */
  url: string;
  brand: string;
  sign: SignShot;
  /** The same under secrets that nobody has. */
  signAsStranger: SignShot;
};

/** A receiver answers first and works afterwards. */
export const SOON_MS = 5_000;
const HOUR_MS = 3_600_000;

export function receiverProbes(keys: ProbeKeys): Probe[] {
  const kit = kitOf(keys);
  return [...eventProbes(kit), ...repeatProbes(kit), ...oddProbes(kit), ...forgedProbes(kit), ...timeProbes(kit), lastProbe(kit)];
}

type SampleBody = { id: string; body: string };
type Words = [name: string, title: string, danger: string];
type Kit = ReturnType<typeof kitOf>;

function kitOf({ url, brand, sign, signAsStranger }: ProbeKeys) {
  const sample = (event: CallbackEvent, now: Date) => sampleCallback({ event, url, chain: undefined, now });
  return {
    mirrored: { timestamp: `X-${brand}-Timestamp`, signature: `X-${brand}-Signature` },
    sample,
    executed: (now: Date) => sample("settlement.executed", now),
    shot: ({ id, body }: SampleBody, at: Date): Shot => ({ headers: sign({ id, body }, at), body }),
    foreign: ({ id, body }: SampleBody, at: Date): Shot => ({ headers: signAsStranger({ id, body }, at), body }),
  };
}

function taken([name, title, danger]: Words, shots: Probe["shots"], atOnce = false): Probe {
  return { name, title, danger, wants: "taken", atOnce, shots };
}

function refused([name, title, danger]: Words, shots: Probe["shots"]): Probe {
  return { name, title, danger, wants: "refused", atOnce: false, shots };
}

function withMembers(body: string, members: object): string {
  return JSON.stringify({ ...JSON.parse(body), ...members });
}

function eventProbes({ sample, shot }: Kit): Probe[] {
  const danger = "The service tries it six times and then gives up.";
  return CALLBACK_EVENTS.map((event) => taken([`event ${event}`, `Takes ${event}`, danger], (now) => [shot(sample(event, now), now)]));
}

function repeatProbes({ sample, executed, shot }: Kit): Probe[] {
  const lost = "If your 2xx is lost, the same callback arrives again for up to 14 hours.";
  const overtaken = "Retried callbacks overtake each other, so the last one to arrive is not always the newest.";
  return [
    taken(["duplicate", "Takes the same callback again", lost], (now) => {
      const one = executed(now);
      return [shot(one, now), shot(one, now), shot(one, new Date(now.getTime() + 1_000))];
    }),
    taken(
      ["duplicates at once", "Takes two copies at the same time", "After a time-out, a second copy can overtake the first."],
      (now) => {
        const one = executed(now);
        return [shot(one, now), shot(one, now)];
      },
      true,
    ),
    taken(
      [
        "several at once",
        "Takes ten callbacks at the same time",
        "Many settlements can end together. A callback that you refuse arrives minutes later.",
      ],
      (now) => Array.from({ length: 10 }, () => shot(executed(now), now)),
      true,
    ),
    taken(["late approval", "Takes an approval that arrives after the end of its settlement", overtaken], (now) => {
      const [end, approval] = [executed(now), sample("settlement.approved", now)];
      const late = { id: approval.id, body: withMembers(approval.body, { tx_id: JSON.parse(end.body).tx_id }) };
      return [shot(end, now), shot(late, now)];
    }),
  ];
}

function oddProbes({ executed, shot }: Kit): Probe[] {
  const added = "New events are added over time. If you refuse one, the service sends it six times and reports your receiver as failing.";
  const several = "During a secret rotation, and with public keys, the header contains several signatures.";
  return [
    taken(["unknown event", "Takes an unknown event", added], (now) => {
      const body = withMembers(executed(now).body, { event: "settlement.certified", status: "certified" });
      return [shot({ id: newSampleId("callback"), body }, now)];
    }),
    taken(["unknown field", "Takes a body with an unknown field", "Fields are added without notice."], (now) => {
      const { id, body } = executed(now);
      return [shot({ id, body: withMembers(body, { certified_by: { nobody: [null, 1.5] } }) }, now)];
    }),
    taken(
      ["bytes", "Checks the bytes as received", "If you parse and rewrite a body, one extra space or escape breaks the signature."],
      (now) => {
        const { id, body } = executed(now);
        const odd = body.replace(/^\{/, '{ "note" : "\\u00fcber\\/tr\u00e4ge \u{1f600}", ').replace(/\}$/, " }");
        return [shot({ id, body: `${odd}\n` }, now)];
      },
    ),
    taken(["big body", "Takes a body of 60 KiB", "A long reason never reaches you."], (now) => {
      const { id, body } = executed(now);
      return [shot({ id, body: withMembers(body, { padding: "x".repeat(60 * 1_024) }) }, now)];
    }),
    taken(["several signatures", "Finds its signature among several", several], (now) => {
      const own = shot(executed(now), now);
      const [before, behind] = [`v1,${Buffer.alloc(32, 1).toString("base64")}`, `v1a,${Buffer.alloc(64, 2).toString("base64")}`];
      return [{ ...own, headers: { ...own.headers, "webhook-signature": [before, own.headers["webhook-signature"], behind].join(" ") } }];
    }),
  ];
}

function forgedProbes({ mirrored, executed, shot, foreign }: Kit): Probe[] {
  const replayed = "Anyone who has seen one callback can replay it under new ids forever.";
  return [
    refused(["no signature", "Refuses an unsigned callback", FORGED], (now) => [
      { headers: { "content-type": "application/json" }, body: executed(now).body },
    ]),
    refused(["empty signature", "Refuses empty signatures", FORGED], (now) => {
      const own = shot(executed(now), now);
      return [{ ...own, headers: { ...own.headers, "webhook-signature": "v1,", [mirrored.signature]: "0" } }];
    }),
    refused(["foreign signature", "Refuses a callback that someone else signed", FORGED], (now) => [foreign(executed(now), now)]),
    refused(["altered body", "Refuses a body with one digit changed", FORGED], (now) => {
      const own = shot(executed(now), now);
      const body = own.body.replace(/("destination_amount":)(\d)/, (_all, name, digit) => `${name}${(Number(digit) % 9) + 1}`);
      return [{ ...own, body }];
    }),
    refused(["altered id", "Refuses a changed id under the same signature", replayed], (now) => {
      const own = shot(executed(now), now);
      // The request signature does not cover the id: this probe says nothing about a receiver that only verifies that one.
      const { [mirrored.signature]: _, ...headers } = own.headers;
      return [{ ...own, headers: { ...headers, "webhook-id": newSampleId("callback") } }];
    }),
  ];
}

function timeProbes({ mirrored, executed, shot }: Kit): Probe[] {
  const moved = (now: Date, ms: number) => new Date(now.getTime() + ms);
  return [
    refused(["altered time", "Refuses a changed timestamp under the same signature", REPLAYED], (now) => {
      const own = shot(executed(now), moved(now, -HOUR_MS));
      const seconds = String(Math.floor(now.getTime() / 1_000));
      return [{ ...own, headers: { ...own.headers, "webhook-timestamp": seconds, [mirrored.timestamp]: seconds } }];
    }),
    refused(["old", "Refuses a callback that was signed an hour ago", REPLAYED], (now) => [shot(executed(now), moved(now, -HOUR_MS))]),
    refused(["from the future", "Refuses a callback that is dated an hour ahead", REPLAYED], (now) => [
      shot(executed(now), moved(now, HOUR_MS)),
    ]),
  ];
}

function lastProbe({ executed, shot }: Kit): Probe {
  const danger = "An attacker's callbacks must not block the service's own.";
  return taken(["still well", "Takes a valid callback after all the others", danger], (now) => [shot(executed(now), now)]);
}

const FORGED = "Anyone who knows your URL can report a settlement as paid.";
const REPLAYED = "Anyone who has seen a callback can replay it at any time.";

/** What the answers to one probe say. */
export function judgeProbe({ name, title, wants, danger }: Probe, answers: readonly ShotAnswer[]): ProbeVerdict {
  const faults = answers.map((answer) => (wants === "taken" ? faultOfTaken(answer) : faultOfRefused(answer)));
  const fault = faults.find((each) => each !== null) ?? null;
  const statuses = answers.map(({ status }) => status);
  return { name, title, passed: fault === null, reason: fault === null ? `${statuses.join(", ")}.` : `${fault} ${danger}`, statuses };
}

function faultOfTaken({ status, trouble }: ShotAnswer): string | null {
  if (status === null) return `There was no answer (${trouble ?? "unknown"}).`;
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `${status}: redirects are not followed, so answer 2xx directly.`;
  return `${status} instead of 2xx.`;
}

function faultOfRefused({ status, trouble }: ShotAnswer): string | null {
  if (status === null) return `There was no answer (${trouble ?? "unknown"}) instead of 4xx.`;
  if (status >= 400 && status < 500) return null;
  if (status >= 200 && status < 300) return `${status}: the forged callback was accepted.`;
  return `${status} instead of 4xx. An invalid callback must not make your receiver fail.`;
}

/** Whether all that was taken was taken soon. */
export function judgeSpeed(answers: readonly ShotAnswer[], soonMs = SOON_MS): ProbeVerdict {
  const slowest = Math.max(0, ...answers.map(({ durationMs }) => durationMs));
  const passed = slowest <= soonMs;
  const took = `The slowest answer took ${(slowest / 1_000).toFixed(1)} s.`;
  return {
    name: "soon",
    title: `Answers within ${soonMs / 1_000} s`,
    passed,
    statuses: [],
    reason: passed ? took : `${took} An attempt fails after 30 s, so answer first and work afterwards.`,
  };
}
