import { hash } from "node:crypto";
import { echo } from "#contract/settlement/v1/echo.ts";
import { signingString } from "#domain/signing.ts";
import { bind } from "./bind.ts";

/**
 * Shows a partner what the server read. Neither the query nor the body is judged: any bytes may be sent to see how they are
 * signed (contract, part 9).
 */
export const ECHO = bind(echo, async (_ctx, { timestamp, raw, bytes }) => {
  const { method, path, query } = raw;
  const signed = signingString({ timestamp, method, path, query, body: bytes });
  return {
    body: {
      timestamp,
      method,
      path,
      query,
      body_length: bytes.length,
      body_sha256: hash("sha256", bytes),
      signing_string_sha256: hash("sha256", signed),
    },
  };
});
