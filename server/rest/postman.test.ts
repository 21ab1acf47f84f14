import { expect, test } from "vitest";
import { z } from "zod";
import { answerPostman } from "./postman.ts";

const item: z.ZodType<Item> = z.lazy(() =>
  z.looseObject({ name: z.string(), item: z.array(item).optional(), request: z.unknown().optional() }),
);
type Item = { name: string; item?: Item[] | undefined; request?: unknown };
const collection = z.looseObject({
  variable: z.array(z.object({ key: z.string(), value: z.string(), description: z.string().min(1) })),
  item: z.array(item),
});

test("every variable that a request or a script of the collection names is declared, with what it is for, and each is named somewhere", async () => {
  const answer = answerPostman({ baseUrl: "https://api.example.com", brand: "Acme", mode: "sandbox" });
  const { variable, item: items } = collection.parse(await answer.json());
  const text = JSON.stringify(items);
  const named = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));
  const declared = variable.map(({ key }) => key);
  expect([...named].filter((name) => !declared.includes(String(name)))).toEqual([]);
  // Only the script reads the secrets, and whether writes are allowed.
  expect(declared.filter((name) => !named.has(name)).sort()).toEqual(["allow_changes", "api_secret", "operator_api_secret"]);
});
