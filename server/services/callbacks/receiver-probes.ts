import { CALLBACK_EVENTS, type CallbackEvent } from "#domain/callback.ts";
import { newSampleId } from "#domain/ids.ts";
import { FORGED, type Probe, REPLAYED, refused, type Shot, taken } from "./judge-probe.ts";
import { sampleCallback } from "./sample-callback.ts";

/** The probes of a receiver of callbacks. */

/** A minute more than is allowed. */
const TOO_OLD_MS = 360_000;

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

export function receiverProbes(keys: ProbeKeys): Probe[] {
  const kit = kitOf(keys);
  return [...eventProbes(kit), ...repeatProbes(kit), ...oddProbes(kit), ...forgedProbes(kit), ...timeProbes(kit), lastProbe(kit)];
}

type SampleBody = { id: string; body: string };
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
    taken(
      ["duplicate", "Takes the same callback again; if it sends X-Work-Count, that rises once", lost],
      (now) => {
        const one = executed(now);
        return [shot(one, now), shot(one, now), shot(one, new Date(now.getTime() + 1_000))];
      },
      { effects: 1 },
    ),
    taken(
      ["duplicates at once", "Takes two copies at the same time", "After a time-out, a second copy can overtake the first."],
      (now) => {
        const one = executed(now);
        return [shot(one, now), shot(one, now)];
      },
      { atOnce: true, effects: 1 },
    ),
    taken(
      [
        "several at once",
        "Takes ten callbacks at the same time",
        "Many settlements can end together. A callback that you refuse arrives minutes later.",
      ],
      (now) => Array.from({ length: 10 }, () => shot(executed(now), now)),
      { atOnce: true, effects: 10 },
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
    refused(["altered signature", "Refuses a signature with other last characters", FORGED], (now) => {
      const own = shot(executed(now), now);
      const other = (name: string) => (own.headers[name] ?? "").split(" ").map(endingOtherwise).join(" ");
      const altered = { "webhook-signature": other("webhook-signature"), [mirrored.signature]: other(mirrored.signature) };
      return [{ ...own, headers: { ...own.headers, ...altered } }];
    }),
    refused(["case of a signature", "Refuses a signature in another case", FORGED], (now) => {
      const own = shot(executed(now), now);
      // The request signature is hexadecimal, in either case: this probe says nothing about a receiver that only verifies that one.
      const { [mirrored.signature]: _, ...headers } = own.headers;
      const swapped = (headers["webhook-signature"] ?? "").split(" ").map(inOtherCase).join(" ");
      return [{ ...own, headers: { ...headers, "webhook-signature": swapped } }];
    }),
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

/** The same but for its last six characters, before what fills it up. */
function endingOtherwise(signature: string): string {
  return signature.replace(/.{6}(?==*$)/, (last) => [...last].map((char) => (char === "a" ? "b" : "a")).join(""));
}

function inOtherCase(signature: string): string {
  const [scheme, ...value] = signature.split(",");
  const swapped = [...value.join(",")].map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()));
  return `${scheme},${swapped.join("")}`;
}

function timeProbes({ mirrored, executed, shot }: Kit): Probe[] {
  const moved = (now: Date, ms: number) => new Date(now.getTime() + ms);
  return [
    refused(["altered time", "Refuses a changed timestamp under the same signature", REPLAYED], (now) => {
      const own = shot(executed(now), moved(now, -TOO_OLD_MS));
      const seconds = String(Math.floor(now.getTime() / 1_000));
      return [{ ...own, headers: { ...own.headers, "webhook-timestamp": seconds, [mirrored.timestamp]: seconds } }];
    }),
    refused(["old", "Refuses a callback with a timestamp six minutes in the past", REPLAYED], (now) => [
      shot(executed(now), moved(now, -TOO_OLD_MS)),
    ]),
    refused(["from the future", "Refuses a callback with a timestamp six minutes in the future", REPLAYED], (now) => [
      shot(executed(now), moved(now, TOO_OLD_MS)),
    ]),
  ];
}

function lastProbe({ executed, shot }: Kit): Probe {
  const danger = "An attacker's callbacks must not block the service's own.";
  return taken(["still well", "Takes a valid callback after all the others", danger], (now) => [shot(executed(now), now)]);
}
