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
  "api/auth/[...nextauth]": { target: "/api/auth/session", GET: 200, POST: 400 },
  // A provider's answers, server/auth/identity.test.ts.
  "api/oidc/[...path]": { target: `/api/oidc/callback/${NOBODY}`, GET: 303, POST: 303 },
  // A directory's token, server/auth/directory.test.ts.
  "api/scim/[...path]": { target: "/api/scim/v2/Users", GET: 401, POST: 401 },
  "api/trpc/[trpc]": { target: "/api/trpc/session.clock", GET: 401, POST: 403 },
  "api/console/troubles": { target: "/api/console/troubles", GET: 401, POST: 405 },
  "console/audit/export": { target: "/console/audit/export?input={}", GET: 401, POST: 405 },
  "console/batches/export": { target: "/console/batches/export?input={}", GET: 401, POST: 405 },
  "console/callbacks/resends/export": { target: "/console/callbacks/resends/export?input={}", GET: 401, POST: 405 },
  "console/fiat/export": { target: "/console/fiat/export?input={}", GET: 401, POST: 405 },
  "console/settlements/export": { target: "/console/settlements/export?input={}", GET: 401, POST: 405 },
  // Open to anybody; figures only in the sandbox or with their token, server/rest/system-surface.test.ts.
  health: { target: "/health", GET: 200, POST: 405 },
  ready: { target: "/ready", GET: 200, POST: 405 },
  metrics: { target: "/metrics", GET: 200, POST: 405 },
  "openapi/[surface]": { target: "/openapi/settlement.json", GET: 200, POST: 405 },
  "docs/markdown/[[...page]]": { target: "/docs/quickstart.md", GET: 200, POST: 405 },
  "docs/postman.json": { target: "/docs/postman.json", GET: 200, POST: 405 },
  "docs/samples/[file]": { target: "/docs/samples/none", GET: 404, POST: 405 },
  "docs/search.json": { target: "/docs/search.json", GET: 200, POST: 405 },
  "docs/signing-vectors.json": { target: "/docs/signing-vectors.json", GET: 200, POST: 405 },
  "llms-full.txt": { target: "/llms-full.txt", GET: 200, POST: 405 },
  "llms.txt": { target: "/llms.txt", GET: 200, POST: 405 },
};

/** The routes that the pages' server knows, without the folders that only group them. */
const routes = globSync("app/**/route.ts")
  .map((file) =>
    file
      .replace(/^app\/|\/route\.ts$/g, "")
      .split("/")
      .filter((part) => !/^\(.*\)$/.test(part))
      .join("/"),
  )
  .toSorted();

test("are all known: an operation of a surface, or written down here", () => {
  const roots = [...ROOTS.keys()].map((root) => root.slice(1));
  const isSurface = (route: string) => roots.some((root) => route === root || route.startsWith(`${root}/`));
  expect(routes.filter((route) => !isSurface(route))).toEqual(Object.keys(WAYS_IN).toSorted());
});

test("answer nobody who proves nothing, apart from what is open", async () => {
  const found: Record<string, Answers> = {};
  for (const [route, { target }] of Object.entries(WAYS_IN)) {
    const statusOf = async (method: string) => (await exchange(BASE_URL, { method, target, headers: [] })).status;
    found[route] = { target, GET: await statusOf("GET"), POST: await statusOf("POST") };
  }
  expect(found).toEqual(WAYS_IN);
});
