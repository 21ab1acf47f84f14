import { describe, expect, test } from "vitest";
import { readTraceparent, traceIdOf, writeTraceparent } from "./trace.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("a traceparent", () => {
  test("is read as W3C writes it, and written back the same", () => {
    for (const flags of ["00", "01"]) {
      const text = `00-${TRACE}-${SPAN}-${flags}`;
      const place = readTraceparent(text);
      expect(place).toEqual({ traceId: TRACE, spanId: SPAN, sampled: flags === "01" });
      expect(place && writeTraceparent(place)).toBe(text);
    }
    expect(traceIdOf(`00-${TRACE}-${SPAN}-00`)).toBe(TRACE);
  });

  test("of a version to come is read for what it has in common with ours, other flags are no business of ours", () => {
    expect(readTraceparent(`cc-${TRACE}-${SPAN}-03-what-comes`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true });
    expect(readTraceparent(`00-${TRACE}-${SPAN}-fe`)).toMatchObject({ sampled: false });
  });

  test.each([
    ["nothing", null],
    ["no text", ""],
    ["capitals", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["the forbidden version", `ff-${TRACE}-${SPAN}-01`],
    ["no trace", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["no span", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["more than version 00 has", `00-${TRACE}-${SPAN}-01-x`],
    ["less", `00-${TRACE}-${SPAN}`],
    ["another line", `00-${TRACE}-${SPAN}-01\nx`],
    ["something before it", ` 00-${TRACE}-${SPAN}-01`],
    ["a page of it", `01-${TRACE}-${SPAN}-01-${"x".repeat(300)}`],
    ["markup", `<script>-${TRACE}-${SPAN}-01`],
  ])("with %s is none", (_what, text) => {
    expect(readTraceparent(text)).toBeNull();
  });
});
