import { expect, test } from "vitest";
import { honoursIdempotencyKey } from "#contract/operation.ts";
import { MANAGEMENT_OPERATIONS, OPERATIONS } from "../_content/operations.ts";
import { textOf, treeOf } from "../_markdown/tree.ts";
import { OperationBlock } from "./operation-block.tsx";

const ALL = [...OPERATIONS, ...MANAGEMENT_OPERATIONS].map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

test.each(ALL)("the reference of %s names Idempotency-Key where it is honoured, and every header of its answer", async (_, operation) => {
  const text = (await treeOf(<OperationBlock operation={operation} named={[]} />)).map(textOf).join("");
  expect([text.includes("Idempotency-Key"), text.includes("Idempotent-Replayed")]).toEqual(Array(2).fill(honoursIdempotencyKey(operation)));
  for (const name of Object.keys(operation.resultHeaders ?? {})) expect(text).toContain(name);
});

test("it is honoured by every POST but the log-in and the provider's callbacks", () => {
  const without = ALL.filter(([, operation]) => operation.method === "POST" && !honoursIdempotencyKey(operation)).map(([name]) => name);
  expect(without.sort()).toEqual([
    "POST /leaked-keys",
    "POST /login",
    "POST /partners/transactions/topup-fiat/callback",
    "POST /partners/transactions/withdraw-fiat/callback",
    "POST /proofs/status",
  ]);
});
