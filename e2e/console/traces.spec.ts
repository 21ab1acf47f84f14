import { randomBytes } from "node:crypto";
import { expect, test } from "@playwright/test";
import { createSettlementOperation } from "#contract/settlement/v1/operations.ts";
import { operatorClient, partnerClient } from "#sandbox/client/partner.ts";
import { readSandboxFile, type SandboxFile } from "#sandbox/client/sandbox-file.ts";
import { openOtlpReceiver } from "#testing/otlp-receiver.ts";
import { read } from "../support/answers.ts";
import { createBody } from "../support/settlements.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/** A service with a collector of traces beside it: the settlement's page leads to its trace. */

let collector: Awaited<ReturnType<typeof openOtlpReceiver>>;
let directory: string;
let own: OwnSandbox;
let sandbox: SandboxFile;
test.beforeAll(async () => {
  directory = newDirectory();
  collector = await openOtlpReceiver();
  own = await startSandbox(directory, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin, OTEL_TRACES_SAMPLER_ARG: "1" });
  sandbox = readSandboxFile(own.file);
});
test.afterAll(async () => {
  await own.stop();
  await collector.close();
  removeDirectory(directory);
});

test("a settlement's page names its trace, which an approval joins", async ({ page }) => {
  const partner = partnerClient(sandbox.base_url, sandbox.partner);
  const traceId = randomBytes(16).toString("hex");
  const body = createBody({ source_amount: 250_000_000, chain: sandbox.chains[0].chain });
  const created = await partner.post("/api/v1/settlements", body, [["traceparent", `00-${traceId}-${randomBytes(8).toString("hex")}-01`]]);
  const { tx_id } = read(createSettlementOperation, created);
  await page.goto(`${sandbox.base_url}/console/sign-in?next=/console/settlements/${tx_id}`);
  await page.getByLabel("E-mail address").fill(sandbox.users.viewer.email);
  await page.getByLabel("Password").fill(sandbox.users.viewer.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText(traceId, { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy trace id" })).toBeVisible();
  const operator = operatorClient(sandbox.base_url, sandbox.operator);
  expect((await operator.call("POST", `/admins/settlements/${tx_id}/approve`, {})).status).toBe(200);
  const joined = () => collector.spans.find((span) => span.traceId === traceId && span.name === "settlement.approve");
  await expect.poll(() => joined()?.links).toHaveLength(1);
  await expect.poll(() => collector.spans.find(({ spanId }) => spanId === joined()?.links[0]?.spanId)?.links[0]?.traceId).toBe(traceId);
});
