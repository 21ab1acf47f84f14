import { httpUrl, only, wholeNumber } from "#cli/arguments.ts";
import { defineCommand } from "#cli/command.ts";
import { judgeDelivery, type Verdict } from "#cli/delivery.ts";
import { EXIT, Trouble } from "#cli/exit.ts";
import { forward } from "#cli/forward.ts";
import type { Out, Paint } from "#cli/out.ts";
import type { Profile } from "#cli/profile.ts";
import { type Arrival, openReceiver, type Reply } from "#cli/receiver.ts";

/** So many callbacks are known again; the earliest are forgotten. */
const MOST_REMEMBERED = 10_000;

export const listen = defineCommand({
  name: "listen",
  summary: "Receive callbacks on this machine: verify, print and answer them",
  usage: "[--forward URL] [--fail N | --status CODE | --redirect URL | --hang]",
  options: {
    port: { type: "string", value: "PORT", default: "4242", about: "Listen on this port; 0 for any free port (4242)" },
    path: { type: "string", value: "PATH", default: "/callbacks", about: "Path of the URL (/callbacks)" },
    forward: { type: "string", value: "URL", about: "Forward verified callbacks unchanged, and return the answer from there" },
    fail: { type: "string", value: "N", about: "Answer 500 to the first N attempts of each callback" },
    status: { type: "string", value: "CODE", about: "Always answer with this status" },
    redirect: { type: "string", value: "URL", about: "Answer with a 302 to this URL; the service does not follow it" },
    hang: { type: "boolean", about: "Do not answer, until the attempt times out" },
    count: { type: "string", value: "N", about: "End after N deliveries; exit code 4 if one did not verify" },
  },
  notes: [
    "It registers nothing, so give its URL as callback_url. Sandboxes on this machine can call it. A live service cannot call an address on your machine.",
    "A callback that does not verify is answered 400 and never forwarded. A repeated callback has the same id.",
  ],
  async run({ values, positionals, out, profile, signal }) {
    only(positionals);
    const port = wholeNumber(values.port, "--port", [0, 65_535]);
    if (!values.path.startsWith("/")) throw new Trouble(`--path must begin with a slash, not "${values.path}".`);
    const most = values.count === undefined ? Number.POSITIVE_INFINITY : wholeNumber(values.count, "--count", [1, 1_000_000]);
    const decide = answerAs(values);
    const who = profile();
    const seen = new Map<string, number>();
    let [deliveries, refused] = [0, 0];
    const end = Promise.withResolvers<void>();
    const receiver = await openReceiver({ port, path: values.path }, async (arrival) => {
      const verdict = await judgeDelivery(arrival, who);
      const attempt = verdict.verified ? countOne(seen, String(arrival.headers["webhook-id"])) : null;
      const { trouble = null, ...reply } = verdict.verified ? ((await decide(arrival, attempt ?? 1)) ?? { status: 0 }) : REFUSED;
      printDelivery(out, arrival, verdict, { attempt, status: reply.status === 0 ? null : reply.status, trouble });
      deliveries += 1;
      if (!verdict.verified) refused += 1;
      // The answer goes out first.
      if (deliveries >= most) setTimeout(end.resolve, 100);
      return reply.status === 0 ? null : reply;
    });
    signal.addEventListener("abort", () => end.resolve(), { once: true });
    if (signal.aborted) end.resolve();
    printWhere(out, receiver.url, who);
    await end.promise;
    await receiver.close();
    return refused === 0 || values.count === undefined ? EXIT.done : EXIT.found;
  },
});

type QueryBoundary = (NonNullable<Reply> & { trouble?: string | null }) | null;
const REFUSED: NonNullable<QueryBoundary> = { status: 400, headers: { "content-type": "application/json" }, body: '{"received": false}' };
const TAKEN: NonNullable<QueryBoundary> = { status: 200, headers: { "content-type": "application/json" }, body: '{"received": true}' };

type Wishes = {
  forward?: string | undefined;
  fail?: string | undefined;
  status?: string | undefined;
  redirect?: string | undefined;
  hang?: boolean | undefined;
};

/** How a verified callback is answered, by its attempt from 1. */
function answerAs({ fail, status, redirect, hang, forward: to }: Wishes): (arrival: Arrival, attempt: number) => Promise<QueryBoundary> {
  if ([status, redirect, hang].filter((wish) => wish !== undefined).length > 1)
    throw new Trouble("Use only one of --status, --redirect and --hang.");
  const failing = fail === undefined ? 0 : wholeNumber(fail, "--fail", [1, 1_000]);
  const always = status === undefined ? null : wholeNumber(status, "--status", [200, 599]);
  const location = redirect === undefined ? null : httpUrl(redirect, "--redirect");
  const onward = to === undefined ? null : httpUrl(to, "--forward");
  return async (arrival, attempt) => {
    if (attempt <= failing) return { status: 500 };
    if (hang === true) return null;
    if (location !== null) return { status: 302, headers: { location } };
    if (always !== null) return { status: always };
    return onward === null ? TAKEN : await forward(onward, arrival);
  };
}

function countOne(seen: Map<string, number>, id: string): number {
  const attempt = (seen.get(id) ?? 0) + 1;
  seen.set(id, attempt);
  const [earliest] = seen.keys();
  if (seen.size > MOST_REMEMBERED && earliest !== undefined) seen.delete(earliest);
  return attempt;
}

function printWhere(out: Out, url: string, { callback_secret }: Profile): void {
  if (out.json) out.print({ listening: url }, () => "");
  out.note(`Listening. Use this as callback_url:\n\n  ${url}\n`);
  if (callback_secret === null) out.note("The profile has no callback secret, so the mirrored signature is checked instead.\n");
  out.note("Press Ctrl-C to stop.");
}

type Answer = { attempt: number | null; status: number | null; trouble: string | null };

function printDelivery(out: Out, { headers, target }: Arrival, verdict: Verdict, answer: Answer): void {
  const id = headers["webhook-id"] ?? null;
  const event = { id, target, ...verdict, attempt: answer.attempt, answered: answer.status, trouble: answer.trouble };
  out.print({ at: new Date().toISOString(), ...event }, (paint) => {
    const how =
      answer.status === null ? "not answered" : `answered ${answer.status}${answer.trouble === null ? "" : ` (${answer.trouble})`}`;
    if (!verdict.verified) return `${paint.red("✗ not verified")}: ${verdict.reason}; ${how}`;
    const again = answer.attempt === 1 ? "" : `, attempt ${answer.attempt} here`;
    return `${paint.green("✓ verified")} ${paint.bold(verdict.event ?? "")} ${id}${again}; ${how}\n${indented(verdict.body, paint)}`;
  });
}

function indented(body: unknown, paint: Paint): string {
  return paint.dim(JSON.stringify(body, null, 2).replace(/^/gm, "  "));
}
