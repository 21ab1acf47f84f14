import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { jwksOperation } from "#contract/jwks.ts";
import { proofStatusOperation } from "#contract/settlement/v1/proof.ts";
import type { Context } from "#server/context.ts";
import { rawRequest, readAnswer, testContext, testSurfaceContext } from "#testing/surface.ts";
import { openSurface } from "./open-surface.ts";
import { JWKS, PROOF_STATUS } from "./proof-operations.ts";
import { handle } from "./surface.ts";

describe("whether a proof still holds", () => {
  it("may be asked by anybody, so often from one address and no more", async () => {
    const ctx = testContext(new Proxy({}, { get: () => () => Promise.reject(new Error("the database was asked")) }) as Context["db"]);
    const plain = testSurfaceContext(ctx);
    const surfaceContext = { ...plain, settings: { ...plain.settings, rateLimits: { writesPerSecond: 0, readsPerSecond: 1 } } };
    const ask = async () => {
      const headers = { "content-type": "application/json" };
      const request = rawRequest({ method: "POST", target: proofStatusOperation.path, headers, body: JSON.stringify({ proof: "hello" }) });
      return readAnswer(await handle(openSurface, surfaceContext, [PROOF_STATUS], request));
    };
    const answers = [await ask(), await ask(), await ask()];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 429]);
    expect(answers[2]?.headers["Retry-After"]).toBe("1");
  });
});

describe("the public keys", () => {
  // Every query of this database fails.
  const nowhere = new Proxy({}, { get: () => () => Promise.reject(new Error("the database was asked")) }) as Context["db"];
  const ctx = testContext(nowhere);
  const ask = async (query: string) =>
    readAnswer(await handle(openSurface, testSurfaceContext(ctx), [JWKS], rawRequest({ target: `${jwksOperation.path}${query}` })));

  it("are those of proofs, and of callbacks one partner's, for anybody to keep for a while", async () => {
    const [partner, other] = [randomUUID(), randomUUID()];
    const plain = await ask("");
    expect([plain.status, plain.body, plain.headers["Cache-Control"]]).toEqual([200, ctx.proofs.jwks, "public, max-age=300"]);
    const own = await ask(`?partner=${partner}`);
    const keys = ctx.callbackKeys.jwksOf(partner);
    expect(keys.map(({ purpose }) => purpose)).toEqual(["callbacks"]);
    expect([own.status, own.body]).toEqual([200, { keys: [...ctx.proofs.jwks.keys, ...keys] }]);
    expect(own.headers["Cache-Control"]).toBe("public, max-age=300");
    expect((await ask(`?partner=${partner.toUpperCase()}`)).body).toEqual(own.body);
    expect((await ask(`?partner=${other}`)).body).toEqual({ keys: [...ctx.proofs.jwks.keys, ...ctx.callbackKeys.jwksOf(other)] });
  });

  it("are of no partner whose id cannot be one", async () => {
    for (const query of ["?partner=", "?partner=acme", `?partner=${randomUUID()}0`, `?partner=${randomUUID()}&partner=${randomUUID()}`]) {
      const { status, body, headers } = await ask(query);
      expect([query, status, body.code]).toEqual([query, 422, "validation_failed"]);
      expect(headers["Cache-Control"]).not.toMatch(/public/);
    }
    expect((await ask(`?tenant=${randomUUID()}`)).status).toBe(422);
  });
});
