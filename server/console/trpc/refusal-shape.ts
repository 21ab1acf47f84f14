import type { TRPC_ERROR_CODE_KEY, TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { type Fault, isRefusal, Refusal, type RefusalCode } from "#domain/refusal.ts";
import { refusalFor } from "#server/observe/trouble.ts";

/** What the pages learn of a refusal: the members of the surfaces' problem documents. */
export type RefusalWire = {
  code: RefusalCode;
  title: string;
  status: number;
  detail: string;
  request_id: string | null;
  errors: Fault[];
  /** Public extras in wire names, such as `current_exchange_rate`. */
  members: Record<string, unknown>;
};

const TRPC_CODES: Record<number, TRPC_ERROR_CODE_KEY> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  409: "CONFLICT",
  410: "PRECONDITION_FAILED",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  503: "SERVICE_UNAVAILABLE",
};

/** tRPC's code for a refusal, by its HTTP status. */
export function trpcCode(code: RefusalCode): TRPC_ERROR_CODE_KEY {
  return TRPC_CODES[REFUSAL_STATUS[code].status] ?? "INTERNAL_SERVER_ERROR";
}

/** Whatever a procedure threw, as the refusal that answers it. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof ZodError) {
    const errors: Fault[] = error.issues.map(({ path, message }) => ({
      pointer: path.map((part) => `/${String(part)}`).join(""),
      code: "invalid",
      message,
    }));
    return new Refusal("validation_failed", { errors });
  }
  return refusalFor(error);
}

/** tRPC's own refusals, before or outside of a procedure. */
const OWN: Partial<Record<TRPC_ERROR_CODE_KEY, RefusalCode>> = {
  NOT_FOUND: "route_not_found",
  METHOD_NOT_SUPPORTED: "method_not_allowed",
  UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
  BAD_REQUEST: "malformed_json",
  PARSE_ERROR: "malformed_json",
};

/** Maps every tRPC error to a refusal: the procedure's own, tRPC's, or a failure around it. */
export function refusalOfCall(error: TRPCError): Refusal {
  if (isRefusal(error.cause) || error.cause instanceof ZodError) return toRefusal(error.cause);
  const own = OWN[error.code];
  return own === undefined ? toRefusal(error.cause ?? error) : new Refusal(own);
}

export function showRefusal({ code, particulars }: Refusal, requestId: string | null): RefusalWire {
  const { status, title } = REFUSAL_STATUS[code];
  return {
    code,
    title,
    status,
    detail: particulars.detail ?? `${title}.`,
    request_id: requestId,
    errors: particulars.errors ?? [],
    members: particulars.members ?? {},
  };
}
