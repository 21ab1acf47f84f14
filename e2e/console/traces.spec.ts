import { randomBytes } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { approveSettlementOperation } from "#contract/settlement/v1/decisions.ts";
import { createSettlementOperation } from "#contract/settlement/v1/operations.ts";
import { RISK_HINT_KINDS } from "#domain/risk-hint.ts";
import { readSandboxFile, type SandboxFile } from "#sandbox/client/sandbox-file.ts";
import { openOtlpReceiver } from "#testing/otlp-receiver.ts";
import { read } from "../support/answers.ts";
import { operatorClient, partnerClient } from "../support/patient.ts";
import { createBody } from "../support/settlements.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/** A service with a collector of traces: the settlement's page links to its trace. */

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

async function awaiting(traceId: string) {
  const partner = partnerClient(sandbox.base_url, sandbox.partner);
  const body = createBody({ source_amount: 250_000_000, chain: sandbox.chains[0].chain });
  const created = await partner.post("/api/v1/settlements", body, [["traceparent", `00-${traceId}-${randomBytes(8).toString("hex")}-01`]]);
  return read(createSettlementOperation, created);
}

/** Signed in recently enough that nothing asks for the password. */
async function signIn(page: Page, role: "viewer" | "approver", next: string): Promise<void> {
  await page.goto(`${sandbox.base_url}/console/sign-in?next=${next}`);
  await page.getByLabel("E-mail address").fill(sandbox.users[role].email);
  await page.getByLabel("Password").fill(sandbox.users[role].password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname === next);
}

const newTraceId = () => randomBytes(16).toString("hex");

test("approving many at once joins the trace of each", async ({ page }) => {
  const traces = [newTraceId(), newTraceId()];
  const items = [];
  for (const trace of traces) {
    const { tx_id, exchange_rate } = await awaiting(trace);
    items.push({ tx_id, expected_exchange_rate: String(exchange_rate), acknowledged_hints: RISK_HINT_KINDS });
  }
  await signIn(page, "approver", "/console/approvals");
  const headers = { origin: sandbox.base_url };
  const answer = await page.request.post(`${sandbox.base_url}/api/trpc/approvals.approveMany`, { data: { items }, headers });
  expect((await answer.json()).result.data.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["approved", "approved"]);
  const joinedIn = (trace: string) => collector.spans.find((span) => span.traceId === trace && span.name === "settlement.approve");
  for (const trace of traces) await expect.poll(() => joinedIn(trace)?.links).toHaveLength(1);
  const request = () => collector.spans.find(({ name }) => name === "console.approvals.approveMany");
  await expect.poll(() => request()?.links.map(({ traceId }) => traceId)).toEqual(traces);
  for (const trace of traces) expect(joinedIn(trace)?.links[0]?.spanId).toBe(request()?.spanId);
});

test("a settlement's page names its trace, which an approval joins", async ({ page }) => {
  const traceId = newTraceId();
  const { tx_id } = await awaiting(traceId);
  await signIn(page, "viewer", `/console/settlements/${tx_id}`);
  await expect(page.getByText(traceId, { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy trace id" })).toBeVisible();
  const operator = operatorClient(sandbox.base_url, sandbox.operator);
  read(approveSettlementOperation, await operator.call("POST", `/admins/settlements/${tx_id}/approve`, {}));
  const joined = () => collector.spans.find((span) => span.traceId === traceId && span.name === "settlement.approve");
  await expect.poll(() => joined()?.links).toHaveLength(1);
  await expect.poll(() => collector.spans.find(({ spanId }) => spanId === joined()?.links[0]?.spanId)?.links[0]?.traceId).toBe(traceId);
});
