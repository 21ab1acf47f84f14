import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { jwksOperation } from "#contract/jwks.ts";
import { leakedKeyOperation } from "#contract/leaked-key.ts";
import type { Operation } from "#contract/operation.ts";
import { PARTNER_OPERATIONS } from "#contract/partner/operations.ts";
import * as sandboxOperations from "#contract/sandbox.ts";
import * as batchOperations from "#contract/settlement/v1/batch-operations.ts";
import { renderSettlementCallback } from "#contract/settlement/v1/callback-body.ts";
import * as callbackOperations from "#contract/settlement/v1/callback-operations.ts";
import * as decisions from "#contract/settlement/v1/decisions.ts";
import { echo } from "#contract/settlement/v1/echo.ts";
import * as destinationOperations from "#contract/settlement/v1/event-destination-operations.ts";
import * as eventOperations from "#contract/settlement/v1/event-operations.ts";
import * as settlementOperations from "#contract/settlement/v1/operations.ts";
import { proofStatusOperation, proveSettlementOperation } from "#contract/settlement/v1/proof.ts";
import { timeOperation } from "#contract/time.ts";
import { settlementIn } from "#domain/lifecycle-fixture.ts";
import { operationsOf, REGISTRY, ROOTS, surfaceAt } from "./registry.ts";

const PROMISED: Record<keyof typeof REGISTRY, readonly Operation[]> = {
  settlement: [
    ...Object.values(settlementOperations),
    ...Object.values(batchOperations),
    ...Object.values(eventOperations),
    ...Object.values(callbackOperations),
    ...Object.values(destinationOperations),
    proveSettlementOperation,
    echo,
  ],
  partner: [...PARTNER_OPERATIONS, ...Object.values(decisions)],
  sandbox: Object.values(sandboxOperations),
  system: [timeOperation, jwksOperation, proofStatusOperation, leakedKeyOperation],
};
const ROUTES = globSync(["app/**/[[][[]...path]]/route.ts", "app/**/.*/[[][[]...path]]/route.ts"]).map((file) => ({
  root: file
    .replace(/^app/, "")
    .replace(/\/\([^)]*\)/g, "")
    .replace("/[[...path]]/route.ts", ""),
  text: readFileSync(file, "utf8"),
}));

describe("the registry", () => {
  it.each(["settlement", "partner", "sandbox", "system"] as const)(
    "answers what the contract promises of the %s surface, each once",
    (name) => {
      const ids = (operations: readonly Operation[]) => operations.map(({ id }) => id).sort();
      expect(ids(operationsOf(name))).toEqual(ids(PROMISED[name]));
    },
  );

  it("takes no callback for a request: a receiver could send on what was signed for it", () => {
    for (const [status, event] of [
      ["executed", "settlement.executed"],
      ["quoted", "settlement.approved"],
    ] as const) {
      const paid = { txHash: `0x${"1".repeat(64)}`, executedAt: new Date() };
      const body = renderSettlementCallback({ ...settlementIn(status, null), ...paid }, event);
      const takers = Object.values(REGISTRY)
        .flatMap(({ bindings }) => bindings.map(({ operation }) => operation))
        .filter(({ method, caller }) => method !== "GET" && method !== "DELETE" && caller !== "provider" && caller !== "anybody")
        .filter((operation) => operation.unread === true || operation.body.safeParse(JSON.parse(body)).success);
      expect(takers.map(({ id }) => id)).toEqual([echo.id]);
    }
  });

  it("has one operation for a method of a path, and no id twice", () => {
    const all = Object.values(REGISTRY).flatMap(({ bindings }) => bindings.map(({ operation }) => operation));
    const unique = (texts: string[]) => expect(new Set(texts).size).toBe(texts.length);
    unique(all.map(({ id }) => id));
    unique(all.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, "{}")}`));
  });

  it("knows a surface by where its path begins, in this one spelling", () => {
    expect(surfaceAt("/api/v1")).toBe(REGISTRY.settlement);
    expect(surfaceAt("/api/v1/nothing")).toBe(REGISTRY.settlement);
    expect(surfaceAt("/safes/master-contracts/1.4.1")).toBe(REGISTRY.partner);
    for (const path of [
      "/",
      "/api",
      "/api/v10",
      "/api/trpc/x",
      "/partner",
      "/partnersx",
      "//partners",
      "/Partners",
      "/%70artners",
      "/docs",
    ]) {
      expect(surfaceAt(path)).toBeNull();
    }
  });
});

describe("Next's routes", () => {
  it("are one catch-all for each place where a surface begins, and no more", () => {
    expect(ROUTES.map(({ root }) => root).sort()).toEqual([...ROOTS.keys()].sort());
  });

  it.each(ROUTES)("answer $root by every method, with the surface that begins there", ({ root, text }) => {
    expect(text).toContain("export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = ");
    const name = Object.entries(REGISTRY).find(([, registered]) => registered === ROOTS.get(root))?.[0];
    expect(text).toContain(`routeHandlers("${name}", webSurfaceContext);`);
  });

  it("are kept out of the pages' way, which would cost them time", () => {
    const matcher = /matcher: \[\s*"(.*)",?\s*\]/.exec(readFileSync("proxy.ts", "utf8"))?.[1] ?? "";
    for (const root of ROOTS.keys()) expect([root, new RegExp(`^${matcher}$`).test(root)]).toEqual([root, false]);
    expect(new RegExp(`^${matcher}$`).test("/docs")).toBe(true);
  });
});
