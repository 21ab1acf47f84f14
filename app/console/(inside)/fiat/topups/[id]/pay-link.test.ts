import { describe, expect, it } from "vitest";
import { payLink } from "./pay-link.ts";

describe("what is to be paid by a camera", () => {
  it.each([
    ["Pay at https://pay.example/o/42?x=1.", "https://pay.example/o/42?x=1"],
    ["(upi://pay?pa=shop@bank&am=10.00)", "upi://pay?pa=shop@bank&am=10.00"],
    ["HTTPS://PAY.EXAMPLE/42", "HTTPS://PAY.EXAMPLE/42"],
  ])("is the link in %s", (text, link) => {
    expect(payLink(text)).toBe(link);
  });

  it.each([
    "Confirm the request for KES 1,000.00 on the phone +254700000001.",
    "Transfer KES 10.00 and give tu_01k9 as its reference: at once.",
    "See http://plain.example",
    "",
  ])("is nothing in %s", (text) => {
    expect(payLink(text)).toBeNull();
  });
});
