import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { type Outcome, rule } from "#fault/outcome.ts";
import { create, createBody, MAXIMUM_MINOR } from "#fault/traffic.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, signedIn, timeUntil, type World } from "#fault/world.ts";
import { exchange } from "#sandbox/client/exchange.ts";
import { operatorClient } from "#sandbox/client/partner.ts";
import { addCompany, type CompanyHere, sessionAt, toActive } from "#testing/company.ts";
import { IdentityBrowser } from "#testing/identity-browser.ts";
import { enterAs, type RealProvider, signOutAt, startProvider } from "#testing/identity-provider.ts";
import { type Asked, openProbes, type Probes } from "#testing/session-probes.ts";

/** As docs/decisions/company-identity.md promises. */
const SIGN_OUT_WITHIN_MS = 2_000;
const SHUT_OUT_WITHIN_MS = 5_000;
const GIVES_UP_MS = 30_000;
const DRAIN_LIMIT_MS = 60_000;

/** How long something took; infinite: it never ended. */
type Round = { kind: "sign-out" | "directory"; requests: number; streams: number; faults: readonly string[] };

export const signedOut: Experiment = {
  name: "signed-out",
  breaks: "A company's provider signs people out, and its directory shuts them out, while two web processes answer and stream to them",
  judged:
    "no session is accepted 2 s after a sign-out, no session, no token and no key 5 s after `active=false`, at either process; no live stream stays open",
  run: signPeopleOut,
};

async function signPeopleOut(scene: Scene) {
  const rounds = scene.pick(20, 2);
  const company = await startProvider();
  company.accounts.set("ada", { name: "Ada", email: "ada@example.com", groups: ["readers"] });
  try {
    return await inWorld(scene, { webs: 2, workers: 1, wallets: 1 }, async (world) => {
      const setUp = await setUpCompany(world, company);
      // With its first order a process loads what reads it, which counts as its start.
      await signOutRound(world, setUp);
      const found: Round[] = [];
      for (let number = 0; number < rounds; number += 1) {
        found.push(await signOutRound(world, setUp));
        found.push(await directoryRound(world, scene, setUp));
      }
      const worst = (kind: Round["kind"], of: (round: Round) => number) =>
        Math.round(Math.max(...found.filter((round) => round.kind === kind).map(of)));
      const counts = (["sign-out", "directory"] as const).map(
        (kind) =>
          `${rounds} × ${kind}: at the latest a request accepted ${worst(kind, (round) => round.requests)} ms after it was ordered, a stream open ${worst(kind, (round) => round.streams)} ms`,
      );
      await setUp.orders.close();
      const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
      return { counts: counts.join("; "), facts: await factsOf(world, NOTHING, { drainedAfterMs, own: judged(found, scene.patience) }) };
    });
  } finally {
    await company.close();
  }
}

function judged(found: readonly Round[], patience: number): Outcome[] {
  const within = (kind: Round["kind"], limit: number) => (round: Round) =>
    Math.max(round.requests, round.streams) <= limit * patience ? round.faults : [`${kind}: ${JSON.stringify(round)}`];
  const of = (kind: Round["kind"]) => found.filter((round) => round.kind === kind);
  return [
    rule(
      "sign_out_ends_sessions",
      "2 s after a provider's sign-out no process accepts a session, and no stream is open",
      of("sign-out"),
      (round) => within("sign-out", SIGN_OUT_WITHIN_MS)(round),
    ),
    rule(
      "directory_ends_access",
      "5 s after `active=false` no process accepts a session, a token or a key that decides, and no stream is open",
      of("directory"),
      (round) => within("directory", SHUT_OUT_WITHIN_MS)(round),
    ),
  ];
}

type SetUp = { company: RealProvider; here: CompanyHere; orders: Orders };
/** Between the provider and the service. */
type Orders = { url: string /** When the last order was sent. */; sentAt(): number; close(): Promise<void> };

/** The order to sign out comes to the process that does not sign in. */
async function setUpCompany({ webs, stage }: World, company: RealProvider): Promise<SetUp> {
  const [first = "", second = ""] = webs;
  const here = await addCompany(first, stage.admin, company.issuer);
  const orders = await passOrdersOn(`${second}${here.signOut}`);
  const redirectUri = `http://localhost:${new URL(first).port}${here.callback}`;
  company.register({ redirectUri, signOutUri: orders.url });
  return { company, here, orders };
}

