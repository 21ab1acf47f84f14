import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";

/** Receivers with one common mistake each: the certifier must find every one of them. */

type Got = { headers: IncomingHttpHeaders; body: Buffer; secret: string; seen: Set<string>; busy: number; work: { done: number } };
type Answer = { status: number; afterMs?: number; location?: string; worked?: number };
const OK: Answer = { status: 200 };
const NO: Answer = { status: 400 };

const text = (value: string | string[] | undefined) => String(value ?? "");
const idOf = ({ headers }: Got) => text(headers["webhook-id"]);
const ageOf = ({ headers }: Got) => Date.now() / 1_000 - Number(headers["webhook-timestamp"]);

function signatureOf({ headers, secret }: Got, body: string | Buffer): string {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`).update(body).digest("base64")}`;
}

function isSigned(got: Got, body: string | Buffer = got.body): boolean {
  const right = Buffer.from(signatureOf(got, body));
  return text(got.headers["webhook-signature"])
    .split(" ")
    .some((each) => each.length === right.length && timingSafeEqual(Buffer.from(each), right));
}

const signaturesIn = ({ headers }: Got) => text(headers["webhook-signature"]).split(" ");
const isFresh = (got: Got) => Math.abs(ageOf(got)) <= 300;
const isRight = (got: Got) => isSigned(got) && isFresh(got);
const bodyOf = ({ body }: Got): Record<string, unknown> => JSON.parse(body.toString("utf8"));
const FIELDS = ["tx_id", "external_tx_id", "event", "status", "chain", "tx_hash", "destination_amount", "platform_fee", "executed_at"];

/** `caught`: the check that must fail. */
export const BROKEN_RECEIVERS: Record<string, { caught: string; answer(got: Got): Answer }> = {
  "believes everything": { caught: "foreign signature", answer: () => OK },
  "looks whether there is a signature, not whose": {
    caught: "altered body",
    answer: (got) => (text(got.headers["webhook-signature"]).length > 10 ? OK : NO),
  },
  "takes what is half an hour old": { caught: "old", answer: (got) => (isSigned(got) && Math.abs(ageOf(got)) <= 1_800 ? OK : NO) },
  "compares the beginning of a signature": {
    caught: "altered signature",
    answer: (got) =>
      signaturesIn(got).some((each) => each.slice(0, 11) === signatureOf(got, got.body).slice(0, 11)) && isFresh(got) ? OK : NO,
  },
  "compares signatures in any case": {
    caught: "case of a signature",
    answer: (got) => {
      const right = signatureOf(got, got.body).toLowerCase();
      return signaturesIn(got).some((each) => each.toLowerCase() === right) && isFresh(got) ? OK : NO;
    },
  },
  "does the work of a duplicate again": {
    caught: "duplicate",
    answer: (got) => {
      if (!isRight(got)) return NO;
      got.work.done += 1;
      return { ...OK, worked: got.work.done };
    },
  },
  "looks at no timestamp": { caught: "old", answer: (got) => (isSigned(got) ? OK : NO) },
  "takes what is of tomorrow": { caught: "from the future", answer: (got) => (isSigned(got) && ageOf(got) <= 300 ? OK : NO) },
  "verifies what it has parsed and written again": {
    caught: "bytes",
    answer: (got) => {
      try {
        return isSigned(got, JSON.stringify(bodyOf(got))) && isFresh(got) ? OK : NO;
      } catch {
        return NO;
      }
    },
  },
  "compares the whole header": {
    caught: "several signatures",
    answer: (got) => (got.headers["webhook-signature"] === signatureOf(got, got.body) && isFresh(got) ? OK : NO),
  },
  "refuses what it has seen": {
    caught: "duplicate",
    answer: (got) => {
      if (!isRight(got)) return NO;
      if (got.seen.has(idOf(got))) return { status: 409 };
      got.seen.add(idOf(got));
      return OK;
    },
  },
  "falls over what it has seen": {
    caught: "duplicates at once",
    answer: (got) => {
      if (!isRight(got)) return NO;
      const isThere = got.seen.has(idOf(got));
      got.seen.add(idOf(got));
      return isThere ? { status: 500 } : { status: 200, afterMs: 300 };
    },
  },
  "knows three events": {
    caught: "unknown event",
    answer: (got) => (!isRight(got) ? NO : ["approved", "executed", "failed"].includes(String(bodyOf(got).status)) ? OK : { status: 422 }),
  },
  "knows its fields": {
    caught: "unknown field",
    answer: (got) => (!isRight(got) ? NO : Object.keys(bodyOf(got)).every((name) => FIELDS.includes(name)) ? OK : { status: 422 }),
  },
  "refuses an approval of what has ended": {
    caught: "late approval",
    answer: (got) => {
      if (!isRight(got)) return NO;
      const { tx_id, status } = bodyOf(got);
      if (status === "approved" && got.seen.has(String(tx_id))) return { status: 409 };
      got.seen.add(String(tx_id));
      return OK;
    },
  },
  "takes one at a time": {
    caught: "several at once",
    answer: (got) => (!isRight(got) ? NO : got.busy > 1 ? { status: 503 } : { status: 200, afterMs: 100 }),
  },
  "fails at what is not signed": {
    caught: "no signature",
    answer: (got) => (got.headers["webhook-signature"] === undefined ? { status: 500 } : isRight(got) ? OK : NO),
  },
  "sends elsewhere": { caught: "event settlement.executed", answer: (got) => (isRight(got) ? { status: 302, location: "/hook/" } : NO) },
  "works before it answers": { caught: "soon", answer: (got) => (isRight(got) ? { status: 200, afterMs: 1_500 } : NO) },
  "takes short bodies": { caught: "big body", answer: (got) => (got.body.length > 16_384 ? { status: 413 } : isRight(got) ? OK : NO) },
};

