import { ALLOW_CHANGES, KEYS } from "./postman-variables.ts";

/**
 * What Postman and Newman run before each request, and after some. `pm` is Postman's own, and `crypto-js` comes with both. A script waits
 * for nothing: Newman knows no `await` at its top.
 */

/** Newman sends a request although its script has failed, so the script skips it first. */
const STOP = `const stop = (why) => {
  if (pm.execution && pm.execution.skipRequest) pm.execution.skipRequest();
  throw new Error(why);
};`;

/**
 * Signs as documented: the five components, under the secret among the variables. A request without a key in its headers is sent unsigned,
 * and so is an operator's without a secret: few operators' keys must sign.
 */
export const signingScript = (brand: string): string => `${STOP}
const shown = pm.request.headers.get("Authorization") || pm.request.headers.get("apiKey");
const isOperators = Boolean(shown) && shown.includes("${KEYS.operator.key}");
const secret = pm.variables.get(isOperators ? "${KEYS.operator.secret}" : "${KEYS.partner.secret}");
const missing = isOperators
  ? pm.variables.get("${KEYS.operator.key}") ? null : "${KEYS.operator.key}"
  : pm.variables.get("${KEYS.partner.key}") && secret ? null : "${KEYS.partner.key} and ${KEYS.partner.secret}";
if (shown && missing) stop("Fill in " + missing + " among the collection's variables.");

// What is signed has to be what is sent: variables are filled in here, once, and not again by Postman.
const url = pm.variables.replaceIn(pm.request.url.toString());
pm.request.url.update(url);
const hasBody = pm.request.method !== "GET" && pm.request.body && pm.request.body.mode === "raw";
const body = hasBody ? pm.variables.replaceIn(pm.request.body.raw) : "";
if (hasBody) pm.request.body.update({ mode: "raw", raw: body });

if (shown && secret) {
  const target = url.replace(/^[a-z]+:\\/\\/[^/?]+/i, "") || "/";
  const question = target.indexOf("?");
  const path = question === -1 ? target : target.slice(0, question);
  const query = question === -1 ? "" : target.slice(question + 1);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const message = [timestamp, pm.request.method, path, query, body].join("\\n");

  const CryptoJS = require("crypto-js");
  const hex = CryptoJS.HmacSHA256(message, secret).toString(CryptoJS.enc.Hex);

  const set = (name, value) => pm.request.headers.upsert({ key: name, value: value });
  set("X-${brand}-Timestamp", timestamp);
  set("X-${brand}-Nonce", pm.variables.replaceIn("{{$guid}}"));
  set("X-${brand}-Signature", hex);
}`;

/**
 * Skips a request that ends a key, a secret or a session, unless a variable permits it, so that a run of the whole collection ends none.
 */
export const guardingScript = (): string => `${STOP}
if (pm.variables.get("${ALLOW_CHANGES}") !== "yes") stop("Set ${ALLOW_CHANGES} to yes to send this: it rotates, revokes or deletes.");`;

/** Later requests refer to what this one has made or found. */
export const capturingScript = (
  key: string,
  at: string,
): string => `const value = pm.response.code < 300 ? pm.response.json().${at} : undefined;
if (value) pm.collectionVariables.set("${key}", value);`;
