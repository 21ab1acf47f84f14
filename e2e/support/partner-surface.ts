import { randomInt, randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { z } from "zod";
import { loginResponseSchema } from "#contract/partner/access.ts";
import { httpValidationErrorSchema } from "#contract/partner/errors.ts";
import { type Answer, exchange } from "#sandbox/client/exchange.ts";
import type { OperatorClient } from "#sandbox/client/partner.ts";
import { readJson } from "./answers.ts";
import { operatorClient } from "./patient.ts";
import { BASE_URL, sandbox } from "./running-sandbox.ts";

/** The partner-management surface, as its callers see it: the `apiKey` header or an access token, nothing signed. */

export const asPartner = operatorClient(BASE_URL, sandbox.partner);
export const asRival = operatorClient(BASE_URL, sandbox.second_partner);

export function withKey(apiKey: string): OperatorClient {
  return operatorClient(BASE_URL, { api_key: apiKey });
}

/** Without any credential, or with an access token. */
export async function callWithToken(token: string | null, method: string, target: string, body?: unknown): Promise<Answer> {
  const authorization = token === null ? [] : [["Authorization", `Bearer ${token}`] as const];
  const sent = body === undefined ? undefined : JSON.stringify(body);
  return await exchange(BASE_URL, { method, target, body: sent, headers: [...authorization, ["Content-Type", "application/json"]] });
}

/** The OAuth2 password form, as a browser or `curl -d` sends it. */
export async function postLogin(form: Record<string, string>): Promise<Answer> {
  const body = new URLSearchParams(form).toString();
  const headers = [["Content-Type", "application/x-www-form-urlencoded"]] as const;
  return await exchange(BASE_URL, { method: "POST", target: "/login", headers, body });
}

export async function logIn({ email, password }: { email: string; password: string }): Promise<string> {
  const answer = await postLogin({ grant_type: "password", username: email, password });
  return loginResponseSchema.parse(readJson(answer)).access_token;
}

/** Asserts an `HTTPValidationError` that points at one place, such as `["body", "phone"]`. */
export function expectInvalid(answer: Answer, loc: readonly (string | number)[]): void {
  expect(answer.status, answer.text).toBe(422);
  const { detail } = httpValidationErrorSchema.parse(JSON.parse(answer.text));
  expect(detail).toContainEqual(expect.objectContaining({ loc }));
  for (const { msg, type } of detail) for (const text of [msg, type]) expect(text).not.toBe("");
}

/** A list of the surface, and how many there are in all. */
export function readList<Item extends z.ZodType>(item: Item, answer: Answer): { items: z.infer<Item>[]; total: number } {
  expect(answer.status, answer.text).toBe(200);
  return { items: z.array(item).parse(JSON.parse(answer.text)), total: Number(answer.headers["x-total-count"]) };
}

export const freshName = (what: string): string => `${what}-${randomUUID()}`;
export const freshPhone = (): string => `+2547${randomInt(10_000_000, 99_999_999)}`;
