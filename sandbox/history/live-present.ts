import { setTimeout as sleep } from "node:timers/promises";
import { CHAIN } from "#sandbox/chain/anvil.ts";
import { type OperatorClient, operatorClient } from "#sandbox/client/partner.ts";
import { readSandboxFile } from "#sandbox/client/sandbox-file.ts";
import { MEMBERS, type Ordered, TOPUPS, WITHDRAWALS } from "./present-plan.ts";
import type { Receivers } from "./receivers.ts";

const LOOK_EVERY_MS = 500;
/** A Safe is deployed and a top-up is final within a few blocks. */
const LONGEST_WAIT_MS = 90_000;

type Present = { sandboxFile: string; receivers: Receivers };
type Partner = { slug: "demo" | "second"; api: OperatorClient };

/**
 * Members with their Safes, and fiat orders in every state, requested like a partner's program does. They are of today: the wallet that
 * owns a Safe must sign its payments, and that is the present's. Repeating a request has no effect, because of its external id.
 */
export async function livePresent({ sandboxFile, receivers }: Present): Promise<void> {
  const sandbox = readSandboxFile(sandboxFile);
  const partners: Partner[] = [
    { slug: "demo", api: operatorClient(sandbox.base_url, sandbox.partner) },
    { slug: "second", api: operatorClient(sandbox.base_url, sandbox.second_partner) },
  ];
  for (const { slug, api } of partners) {
    const own = MEMBERS.filter(({ partner }) => partner === slug);
    for (const { partner: _, ...member } of own) await ask(api, "POST", "/partners/members", { ...member, chain: CHAIN });
    for (const { external_user_id: id } of own) {
      await until(async () => (await ask(api, "GET", `/partners/members/${id}`)).safe_status !== "deploying");
    }
    const urlOf = ({ reception }: Ordered) => receivers.urlOf(slug, reception);
    const topups = TOPUPS.filter(({ partner }) => partner === slug);
    for (const { partner: _, reception, ...order } of topups) {
      const body = { ...order, chain: CHAIN, callback_url: urlOf({ partner: slug, reception }) };
      const { id } = await ask(api, "POST", "/partners/transactions/topup-fiat", body);
      // What the member withdraws again must have come first.
      if (order.source.account.slice(-6) < "999900")
        await until(async () => (await ask(api, "GET", `/partners/transactions/topup-fiat/${id}`)).status === "completed");
    }
    for (const { partner: _, reception, ...order } of WITHDRAWALS.filter(({ partner }) => partner === slug)) {
      const path = `/partners/transactions/withdraw-fiat${order.external_user_id === undefined ? "" : "/member"}`;
      await ask(api, "POST", path, { ...order, chain: CHAIN, callback_url: urlOf({ partner: slug, reception }) });
    }
  }
}

async function ask(api: OperatorClient, method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await api.call(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
  const read: unknown = JSON.parse(answer.text);
  if (typeof read !== "object" || read === null) throw new Error(`${method} ${path} answered no object`);
  return { ...read };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const givenUpAt = Date.now() + LONGEST_WAIT_MS; !(await holds()); await sleep(LOOK_EVERY_MS)) {
    if (Date.now() > givenUpAt) throw new Error("something of today does not come to its end");
  }
}
