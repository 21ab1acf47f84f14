import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CallbackRefused, ProofRefused, verifyCallback, verifyProof } from "../src/index.ts";

const { issuer, jwks, proofs, callbacks } = JSON.parse(readFileSync("docs/proof-vectors.json", "utf8"));

describe("the published vectors of proofs", () => {
  for (const { name, proof, valid, ...rest } of proofs) {
    it(name, async () => {
      const judged = verifyProof(proof, jwks, { issuer });
      if (valid) await expect(judged).resolves.toEqual(rest);
      else await expect(judged).rejects.toThrow(ProofRefused);
    });
  }

  it("hold against the issuer that is asked for, and against no key that has another form", async () => {
    const [{ proof }] = proofs;
    await expect(verifyProof(proof, jwks, { issuer: "https://pay.example.evil" })).rejects.toThrow(/another issuer/);
    const short = { keys: jwks.keys.map((key: object) => ({ ...key, x: "AQ" })) };
    await expect(verifyProof(proof, short)).rejects.toThrow(ProofRefused);
  });

  it("are refused in plain words however deep their head is nested", async () => {
    const { proof } = proofs[0];
    const [, ...rest] = proof.split(".");
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const heads = ["[".repeat(200_000), `{"alg":"EdDSA","typ":${deep}}`, `{"alg":"EdDSA","typ":"settlement-quote+jws","kid":${deep}}`];
    for (const head of heads)
      await expect(verifyProof([Buffer.from(head).toString("base64url"), ...rest].join("."), jwks)).rejects.toThrow(ProofRefused);
  });

  it("are refused whichever character of one is changed", async () => {
    const { proof } = proofs[1];
    for (let at = 0; at < proof.length; at += 1) {
      const changed = `${proof.slice(0, at)}${proof[at] === "A" ? "B" : "A"}${proof.slice(at + 1)}`;
      await expect(verifyProof(changed, jwks), `at ${at}`).rejects.toThrow(ProofRefused);
    }
  });
});

describe("the published vectors of callbacks that a public key signs", () => {
  const whpk = jwks.keys.find(({ purpose }: { purpose: string }) => purpose === "callbacks").whpk;
  for (const { name, valid, body, ...headers } of callbacks) {
    it(name, async () => {
      const now = 1_763_800_000_000;
      for (const publicKeys of [jwks, whpk, ["whpk_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=", whpk]]) {
        const judged = verifyCallback({ headers, body }, { publicKeys, now });
        if (valid) await expect(judged).resolves.toMatchObject({ id: "cb_01", event: "settlement.executed" });
        else await expect(judged).rejects.toThrow(CallbackRefused);
      }
      await expect(verifyCallback({ headers, body }, { publicKeys: jwks, now: now + 302_000 })).rejects.toThrow(/too old/);
    });
  }

  it("need a key, of the right form, and not one that signs proofs", async () => {
    const [{ body, ...headers }] = callbacks;
    const check = (secrets: object) => verifyCallback({ headers, body }, { now: 1_763_800_000_000, ...secrets });
    await expect(check({})).rejects.toThrow(/neither/);
    await expect(check({ publicKeys: "whpk_AQ==" })).rejects.toThrow(TypeError);
    const proofsOnly = { keys: jwks.keys.filter(({ purpose }: { purpose: string }) => purpose === "proofs") };
    await expect(check({ publicKeys: proofsOnly })).rejects.toThrow(/neither/);
  });

  it("are looked at among the first eight in the header", async () => {
    const [{ body, ...headers }] = callbacks;
    const behind = (count: number) => {
      const others = Array.from({ length: count }, (_, at) => `v1a,${Buffer.alloc(64, at).toString("base64")}`);
      const signature = ["v2,AA", ...others, headers["webhook-signature"]].join(" ");
      return verifyCallback(
        { headers: { ...headers, "webhook-signature": signature }, body },
        { publicKeys: whpk, now: 1_763_800_000_000 },
      );
    };
    await expect(behind(7)).resolves.toMatchObject({ id: "cb_01" });
    await expect(behind(8)).rejects.toThrow("no signature fits");
  });

  it("are of a time that can be one", async () => {
    const [{ body, ...headers }] = callbacks;
    for (const length of [16, 400, 5_000]) {
      const late = { ...headers, "webhook-timestamp": "9".repeat(length) };
      await expect(verifyCallback({ headers: late, body }, { publicKeys: whpk })).rejects.toThrow(/wrong time/);
    }
  });
});