/** Passes a provider's orders on: its own pages are no part of what the service promises. */
async function passOrdersOn(target: string): Promise<Orders> {
  let sentAt = Number.NaN;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    sentAt = performance.now();
    const headers = { "content-type": String(request.headers["content-type"]) };
    const answer = await fetch(target, { method: "POST", headers, body }).catch(() => null);
    response.writeHead(answer?.status ?? 502).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sentAt: () => sentAt,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** A session's requests and streams at every web process. */
const atEach = ({ webs }: World, session: string) => webs.map((origin) => sessionAt(origin, session));

const splitUp = (each: readonly ReturnType<typeof sessionAt>[]): [Asked[], Asked[]] => [
  each.map(({ me }) => me),
  each.map(({ stream }) => stream),
];

async function untilListening(probes: Probes, count: number): Promise<void> {
  if ((await timeUntil(async () => probes.accepted() >= count, GIVES_UP_MS)) === null)
    throw new Error("nothing was accepted to begin with");
}

/** Two sessions of one sign-in at the provider. The order arrives at the process that opened neither. */
async function signOutRound(world: World, { company, orders, here: { providerId } }: SetUp): Promise<Round> {
  const [first = ""] = world.webs;
  const browser = new IdentityBrowser((target, cookie) => fetch(`${first}${target}`, { headers: { cookie }, redirect: "manual" }));
  const sessions: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const { at } = await browser.signIn(providerId, enterAs("ada"));
    if (at !== "/console") {
      const [refusal] = await world.database.sql`select change ->> 'why' as why from audit_entries
        where action = 'identity.refused' order by id desc limit 1`;
      throw new Error(`the sign-in failed and led to ${at}: ${refusal?.why ?? "without a reason"}`);
    }
    sessions.push(browser.session());
  }
  const probes = openProbes(...splitUp(sessions.flatMap((session) => atEach(world, session))));
  try {
    await untilListening(probes, 40);
    await signOutAt(company, browser);
    await probes.untilRefused(GIVES_UP_MS);
    return { kind: "sign-out", ...probes.msSince(orders.sentAt()), faults: [] };
  } finally {
    await probes.stop();
  }
}

/** The approver of the world, with a session, a token and a key of theirs that decides. */
async function directoryRound(world: World, scene: Scene, { company, here: { providerId, directory } }: SetUp): Promise<Round> {
  const { person } = world.stage;
  const [, second = ""] = world.webs;
  const { sql } = world.database;
  const [subject, number] = [randomUUID(), randomUUID().slice(0, 8)];
  const [user] = await sql<{ id: string }[]>`select id from users where email = ${person.email}`;
  const userId = user?.id ?? "";
  await sql`insert into identities (id, issuer, subject, user_id, provider_id, created_at)
    values (${randomUUID()}, ${company.issuer}, ${subject}, ${userId}, ${providerId}, now())`;
  const key = `key_test_${randomBytes(24).toString("base64url")}`;
  await sql`insert into api_keys (id, name, key_hash, last_four, sealed_secret, scopes, allowed_ips, made_by, created_at)
    select gen_random_uuid(), ${number}, ${createHash("sha256").update(key).digest("hex")}, ${key.slice(-4)}, sealed_secret, scopes, allowed_ips,
      ${userId}, now() from api_keys where partner_id is null and made_by is null limit 1`;
  const path = `Users/${await directory(second, "POST", "Users", { userName: subject, externalId: subject })}`;
  const setActive = (value: boolean) => directory(second, "PATCH", path, toActive(value));
  const session = /settlement-\d+\.session=([^;]*)/.exec(await signedIn(world))?.[1] ?? "";
  const token = await tokenOf(world);
  const reads = world.webs.map((origin): Asked => ({ origin, target: "/partners", header: ["Authorization", `Bearer ${token}`] }));
  const pending = await create(world, createBody(world, scene.random.fork(number), { source_amount: MAXIMUM_MINOR + 1 }));
  const approve = async (origin: string) =>
    await operatorClient(origin, { api_key: key }).call("POST", `/admins/settlements/${pending}/approve`, {});
  const [asked, streams] = splitUp(atEach(world, session));
  const probes = openProbes([...asked, ...reads], streams);
  try {
    await untilListening(probes, 40);
    const began = performance.now();
    await setActive(false);
    const decided = await Promise.all(world.webs.map(approve));
    await probes.untilRefused(GIVES_UP_MS);
    const times = probes.msSince(began);
    await setActive(true);
    const afterwards = await approve(world.webs[0] ?? "");
    const faults = [
      ...decided.filter(({ status }) => status < 400).map(() => "a key of theirs decided"),
      // The same key, once they are back: nothing else was wrong with it.
      ...(afterwards.status === 200 ? [] : [`their key does not decide afterwards: ${afterwards.status} ${afterwards.text.slice(0, 200)}`]),
    ];
    return { kind: "directory", ...times, faults };
  } finally {
    await probes.stop();
  }
}

async function tokenOf({ webs, stage: { person } }: World): Promise<string> {
  const body = new URLSearchParams({ grant_type: "password", username: person.email, password: person.password }).toString();
  const headers = [["Content-Type", "application/x-www-form-urlencoded"]] as const;
  const { status, text } = await exchange(webs[0] ?? "", { method: "POST", target: "/login", headers, body });
  if (status !== 200) throw new Error(`the log-in was answered ${status}: ${text}`);
  return String(JSON.parse(text).access_token);
}
