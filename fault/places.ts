import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { exchange } from "#sandbox/client/exchange.ts";
import { appRouter } from "#server/console/router.ts";
import type { Place } from "./bad-requests.ts";

/** Everything that can be requested: the published operations, the console's procedures, every page. */

const OpenApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
const Procedures = z.record(
  z.string(),
  z.custom<{ _def: { type: string } }>((procedure) => typeof procedure === "function"),
);
const APP = fileURLToPath(new URL("../app", import.meta.url));
const MORE = [
  "/",
  "/health",
  "/ready",
  "/metrics",
  "/login",
  "/api/auth/csrf",
  "/api/auth/session",
  "/api/auth/callback/credentials",
  "/api/auth/signin",
];

export async function placesOf(baseUrl: string): Promise<Place[]> {
  const published = await Promise.all((["settlement", "partner"] as const).map((surface) => operationsOf(baseUrl, surface)));
  const procedures = Object.entries(Procedures.parse(appRouter._def.procedures)).map(([path, { _def }]): Place => {
    return { surface: "console", method: _def.type === "mutation" ? "POST" : "GET", target: `/api/trpc/${path}` };
  });
  const pages = [...pagesBelow("", ""), ...MORE].map((target): Place => ({ surface: "pages", method: "GET", target }));
  // Each surface as often as the others, however much it has.
  const most = Math.max(...[...published, procedures, pages].map(({ length }) => length));
  return [...published, procedures, pages].flatMap((list) =>
    Array.from({ length: most }, (_, index) => list[index % list.length] as Place),
  );
}

async function operationsOf(baseUrl: string, surface: "settlement" | "partner"): Promise<Place[]> {
  const { text } = await exchange(baseUrl, { method: "GET", target: `/openapi/${surface}.json`, headers: [] });
  const { paths } = OpenApi.parse(JSON.parse(text));
  return Object.entries(paths).flatMap(([target, methods]) =>
    Object.keys(methods).map((method): Place => ({ surface, method: method.toUpperCase(), target })),
  );
}

/** The folders that have a page, as a browser names them; `[id]` as `{id}`. */
function pagesBelow(folder: string, target: string): string[] {
  const entries = readdirSync(join(APP, folder), { withFileTypes: true });
  const own = entries.some(({ name }) => name === "page.tsx") ? [target === "" ? "/" : target] : [];
  const below = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
    .flatMap(({ name }) =>
      pagesBelow(join(folder, name), name.startsWith("(") ? target : `${target}/${name.replace(/^\[+\.*(\w+)\]+$/, "{$1}")}`),
    );
  return [...own, ...below];
}
