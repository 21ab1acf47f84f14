import { readFileSync } from "node:fs";
import { z } from "zod";
import { ERROR_ADVICE } from "#app/docs/_content/errors.ts";
import { OPERATIONS } from "#app/docs/_content/operations.ts";
import { ask } from "#cli/service.ts";
import type { Operation } from "#contract/operation.ts";
import { PARTNER_OPERATIONS } from "#contract/partner/operations.ts";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { SIMULATED_ACCOUNTS } from "#domain/simulated-order.ts";
import { SIMULATED_RECEIVERS } from "#domain/simulated-receiver.ts";
import { SIMULATED_WALLETS } from "#domain/simulated-wallet.ts";

/** One page of the documentation, as text. `path`: where a person reads it. */
export type Page = { path: string; title: string; text: string };

/** The documentation of the connected service, if it serves it as one text; otherwise this repository's. */
export async function readPages(baseUrl: string, signal: AbortSignal): Promise<readonly Page[]> {
  try {
    const answer = await ask(`${baseUrl}/llms-full.txt`, { signal });
    const pages = answer.status === 200 && !answer.headers.get("content-type")?.includes("html") ? splitPages(await answer.text()) : [];
    if (pages.length > 0) return pages;
  } catch {
    // It is unavailable, or has no such page.
  }
  return ownPages();
}

/** Everything under a path, in one text: some paths have a part for each operation. Null: there is no such page. */
export function findPage(pages: readonly Page[], path: string): Page | null {
  const [first, ...others] = pages.filter((page) => page.path === path);
  if (first === undefined) return null;
  return { ...first, text: [first.text.trim(), ...others.map(({ title, text }) => `## ${title}\n\n${text.trim()}`)].join("\n\n") };
}

/** A text of many pages, each preceded by a line with its URL and beginning with a first-level heading. */
export function splitPages(whole: string): Page[] {
  const pages: Page[] = [];
  let isCode = false;
  let path = "/docs";
  for (const line of whole.split("\n")) {
    if (/^(?:```|~~~)/.test(line)) isCode = !isCode;
    const title = isCode ? undefined : /^# (.+)$/.exec(line)?.[1];
    const source = isCode ? undefined : /^Source: https?:\/\/[^/]+(\/\S*)$/.exec(line)?.[1];
    if (source !== undefined) path = source;
    if (title !== undefined) pages.push({ path, title, text: "" });
    const page = pages.at(-1);
    if (page !== undefined && title === undefined && source === undefined) page.text += `${line}\n`;
  }
  return pages;
}

function ownPages(): readonly Page[] {
  const partners = PARTNER_OPERATIONS.filter(({ caller }) => caller === "partner" || caller === "both");
  return [
    ...OPERATIONS.map((operation) => operationPage("/docs/reference", operation)),
    ...partners.map((operation) => operationPage("/docs/partner-management", operation)),
    ...Object.entries(ERROR_ADVICE).map(([code, { meaning, remedy, members = {} }]) => ({
      path: `/docs/errors/${code}`,
      title: `Error ${code}`,
      text: [`Status ${statusOf(code)}.`, meaning, remedy, ...Object.entries(members).map(([name, about]) => `- ${name}: ${about}`)].join(
        "\n",
      ),
    })),
    filePage("docs/lifecycle.md", "/docs/lifecycle"),
    filePage("sdk/typescript/README.md", "/docs"),
    filePage("sdk/python/README.md", "/docs"),
    filePage("sdk/go/README.md", "/docs"),
    filePage("sdk/php/README.md", "/docs"),
    { path: "/docs/sandbox", title: "Sandbox: forced outcomes", text: sandboxText() },
  ];
}

function statusOf(code: string): number {
  return Object.entries(REFUSAL_STATUS).find(([each]) => each === code)?.[1].status ?? 0;
}

function operationPage(path: string, { method, path: target, summary, body, query, refusals, scope, result }: Operation): Page {
  const fields = [...fieldsOf("Query", query), ...fieldsOf("Body", body), ...fieldsOf("Answer", result)];
  const needs = scope === null ? [] : [`Scope of the key: ${scope}.`];
  const codes = refusals.length === 0 ? [] : [`Refusals of its own: ${refusals.join(", ")}.`];
  return { path, title: `${method} ${target}: ${summary}`, text: [...needs, ...fields, ...codes].join("\n") };
}

const objectSchema = z.object({ properties: z.record(z.string(), z.looseObject({})), required: z.array(z.string()).default([]) });

function fieldsOf(part: string, schema: z.ZodType): string[] {
  const parsed = objectSchema.safeParse(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })).data;
  if (parsed === undefined) return [];
  return Object.entries(parsed.properties).map(([name, { type, enum: values, description }]) => {
    const kind = Array.isArray(values) ? values.join(" | ") : typeof type === "string" ? type : "";
    const about = typeof description === "string" ? `: ${description}` : "";
    return `- ${part} ${name}${kind === "" ? "" : ` (${kind})`}${parsed.required.includes(name) ? ", required" : ""}${about}`;
  });
}

function filePage(file: string, path: string): Page {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  return { path, title: /^# (.+)$/m.exec(text)?.[1] ?? file, text };
}

function sandboxText(): string {
  const list = (heading: string, entries: Readonly<Record<string, string>>) => [
    heading,
    ...Object.entries(entries).map(([value, does]) => `- ${value}: ${does}`),
  ];
  return [
    ...list("The wallet_address of a settlement ends in:", SIMULATED_WALLETS),
    ...list("The callback_url ends in:", SIMULATED_RECEIVERS),
    ...list("The account of a withdrawal or top-up ends in:", SIMULATED_ACCOUNTS),
  ].join("\n");
}
