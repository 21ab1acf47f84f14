import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";

/**
 * Gives every page its security headers. Scripts run only with the nonce of their own answer; nothing is loaded from, sent to
 * or framed by another origin. API paths never come here: it would cost them time, and their answers are no documents.
 */
export function proxy(request: NextRequest): NextResponse {
  const policy = contentSecurityPolicy(randomBytes(16).toString("base64"));
  const headers = new Headers(request.headers);
  // Next reads the nonce off the policy in the request and puts it on the scripts it writes.
  headers.set("content-security-policy", policy);
  // A page that sends a stranger to the sign-in says where to come back to.
  headers.set("x-page", request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("x-frame-options", "DENY");
  response.headers.set("referrer-policy", "strict-origin-when-cross-origin");
  response.headers.set("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  response.headers.set("cross-origin-opener-policy", "same-origin");
  return response;
}

function contentSecurityPolicy(nonce: string): string {
  // React's development build evaluates code to show where an error came from; the built one never does.
  const evaluation = process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : "";
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${evaluation}`,
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export const config = {
  matcher: [
    "/((?!api/|(?:[.]well-known|partners|exchange-rates|login|admins|safes|sandbox|health|ready|metrics|time|leaked-keys|proofs|openapi)(?:/|$)|_next/static/).*)",
  ],
};
