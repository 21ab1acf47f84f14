import { expect, test } from "@playwright/test";
import { readPartnersOperation } from "#contract/partner/partner-operations.ts";
import { createAdminOperation, loginOperation, readAdminsMeOperation } from "#contract/partner/people-operations.ts";
import { expectOperatorError, read } from "../support/answers.ts";
import { operator } from "../support/client.ts";
import { callWithToken, expectInvalid, freshName, logIn, postLogin } from "../support/partner-surface.ts";
import { sandbox } from "../support/running-sandbox.ts";
import { pendingQuote } from "../support/settlements.ts";

/** Contract, parts 6, 7 and 9: the operator's people, their log-in and what their role lets them do. */

const { admin, approver, viewer, owner } = sandbox.users;

test("a log-in answers a bearer token that names its person", async () => {
  const answer = await postLogin({ grant_type: "password", username: admin.email, password: admin.password });
  const token = read(loginOperation, answer);
  expect(token.token_type).toBe("bearer");
  const me = read(readAdminsMeOperation, await callWithToken(token.access_token, "GET", "/admins/me"));
  expect(me).toMatchObject({ username: admin.email, role: "admin" });
  expect(read(readAdminsMeOperation, await operator.call("GET", "/admins/me"))).toMatchObject({ username: null, role: "admin" });
});

test("wrong, unknown and a partner's credentials get the same answer, and a malformed form gets 422", async () => {
  const refused = [
    await postLogin({ username: viewer.email, password: "wrong" }),
    await postLogin({ username: `${freshName("nobody")}@example.com`, password: "wrong" }),
    await postLogin({ username: owner.email, password: owner.password }),
  ];
  // But for the request's own id.
  const wordsOf = (text = "") => ({ ...JSON.parse(text), request_id: null });
  for (const answer of refused) {
    expectOperatorError(answer, 401, "invalid_credentials");
    expect(wordsOf(answer.text)).toEqual(wordsOf(refused[0]?.text));
  }
  expectInvalid(await postLogin({ username: admin.email }), ["body", "password"]);
  expectOperatorError(await callWithToken(null, "POST", "/login", { username: "a", password: "b" }), 415, "unsupported_media_type");
});

test("guessing at an account gets a time to retry, and the person still logs in from elsewhere", async () => {
  const username = `${freshName("guessed")}@example.com`;
  const answers = [];
  for (let number = 0; number < 12; number += 1) answers.push(await postLogin({ username, password: `guess ${number}` }));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  const last = answers.at(-1);
  expect(last?.status).toBe(429);
  expect(Number(last?.headers["retry-after"])).toBeGreaterThan(0);
  expect(await logIn(viewer)).toMatch(/^tok_/);
});

test("a revoked token opens nothing any more", async () => {
  const token = await logIn(viewer);
  expect((await callWithToken(token, "DELETE", "/login")).status).toBe(204);
  const answer = await callWithToken(token, "GET", "/admins/me");
  expectOperatorError(answer, 401, "invalid_token");
  expect(answer.headers["www-authenticate"]).toBe("ApiKey, Bearer");
});

test("an admin may do all, an approver decide and read, a viewer read", async () => {
  const { tx_id } = await pendingQuote();
  const [adminToken, approverToken, viewerToken] = [await logIn(admin), await logIn(approver), await logIn(viewer)];
  for (const token of [adminToken, approverToken, viewerToken]) read(readPartnersOperation, await callWithToken(token, "GET", "/partners"));
  const decide = (token: string) => callWithToken(token, "POST", `/admins/settlements/${tx_id}/approve`, {});
  expectOperatorError(await decide(viewerToken), 403, "forbidden");
  expect((await decide(approverToken)).status).toBe(200);
  const suspend = (token: string) => callWithToken(token, "PUT", `/partners/${crypto.randomUUID()}/status`, { status: "suspended" });
  for (const token of [approverToken, viewerToken]) expectOperatorError(await suspend(token), 403, "forbidden");
  expectOperatorError(await suspend(adminToken), 404, "not_found");
  expectOperatorError(await callWithToken(adminToken, "GET", "/partners/current"), 403, "forbidden");
});

test("an admin creates another of the operator's people, who can log in at once", async () => {
  const username = `${freshName("new")}@example.com`;
  const password = "vellum-otter-92-quay";
  const body = { username, password, name: "New Viewer", role: "viewer" };
  const created = read(createAdminOperation, await callWithToken(await logIn(admin), "POST", "/admins", body));
  expect(created).toMatchObject({ username, name: "New Viewer", role: "viewer" });
  expect(await logIn({ email: username, password })).toMatch(/^tok_/);
  expectOperatorError(await operator.call("POST", "/admins", body), 409, "conflict");
  for (const weak of ["short-7Hq_z", "password1234"]) {
    expectInvalid(await operator.call("POST", "/admins", { ...body, username: `x${username}`, password: weak }), ["body", "password"]);
  }
});
