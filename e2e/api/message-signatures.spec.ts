import { createHash, createHmac, randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { type Answer, exchange, type Header } from "#sandbox/client/exchange.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { type SettlementClient, verifyCallback } from "#sdk/typescript/src/index.ts";
import { expectRefusal, readJson } from "../support/answers.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { sdk, sdkOf } from "../support/sdk.ts";
import { confirm, quote, SETTLEMENTS } from "../support/settlements.ts";

/** What RFC 9421 and public keys are to a partner: requests without the five headers, callbacks without a secret. */

type SentMessage = { method: string; target: string; body?: string; nonce?: string; secret?: string };

/** Written from the RFC alone, over the bytes on the wire. */
async function send({
  method,
  target,
  body = "",
  nonce = randomUUID(),
  secret = sandbox.partner.api_secret,
}: SentMessage): Promise<Answer> {
  const digest = `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
  const covered = body === "" ? '("@method" "@target-uri")' : '("@method" "@target-uri" "content-digest")';
  const input = `${covered};created=${Math.floor(Date.now() / 1_000)};nonce="${nonce}";keyid="${sandbox.partner.api_key}";alg="hmac-sha256"`;
  const lines = [
    `"@method": ${method}`,
    `"@target-uri": ${BASE_URL}${target}`,
    ...(body === "" ? [] : [`"content-digest": ${digest}`]),
    `"@signature-params": ${input}`,
  ];
  const signature = createHmac("sha256", secret).update(lines.join("\n")).digest("base64");
  const headers: Header[] = [
    ...(body === "" ? [] : ([["Content-Type", "application/json"] as const, ["Content-Digest", digest] as const] satisfies Header[])),
    ["Signature-Input", `sig1=${input}`],
    ["Signature", `sig1=:${signature}:`],
  ];
  return await exchange(BASE_URL, { method, target, headers, body });
}

test("a request signed as RFC 9421 says is answered like any other, and its nonce is used up", async () => {
  const body = '{"héllo":  "wörld"}';
  const echo = readJson(await send({ method: "POST", target: "/api/v1/echo?a=%7e&&b=2", body }));
  expect(echo).toMatchObject({ method: "POST", path: "/api/v1/echo", query: "a=%7e&&b=2", body_length: Buffer.byteLength(body) });
  const { tx_id } = await quote();
  const nonce = randomUUID();
  expect(readJson(await send({ method: "GET", target: `${SETTLEMENTS}/${tx_id}`, nonce }))).toMatchObject({ tx_id });
  expectRefusal(await send({ method: "GET", target: `${SETTLEMENTS}/${tx_id}`, nonce }), 401, "nonce_reused");
  expectRefusal(await send({ method: "GET", target: SETTLEMENTS, secret: "sec_test_wrong" }), 401, "signature_mismatch");
});

test("a callback is checked with its partner's published key alone, and holds with no other partner's", async () => {
  const receiver = await openReceiver();
  try {
    const { tx_id } = await quote();
    await confirm(tx_id, { callback_url: receiver.url });
    const delivery = await receiver.delivery(1, 60_000);
    const keysOf = async (client: SettlementClient) => {
      const { id } = Object(await client.call({ surface: "partner", method: "GET", path: "/partners/current" }));
      return await client.publicKeys(id);
    };
    const publicKeys = await keysOf(sdk);
    expect(await verifyCallback(delivery, { publicKeys })).toMatchObject({ event: "settlement.executed", body: { tx_id } });
    const whpk = publicKeys.keys.find(({ purpose }) => purpose === "callbacks")?.whpk ?? "";
    expect(await verifyCallback(delivery, { publicKeys: whpk })).toMatchObject({ body: { tx_id } });
    await expect(verifyCallback({ ...delivery, body: `${delivery.body} ` }, { publicKeys })).rejects.toThrow("no signature fits");
    const rivals = await keysOf(sdkOf(sandbox.second_partner));
    expect(rivals.keys.map(({ purpose }) => purpose)).toContain("callbacks");
    await expect(verifyCallback(delivery, { publicKeys: rivals })).rejects.toThrow("no signature fits");
  } finally {
    await receiver.close();
  }
});
