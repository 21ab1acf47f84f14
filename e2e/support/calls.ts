import { expect, type Page } from "@playwright/test";
import { BASE_URL } from "./running-sandbox.ts";

/** The console's procedures, called with the session of a page's browser. */

export async function ask(page: Page, path: string, input?: unknown): Promise<{ status: number; data: unknown }> {
  const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const answer = await page.request.get(`${BASE_URL}/api/trpc/${path}${query}`);
  return { status: answer.status(), data: (await answer.json()).result?.data };
}

export async function change(page: Page, path: string, input: unknown): Promise<{ status: number; data: unknown }> {
  const answer = await page.request.post(`${BASE_URL}/api/trpc/${path}`, { data: input, headers: { origin: BASE_URL } });
  return { status: answer.status(), data: (await answer.json()).result?.data };
}

/** The same, for what must succeed. */
export async function resultOf<Data>(page: Page, path: string, input?: unknown): Promise<Data> {
  const { status, data } = await ask(page, path, input);
  expect(status, path).toBe(200);
  return data as Data;
}