/** Receivers of events. */
export const BROKEN_EVENT_RECEIVERS: Record<string, { caught: string; answer(got: Got): Answer }> = {
  "acts on a repeat": {
    caught: "repeat",
    answer: (got) => {
      if (!isRight(got)) return NO;
      got.work.done += 1;
      return { ...OK, worked: got.work.done };
    },
  },
  "acts on an older version": {
    caught: "older version",
    answer: (got) => {
      if (!isRight(got)) return NO;
      got.seen.add(idOf(got));
      return { ...OK, worked: got.seen.size };
    },
  },
  "refuses a version after a gap": {
    caught: "gap",
    answer: (got) => {
      if (!isRight(got)) return NO;
      const { object_id, version } = bodyOf(got);
      const last = [...got.seen].filter((each) => each.startsWith(`${object_id} `)).length;
      got.seen.add(`${object_id} ${version}`);
      return Number(version) > last + 1 ? { status: 409 } : OK;
    },
  },
  "knows its types": {
    caught: "unknown type",
    answer: (got) => (!isRight(got) ? NO : bodyOf(got).type === "settlement.certified" ? { status: 422 } : OK),
  },
  "takes what is half an hour old": { caught: "old", answer: (got) => (isSigned(got) && Math.abs(ageOf(got)) <= 1_800 ? OK : NO) },
  "believes everything": { caught: "foreign signature", answer: () => OK },
};

export function brokenReceiver(name: string, secret: string, receivers = BROKEN_RECEIVERS): Server {
  const receiver = receivers[name];
  if (receiver === undefined) throw new Error(`no receiver is broken as ${name}`);
  const seen = new Set<string>();
  const work = { done: 0 };
  let busy = 0;
  return createServer(async (request, response) => {
    busy += 1;
    response.once("close", () => {
      busy -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const {
      status,
      afterMs = 0,
      location,
      worked,
    } = receiver.answer({ headers: request.headers, body: Buffer.concat(chunks), secret, seen, busy, work });
    const headers = { ...(location !== undefined && { location }), ...(worked !== undefined && { "x-work-count": worked }) };
    setTimeout(() => response.writeHead(status, headers).end(), afterMs);
  });
}
