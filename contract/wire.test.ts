import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { fromWire, toWire } from "./wire.ts";

const key = {
  id: "1",
  lastFour: "abcd",
  allowedIps: ["10.0.0.1"],
  createdAt: new Date(0),
  revokedAt: null as Date | null,
  sealedSecret: "s",
  amountBase: 5n,
};

describe("a record as it is sent", () => {
  it("has what was named, in wire names and with instants as texts, and nothing else", () => {
    const rendered = toWire(key, "id", "lastFour", "allowedIps", "createdAt", "revokedAt");
    expect(rendered).toEqual({
      id: "1",
      last_four: "abcd",
      allowed_ips: ["10.0.0.1"],
      created_at: "1970-01-01T00:00:00.000Z",
      revoked_at: null,
    });
    expectTypeOf(rendered.created_at).toEqualTypeOf<string>();
    expectTypeOf(rendered.revoked_at).toEqualTypeOf<string | null>();
  });

  it("cannot have an amount of base units, which JSON has no word for", () => {
    // @ts-expect-error: it has to be rendered first.
    expect(() => JSON.stringify(toWire(key, "amountBase"))).toThrow(TypeError);
  });
});

describe("what is asked", () => {
  const order = fromWire({ partner_id: z.string(), expected_charge_fee: z.string(), reason: z.string().optional() });

  it("is handed on in the names inside, without what was left out", () => {
    expect(order.parse({ partner_id: "p", expected_charge_fee: "1", reason: undefined })).toStrictEqual({
      partnerId: "p",
      expectedChargeFee: "1",
    });
  });

  it("is refused with a name that nobody knows, and at the name on the wire", () => {
    expect(order.safeParse({ partner_id: "p", expected_charge_fee: "1", more: 1 }).success).toBe(false);
    expect(order.safeParse({ partner_id: 1, expected_charge_fee: "1" }).error?.issues[0]?.path).toEqual(["partner_id"]);
  });
});
