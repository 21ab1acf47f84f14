import { type Browser, expect } from "@playwright/test";
import { browserOf, stepUp } from "./console.ts";
import { call } from "./people.ts";

/** An identity provider of the demo partner, at an address where nobody answers. Returns what removes it again. */
export async function addProvider(browser: Browser): Promise<() => Promise<void>> {
  const settings = { name: "Example", issuer: "http://127.0.0.1:9", client_id: "console", groups_claim: "groups", demanded_acr: null };
  const whole = { ...settings, roles: [{ group: "desk", role: "staff" }], is_duty: false, keeper_ids: [] };
  const asOwner = async (procedure: string, input: object) => {
    const page = await browserOf(browser, "owner");
    await stepUp(page, "owner");
    const answer = await call(page, procedure, input);
    expect(answer.status(), procedure).toBe(200);
    const { result } = await answer.json();
    await page.context().close();
    return result.data;
  };
  const { id } = await asOwner("identity.save", { slug: `story-${Date.now().toString(36)}`, settings: whole });
  return async () => void (await asOwner("identity.remove", { provider_id: id, only_draft: false }));
}
