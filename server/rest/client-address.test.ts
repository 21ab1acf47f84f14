import { describe, expect, it } from "vitest";
import { rawRequest } from "#testing/surface.ts";
import { clientAddress, isWithin } from "./client-address.ts";

const seen = (remoteAddress: string, forwarded: string | string[] | null, trusted: string[] = []) =>
  clientAddress(rawRequest({ remoteAddress, headers: { "X-Forwarded-For": forwarded } }), trusted);

describe("the client's address", () => {
  it.each([
    ["is the socket's", "1.2.3.4", null, [], "1.2.3.4"],
    ["is the socket's, whatever an untrusted peer claims", "1.2.3.4", "9.9.9.9", ["10.0.0.0/8"], "1.2.3.4"],
    ["unwraps IPv4 in IPv6", "::ffff:1.2.3.4", null, [], "1.2.3.4"],
    ["is what a trusted proxy saw", "10.0.0.1", "9.9.9.9", ["10.0.0.0/8"], "9.9.9.9"],
    [
      "is the last untrusted hop: what comes before it is the client's own claim",
      "10.0.0.1",
      "6.6.6.6, 9.9.9.9, 10.0.0.2",
      ["10.0.0.0/8"],
      "9.9.9.9",
    ],
    ["reads several headers as one list", "::ffff:10.0.0.1", ["6.6.6.6", "9.9.9.9"], ["10.0.0.1"], "9.9.9.9"],
    ["is the first hop where all are trusted", "10.0.0.1", "10.0.0.3, 10.0.0.2", ["10.0.0.0/8"], "10.0.0.3"],
    ["is the proxy's own where it names none", "10.0.0.1", null, ["10.0.0.0/8"], "10.0.0.1"],
    ["drops ports", "10.0.0.1", "9.9.9.9:1234", ["10.0.0.0/8"], "9.9.9.9"],
    ["drops ports of IPv6", "10.0.0.1", "[2001:db8::1]:1234", ["10.0.0.0/8"], "2001:db8::1"],
    ["is unknown where the last hop is no address", "10.0.0.1", "9.9.9.9, unknown", ["10.0.0.0/8"], "unknown"],
  ])("%s", (_name, remote, forwarded, trusted, expected) => {
    expect(seen(remote, forwarded, trusted)).toBe(expected);
  });
});

describe("an allow-list", () => {
  it.each([
    ["10.1.2.3", ["10.0.0.0/8"], true],
    ["11.1.2.3", ["10.0.0.0/8"], false],
    ["::ffff:10.1.2.3", ["10.0.0.0/8"], true],
    ["2001:db8::5", ["2001:db8::/32"], true],
    ["2001:0db8:0:0::5", ["2001:db8::5"], true],
    ["1.2.3.4", ["::/0"], false],
    ["unknown", ["0.0.0.0/0", "::/0"], false],
    ["1.2.3.4", ["nonsense", "1.2.3.4/99", "1.2.3.4"], true],
    ["", ["0.0.0.0/0"], false],
  ])("of %j: %j is %s", (address, ranges, expected) => {
    expect(isWithin(address, ranges)).toBe(expected);
  });
});
