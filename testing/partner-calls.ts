import type { Context } from "#server/context.ts";
import { OPENAPI_DOCUMENTS } from "#server/rest/openapi.ts";
import { REGISTRY } from "#server/rest/registry.ts";
import { handle } from "#server/rest/surface.ts";
import type { SurfaceContext } from "#server/rest/surface-context.ts";
import { openConformance } from "./conformance.ts";
import { type LogLine, rawRequest, TEST_SETTINGS, testContext, testSurfaceContext } from "./surface.ts";

/** A request to the partner-management surface, besides method and target. */
export type PartnerCall = {
  apiKey?: string;
  token?: string;
  /** Sent as JSON; a text is sent unchanged. */
  body?: unknown;
  form?: Record<string, string> | string;
  headers?: Record<string, string>;
  address?: string;
};
// biome-ignore lint/suspicious/noExplicitAny: a test states what it expects of the body, member by member.
export type PartnerAnswer = { status: number; headers: Record<string, string>; body: any };

export type PartnerStage = {
  ctx: Context;
  surfaceContext: SurfaceContext;
  call(method: string, target: string, call?: PartnerCall): Promise<PartnerAnswer>;
};

const documented = openConformance({ "partner.json": OPENAPI_DOCUMENTS["partner.json"]?.(TEST_SETTINGS) ?? {} });

/** The surface over a test database. An answer that violates its own schema or the OpenAPI document fails the test. */
export function openPartnerStage(db: Context["db"], more: Partial<Context> = {}): PartnerStage {
  const { surface, bindings } = REGISTRY.partner;
  const lines: LogLine[] = [];
  const ctx = { ...testContext(db, lines), ...more };
  const surfaceContext = testSurfaceContext(ctx);
  return {
    ctx,
    surfaceContext,
    async call(method, target, { apiKey, token, body, form, headers = {}, address = "127.0.0.1" } = {}) {
      const sent = form === undefined ? asJson(body) : asForm(form);
      const raw = rawRequest({
        method,
        target,
        body: sent,
        remoteAddress: address,
        headers: {
          apiKey: apiKey ?? null,
          Authorization: token === undefined ? null : `Bearer ${token}`,
          "Content-Type": form === undefined ? "application/json" : "application/x-www-form-urlencoded",
          ...headers,
        },
      });
      const answer = await handle(surface, surfaceContext, bindings, raw);
      const broken = lines.find((line) => line.level === "error");
      if (broken) throw new Error(JSON.stringify(broken, (_key, value) => (value instanceof Error ? String(value.stack) : value)));
      const lowered = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]));
      const request = form === undefined ? sent : undefined;
      const amiss = documented.judge({ method, target, request, status: answer.status, headers: lowered, body: answer.body ?? "" });
      if (amiss.length > 0) throw new Error(`Not as the OpenAPI document says:\n${amiss.join("\n")}`);
      return { ...answer, body: answer.body ? JSON.parse(answer.body) : null };
    },
  };
}

function asJson(body: unknown): string {
  return typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
}

function asForm(form: Record<string, string> | string): string {
  return typeof form === "string" ? form : new URLSearchParams(form).toString();
}
