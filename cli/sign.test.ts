import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import vectors from "#docs/signing-vectors.json" with { type: "json" };
import { forgetProfiles, keepProfile, settle, TEST_PROFILE } from "#testing/settle.ts";

afterEach(forgetProfiles);

test.each(vectors.vectors)("signs the published vector: $name", async (vector) => {
  const profile = keepProfile({ api_secret: vector.secret });
  const file = join(dirname(profile), "body");
  writeFileSync(file, vector.body);
  const target = vector.query === "" ? vector.path : `${vector.path}?${vector.query}`;
  const args = ["sign", vector.method, target, "--body-file", file, "--timestamp", vector.timestamp, "--json"];
  const { code, stdout } = await settle(args, { SETTLE_PROFILE: profile });
  expect(code).toBe(0);
  const signed = JSON.parse(stdout);
  expect(signed.signing_string).toBe(vector.signing_string);
  expect(signed.signing_string_sha256).toBe(createHash("sha256").update(vector.signing_string).digest("hex"));
  expect(signed.headers["X-Service-Signature"]).toBe(vector.signature);
});

test("the five headers and the string are printed, the secret never", async () => {
  const profile = keepProfile({ brand: "Acme" });
  const { code, stdout, stderr } = await settle(["sign", "POST", "/api/v1/echo", "--body", '{"a":1}'], { SETTLE_PROFILE: profile });
  expect(code).toBe(0);
  for (const name of ["Authorization", "Content-Type", "X-Acme-Timestamp", "X-Acme-Nonce", "X-Acme-Signature"])
    expect(stdout).toContain(name);
  expect(stdout).toMatch(/\d+\nPOST\n\/api\/v1\/echo\n\n\{"a":1\}\n$/);
  expect(stdout + stderr).not.toContain(TEST_PROFILE.api_secret);
});

test.each([
  [["sign", "post", "/x"], "capitals"],
  [["sign", "POST", "api/v1/echo"], "slash"],
  [["sign", "POST"], "TARGET is missing"],
  [["sign", "POST", "/x", "/y"], 'Unexpected argument "/y"'],
  [["sign", "POST", "/x", "--body", "a", "--body-file", "b"], "either --body or --body-file"],
  [["sign", "POST", "/x", "--timestamp", "now"], "Unix time"],
])("%j is not understood, and says why", async (args, why) => {
  const { code, stdout, stderr } = await settle(args, { SETTLE_PROFILE: keepProfile() });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(why);
});
