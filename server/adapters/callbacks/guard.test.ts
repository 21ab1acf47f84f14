import { describe, expect, it } from "vitest";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { createCallbackSender } from "./send.ts";

const PUBLIC = "93.184.215.14";
const live = createCallbackSender({ allowHttp: false, exemptHosts: [], resolve: async () => [PUBLIC] });
const sandbox = createCallbackSender({ allowHttp: true, exemptHosts: ["localhost", "127.0.0.1"], resolve: async () => [PUBLIC] });

describe("the guard of callback URLs", () => {
  it.each([
    "https://example.com",
    "https://example.com/",
    "https://EXAMPLE.com/hook?a=b&c=%20",
    "https://example.com:8443/hook",
    "https://example.com./hook",
    "https://xn--mnchen-3ya.example.com/",
    "https://example.com?a=b",
    "https://example.com/it's/a%7e?z=o'b%7e&&a={|}`^",
    "https://example.com/.../..a/a..",
    "https://1.1.1.1/",
    "https://93.184.215.14/hook",
    "https://[2606:4700:4700::1111]/",
    "https://[2001:4860:4860::8888]/",
    "https://172.15.0.1/",
    "https://172.32.0.1/",
    "https://100.63.0.1/",
    "https://100.128.0.1/",
    `https://example.com/${"a".repeat(2_048 - 20)}`,
  ])("allows %s", async (url) => {
    expect(await live.judge(url)).toEqual({ verdict: "allowed" });
  });

  it.each([
    "",
    "example.com/hook",
    "/hook",
    "//example.com/hook",
    "http://example.com/hook",
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/plain,x",
    "https:example.com",
    "https:/example.com",
    "https:///example.com",
    "https:\\\\example.com\\",
    "https://example.com\\@127.0.0.1/",
    " https://example.com",
    "https://example.com/ ",
    "https://exa\tmple.com/",
    "https://exa\nmple.com/",
    "https://example.com/\u0000",
    "https://example.com/\ud800",
    "https://user@example.com/",
    "https://user:secret@example.com/",
    "https://@example.com/",
    "https://:@example.com/",
    "https://example.com/#",
    "https://example.com/#part",
    "https://example.com:0/",
    "https://example.com:65536/",
    "https://example.com:80a/",
    "https://256.256.256.256/",
    "https://[::1/",
    "https://exa mple.com/",
    "https://exa%00mple.com/",
    // What would have to be changed to be called.
    "https://münchen.example.com/",
    "https://１２７.0.0.1/",
    "https://①②⑦.0.0.1/",
    "https://127。0。0。1/",
    "https://example.com/ä",
    "https://example.com/?a=ä",
    'https://example.com/"',
    "https://example.com/<b>",
    "https://example.com/?a=>",
    "https://example.com/a\\b",
    "https://example.com/a/../b",
    "https://example.com/./b",
    "https://example.com/a/..",
    "https://example.com/a/%2E%2e/b",
    "https://example.com/a/.%2e?x",
    "https://",
    `https://example.com/${"a".repeat(2_049 - 20)}`,
  ])("calls %j malformed", async (url) => {
    expect(await live.judge(url)).toMatchObject({ verdict: "malformed", reason: expect.stringMatching(/\.$/) });
  });

  it.each([
    // Loopback, and the ways to write it.
    "https://127.0.0.1/",
    "https://127.0.0.1:8443/",
    "https://127.1/",
    "https://127.0.1/",
    "https://127.255.255.254/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://127.0.0.1./",
    "https://%31%32%37.0.0.1/",
    "https://[::1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://a.localhost/",
    // This network, private, link-local, carriers.
    "https://0.0.0.0/",
    "https://0/",
    "https://0.1.2.3/",
    "https://10.0.0.1/",
    "https://10.255.255.255/",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.168.0.1/",
    "https://192.168.255.255/",
    "https://169.254.169.254/latest/meta-data/",
    "https://2852039166/",
    "https://0xa9fea9fe/",
    "https://100.64.0.1/",
    "https://100.100.100.200/",
    "https://100.127.255.255/",
    "https://168.63.129.16/",
    // Documentation, benchmarks, relays, multicast, reserved, broadcast.
    "https://192.0.0.1/",
    "https://192.0.0.192/",
    "https://192.0.2.1/",
    "https://192.31.196.1/",
    "https://192.52.193.1/",
    "https://192.88.99.1/",
    "https://192.175.48.1/",
    "https://198.18.0.1/",
    "https://198.19.255.255/",
    "https://198.51.100.1/",
    "https://203.0.113.1/",
    "https://224.0.0.1/",
    "https://239.255.255.255/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    // IPv6: unspecified, mapped, compatible, translated, NAT64, 6to4, Teredo, local, multicast, documentation.
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[::ffff:0:10.0.0.1]/",
    "https://[::127.0.0.1]/",
    "https://[::8.8.8.8]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b::8.8.8.8]/",
    "https://[64:ff9b:1::1]/",
    "https://[100::1]/",
    "https://[2001::1]/",
    "https://[2001:2::1]/",
    "https://[2001:10::1]/",
    "https://[2001:20::1]/",
    "https://[2001:db8::1]/",
    "https://[2002:7f00:1::]/",
    "https://[2002:808:808::1]/",
    "https://[2620:4f:8000::1]/",
    "https://[3fff::1]/",
    "https://[5f00::1]/",
    "https://[fc00::1]/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::1]/",
    "https://[febf::1]/",
    "https://[fec0::1]/",
    "https://[ff02::1]/",
    "https://[4000::1]/",
    // Names that lead nowhere else than inside.
    "https://intranet/",
    "https://metadata.google.internal/computeMetadata/v1/",
    "https://printer.local/",
    "https://router.home.arpa/",
  ])("forbids %s", async (url) => {
    expect(await live.judge(url)).toMatchObject({ verdict: "forbidden", reason: expect.stringMatching(/\.$/) });
  });

  it.each([
    ["a private address", ["10.1.2.3"]],
    ["a public and a private address", [PUBLIC, "10.1.2.3"]],
    ["a public and a loopback address", [PUBLIC, "::1"]],
    ["a mapped address", ["::ffff:93.184.215.14"]],
    ["a link-local address with a zone", ["fe80::1%eth0"]],
    ["no address but a text", ["elsewhere"]],
    ["a hundred addresses", Array.from({ length: 100 }, (_, index) => `93.184.215.${index}`)],
  ])("forbids a name that resolves to %s", async (_what, addresses) => {
    const sender = createCallbackSender({ allowHttp: false, exemptHosts: [], resolve: async () => addresses });
    expect(await sender.judge("https://example.com/")).toMatchObject({ verdict: "forbidden" });
  });

  it("keeps to the configured ports, except at exempt hosts", async () => {
    const options = { allowHttp: true, exemptHosts: ["127.0.0.1"], ports: [443, 8_443], resolve: async () => [PUBLIC] };
    const sender = createCallbackSender(options);
    for (const url of ["https://example.com/", "https://example.com:443/", "https://example.com:8443/", "http://127.0.0.1:99/"])
      expect(await sender.judge(url)).toEqual({ verdict: "allowed" });
    for (const url of ["https://example.com:22/", "http://example.com/", "https://1.1.1.1:8080/"])
      expect(await sender.judge(url)).toEqual({ verdict: "forbidden", reason: "The URL's port must be 443 or 8443." });
  });

  it("lets a name pass that does not resolve just now, or whose resolver hangs", async () => {
    const failing = createCallbackSender({ allowHttp: false, exemptHosts: [], resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    const hanging = createCallbackSender({ allowHttp: false, exemptHosts: [], resolve: () => new Promise(() => {}) });
    expect(await failing.judge("https://example.com/")).toEqual({ verdict: "allowed" });
    const startedAt = Date.now();
    expect(await hanging.judge("https://example.com/")).toEqual({ verdict: "allowed" });
    expect(Date.now() - startedAt).toBeLessThan(AT_ONCE_MS);
  });

  it.each([
    "http://localhost:4000/hook",
    "http://LOCALHOST./",
    "http://127.0.0.1/",
    "https://127.0.0.1:1/",
    "http://2130706433:99/",
    "http://example.com/",
  ])("allows %s in the sandbox", async (url) => {
    expect(await sandbox.judge(url)).toEqual({ verdict: "allowed" });
  });

  it.each([
    "http://127.0.0.2/",
    "http://[::1]/",
    "http://10.0.0.1/",
    "http://localhost.example.localhost/",
    "http://169.254.169.254/",
    "http://0.0.0.0/",
  ])("forbids %s in the sandbox too", async (url) => {
    expect(await sandbox.judge(url)).toMatchObject({ verdict: "forbidden" });
  });

  it("reaches networks that were allowed on purpose, by address and by a name that is known only there, and nothing else", async () => {
    const leads: Record<string, string[]> = {
      "receiver.internal": ["10.20.0.9"],
      "v6.internal": ["fd12:3456::9"],
      "other.internal": ["10.21.0.9"],
      "mixed.internal": ["10.20.0.9", "10.21.0.9"],
      "mapped.internal": ["::ffff:10.20.0.9"],
      "metadata.google.internal": ["169.254.169.254"],
    };
    const allowedNetworks = ["10.20.0.0/16", "fd12:3456::/32"];
    const sender = createCallbackSender({ allowHttp: false, exemptHosts: [], allowedNetworks, resolve: async (host) => leads[host] ?? [] });
    for (const host of ["10.20.0.1", "[fd12:3456::1]", "receiver.internal", "v6.internal"])
      expect(await sender.judge(`https://${host}/`), host).toEqual({ verdict: "allowed" });
    const beside = ["10.21.0.1", "127.0.0.1", "[fd13::1]", "[::ffff:10.20.0.1]", "other.internal", "mixed.internal", "mapped.internal"];
    for (const host of [...beside, "metadata.google.internal"])
      expect(await sender.judge(`https://${host}/`), host).toMatchObject({ verdict: "forbidden" });
    expect(await sender.judge("http://10.20.0.1/")).toMatchObject({ verdict: "malformed" });
  });

  it("exempts hosts by name in whatever form they are listed, and nothing else", async () => {
    const exemptHosts = ["Receiver.Test", "::1", "[fd00::7]", "10.0.0.9"];
    const sender = createCallbackSender({ allowHttp: true, exemptHosts, resolve: async () => ["10.0.0.1"] });
    for (const host of ["receiver.test", "[::1]", "[fd00::7]", "10.0.0.9"])
      expect(await sender.judge(`http://${host}:81/`)).toEqual({ verdict: "allowed" });
    for (const host of ["a.receiver.test", "[fd00::8]", "10.0.0.8"])
      expect(await sender.judge(`http://${host}/`)).toMatchObject({ verdict: "forbidden" });
  });
});
