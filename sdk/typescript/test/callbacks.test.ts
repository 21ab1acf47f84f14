import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { CallbackRefused, signRequest, verifyCallback, verifyEvent, verifyMirrored } from "../src/index.ts";

const body = '{"tx_id":"tx_1","external_tx_id":"order-1","status":"executed","destination_amount":76.318904}';
const callbackSecret = `whsec_${randomBytes(24).toString("base64")}`;

function delivered({ at = new Date(), secret = callbackSecret, id = "cb_1" } = {}): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000));
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": new Webhook(secret).sign(id, at, body) };
}

describe("verifyEvent", () => {
  const event = '{"id":"ev_1","type":"settlement.executed","object_id":"tx_1","version":4,"data":{"tx_id":"tx_1","status":"executed"}}';
  const sent = (text: string, id: string) => {
    const at = new Date();
    const signature = new Webhook(callbackSecret).sign(id, at, text);
    const headers = { "webhook-id": id, "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)), "webhook-signature": signature };
    return { headers, body: text };
  };

  it("reads an event, and refuses a callback, another id or another secret", async () => {
    expect(await verifyEvent(sent(event, "ev_1"), { callbackSecret })).toEqual(JSON.parse(event));
    await expect(verifyEvent(sent(body, "cb_1"), { callbackSecret })).rejects.toThrow("it is a callback");
    await expect(verifyEvent(sent(event, "ev_2"), { callbackSecret })).rejects.toThrow(CallbackRefused);
    const other = `whsec_${randomBytes(24).toString("base64")}`;
    await expect(verifyEvent(sent(event, "ev_1"), { callbackSecret: other })).rejects.toThrow(CallbackRefused);
  });

  it("is what verifyCallback names for an event", async () => {
    await expect(verifyCallback(sent(event, "ev_1"), { callbackSecret })).rejects.toThrow("verifyEvent reads it");
  });
});

describe("verifyCallback", () => {
  it("reads what the library of Standard Webhooks signed, from any kind of headers and bytes", async () => {
    const headers = delivered();
    const wanted = { id: "cb_1", event: "settlement.executed", body: JSON.parse(body) };
    expect(await verifyCallback({ headers, body }, { callbackSecret })).toEqual(wanted);
    expect(await verifyCallback({ headers: new Headers(headers), body: Buffer.from(body) }, { callbackSecret })).toEqual(wanted);
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(await verifyCallback({ headers: upper, body }, { callbackSecret })).toEqual(wanted);
  });

  it("takes one of several signatures, and one of several secrets", async () => {
    const other = `whsec_${randomBytes(24).toString("base64")}`;
    const headers = delivered();
    const both = `${new Webhook(other).sign("cb_1", new Date(), body)} ${headers["webhook-signature"]}`;
    await expect(verifyCallback({ headers: { ...headers, "webhook-signature": both }, body }, { callbackSecret })).resolves.toBeDefined();
    await expect(verifyCallback({ headers, body }, { callbackSecret: [other, callbackSecret] })).resolves.toBeDefined();
  });

  it("refuses another body, id, time, secret or signature, and headers that are missing", async () => {
    const headers = delivered();
    const old = delivered({ at: new Date(Date.now() - 301_000) });
    const refused = [
      { headers, body: body.replace("76", "77") },
      { headers: { ...headers, "webhook-id": "cb_2" }, body },
      { headers: { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) }, body },
      { headers: { ...headers, "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}` }, body },
      { headers: { ...headers, "webhook-signature": "v1,%%%" }, body },
      { headers: { ...headers, "webhook-signature": headers["webhook-signature"]?.replace("v1,", "v2,") }, body },
      { headers: old, body },
      { headers: {}, body },
    ];
    for (const delivery of refused) await expect(verifyCallback(delivery, { callbackSecret })).rejects.toThrow(CallbackRefused);
    await expect(verifyCallback({ headers: old, body }, { callbackSecret, toleranceSeconds: 400 })).resolves.toBeDefined();
  });

  it("distinguishes a mistake of its own from a callback that is not the service's", async () => {
    const headers = delivered();
    const untyped: Record<string, unknown>[] = [{}, { callbackSecret: undefined }, { callbackSecret: null }];
    for (const secrets of [...untyped, { callbackSecret: "" }, { callbackSecret: "whsec_" }, { callbackSecret: "whsec_%" }])
      await expect(verifyCallback({ headers, body }, Object(secrets))).rejects.toThrow(TypeError);
    const delivery = { headers, body, method: "POST", target: "/" };
    await expect(verifyMirrored(delivery, { apiSecret: "" })).rejects.toThrow(TypeError);
    const parsed = verifyCallback(Object({ headers, body: JSON.parse(body) }), { callbackSecret });
    await expect(parsed).rejects.toThrow(new TypeError("the body was parsed: give the raw bytes, as they came"));
  });

  it("checks the mirrored signature over method, target and bytes", async () => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const parts = { timestamp, method: "POST", path: "/hook", query: "shop=7&&b=?", body };
    const signature = await signRequest("sec_1", parts);
    const headers = { "webhook-id": "cb_1", "x-service-timestamp": timestamp, "X-Service-Signature": signature };
    const delivery = { headers, body, method: "POST", target: "/hook?shop=7&&b=?" };
    expect((await verifyMirrored(delivery, { apiSecret: "sec_1" })).event).toBe("settlement.executed");
    await expect(verifyMirrored({ ...delivery, target: "/hook?shop=8" }, { apiSecret: "sec_1" })).rejects.toThrow(CallbackRefused);
    await expect(verifyMirrored(delivery, { apiSecret: "sec_2" })).rejects.toThrow(CallbackRefused);
  });
});
