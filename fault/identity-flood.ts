import { randomUUID } from "node:crypto";
import { hashOf, newDirectoryToken } from "#domain/identity-provider.ts";
import { exchange, type Header } from "#sandbox/client/exchange.ts";
import { startForger } from "#testing/identity-forger.ts";
import { type Asked, badIdentity } from "./bad-identities.ts";
import type { Scene } from "./experiment.ts";
import { type Outcome, rule } from "./outcome.ts";
import { inStreams, noted } from "./traffic.ts";
import { signedIn, type World } from "./world.ts";

const LOOPS = 6;
const MOST_IDS = 100;

/** Sends what a provider and a directory that lie would, most of it nearly right. */
export async function floodIdentities(world: World, scene: Scene, count: number): Promise<Outcome[]> {
  const [origin = ""] = world.webs;
  const { sql } = world.database;
  const [providerId, token, forger] = [randomUUID(), newDirectoryToken(), await startForger()];
  const roles = [{ group: "all", role: "viewer" }];
  const settings = { name: "Forge", issuer: forger.issuer, clientId: "console", groupsClaim: "groups", roles, demandedAcr: null };
  await sql`insert into identity_providers (id, slug, settings, directory_token_hash, created_at) values
    (${providerId}, 'forge', ${JSON.stringify({ ...settings, isDuty: false, keeperIds: [] })}::text::jsonb, ${hashOf(token)}, now())`;
  const ids: string[] = [];
  const ask = async (from: Header): Promise<Asked> => {
    const { headers } = await exchange(origin, { method: "GET", target: `/api/oidc/start/${providerId}`, headers: [from] });
    const asked = new URL(headers.location ?? "", origin).searchParams;
    const cookie = headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";
    return { cookie, state: asked.get("state") ?? "", nonce: asked.get("nonce") ?? "" };
  };
  try {
    const targets = { forger, providerId, token, session: await signedIn(world), ids };
    await inStreams(count, LOOPS, async (index) => {
      const random = scene.random.fork(`identity-${index}`);
      // From everywhere, so that no limit of one address keeps the rest out.
      const from: Header = ["X-Forwarded-For", [10, 0, 0, 0].map((first) => first || random.below(256)).join(".")];
      const bad = await badIdentity(random, { ...targets, ask: () => ask(from) });
      const what = `${bad.method} ${bad.target.slice(0, 300)} ${bad.body?.toString("latin1").slice(0, 200) ?? ""}`;
      const answer = await noted(world, what, () => exchange(origin, { ...bad, headers: [...bad.headers, from] }));
      const [, id] = (answer?.status === 201 && /"id":"([^"]+)"/.exec(answer.text)) || [];
      if (id !== undefined && ids.length < MOST_IDS) ids.push(id);
    });
  } finally {
    await forger.close();
  }
  // A flood that stops at the door shows nothing.
  const found = await sql<{ action: string; times: number }[]>`select action, count(*)::int as times from audit_entries
    where action in ('user.joined', 'identity.refused', 'directory.user_added', 'directory.group_added') group by action`;
  const times = new Map(found.map((each) => [each.action, each.times]));
  scene.say([...times].map(([action, often]) => `${often} × ${action}`).join(", "));
  const within = ["user.joined", "identity.refused", "directory.user_added", "directory.group_added"];
  return [
    rule("identities_reached", "what providers and directories send gets as far as people, groups and refusals", within, (action) =>
      times.has(action) ? [] : [`nothing led to ${action}`],
    ),
  ];
}
