import { globSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { exchange } from "#sandbox/client/exchange.ts";
import { ROOTS } from "#server/rest/registry.ts";
import { BASE_URL } from "../support/running-sandbox.ts";

/**
 * Every way into the service apart from the pages, and what each answers to somebody without any proof, written manually. The operations of
 * the surfaces have their own matrix: `server/rest/rights.test.ts`; the console's procedures `server/console/rights.test.ts`.
 */
const NOBODY = "00000000-0000-4000-8000-000000000000";
type Answers = { target: string; GET: number; POST: number };
const WAYS_IN: Readonly<Record<string, Answers>> = {
  // Signing in: its own tokens and limits, server/auth/handle.test.ts.
  "app/(system)/api/auth/[...nextauth]/route.ts": { target: "/api/auth/csrf", GET: 200, POST: 405 },
  // A provider's answers, server/auth/identity.test.ts.
  "app/(system)/api/oidc/[...path]/route.ts": { target: `/api/oidc/callback/${NOBODY}`, GET: 303, POST: 303 },
  // A directory's token, server/auth/directory.test.ts.
  "app/(system)/api/scim/[...path]/route.ts": { target: "/api/scim/v2/Users", GET: 401, POST: 401 },
  "app/(system)/api/trpc/[trpc]/route.ts": { target: "/api/trpc/session.clock", GET: 401, POST: 415 },
  "app/(system)/api/console/troubles/route.ts": { target: "/api/console/troubles", GET: 401, POST: 405 },
  "app/console/(inside)/audit/export/route.ts": { target: "/console/audit/export?input={}", GET: 401, POST: 405 },
  "app/console/(inside)/batches/export/route.ts": { target: "/console/batches/export?input={}", GET: 401, POST: 405 },
  "app/console/(inside)/callbacks/resends/export/route.ts": { target: "/console/callbacks/resends/export?input={}", GET: 401, POST: 405 },
  "app/console/(inside)/fiat/export/route.ts": { target: "/console/fiat/export?input={}", GET: 401, POST: 405 },
  "app/console/(inside)/settlements/export/route.ts": { target: "/console/settlements/export?input={}", GET: 401, POST: 405 },
  // Open to anybody; figures only in the sandbox or with their token, server/rest/system-surface.test.ts.
  "app/(system)/health/route.ts": { target: "/health", GET: 200, POST: 405 },
  "app/(system)/ready/route.ts": { target: "/ready", GET: 200, POST: 405 },
  "app/(system)/metrics/route.ts": { target: "/metrics", GET: 200, POST: 405 },
  "app/(system)/asyncapi/[file]/route.ts": { target: "/asyncapi/events.json", GET: 200, POST: 405 },
  "app/(system)/openapi/[surface]/route.ts": { target: "/openapi/settlement.json", GET: 200, POST: 405 },
  "app/docs/changelog/feed.atom/route.ts": { target: "/docs/changelog/feed.atom", GET: 200, POST: 405 },
  "app/docs/markdown/[[...page]]/route.ts": { target: "/docs/quickstart.md", GET: 200, POST: 405 },
  "app/docs/postman.json/route.ts": { target: "/docs/postman.json", GET: 200, POST: 405 },
  "app/docs/samples/[file]/route.ts": { target: "/docs/samples/none", GET: 404, POST: 405 },
  "app/docs/search.json/route.ts": { target: "/docs/search.json", GET: 200, POST: 405 },
  "app/docs/signing-vectors.json/route.ts": { target: "/docs/signing-vectors.json", GET: 200, POST: 405 },
  "app/llms-full.txt/route.ts": { target: "/llms-full.txt", GET: 200, POST: 405 },
  "app/llms.txt/route.ts": { target: "/llms.txt", GET: 200, POST: 405 },
  "app/status/feed.atom/route.ts": { target: "/status/feed.atom", GET: 200, POST: 405 },
  "app/status/summary.json/route.ts": { target: "/status/summary.json", GET: 200, POST: 405 },
};

/** Where a route answers: its folders, without those that only group them. */
const pathOf = (file: string) => file.replace(/^app|\/route\.ts$/g, "").replace(/\/\([^/]*\)/g, "");

test("are all known: an operation of a surface, or written down here", () => {
  const isSurface = (file: string) => [...ROOTS.keys()].some((root) => `${pathOf(file)}/`.startsWith(`${root}/`));
  const others = globSync("app/**/route.ts").filter((file) => !isSurface(file));
  expect(others.toSorted()).toEqual(Object.keys(WAYS_IN).toSorted());
});

test("answer nobody who proves nothing, apart from what is open", async () => {
  const found: Record<string, Answers> = {};
  for (const [route, { target }] of Object.entries(WAYS_IN)) {
    const statusOf = async (method: string) => (await exchange(BASE_URL, { method, target, headers: [] })).status;
    found[route] = { target, GET: await statusOf("GET"), POST: await statusOf("POST") };
  }
  expect(found).toEqual(WAYS_IN);
});
