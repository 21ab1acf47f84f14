/** Callback URLs that lead inside, each address in every form that some program reads as it. */

const V4 = [
  "127.0.0.2",
  "127.1.2.3",
  "10.0.0.1",
  "10.255.255.254",
  "172.16.0.1",
  "172.31.255.254",
  "192.168.0.1",
  "192.168.255.254",
  "169.254.169.254",
  "169.254.0.1",
  "100.64.0.1",
  "100.127.255.254",
  "0.0.0.0",
  "0.1.2.3",
  "192.0.0.1",
  "192.0.2.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
];
const V6 = [
  "::",
  "::1",
  "fe80::1",
  "febf::1",
  "fc00::1",
  "fd12:3456::1",
  "fec0::1",
  "ff02::1",
  "2001:db8::1",
  "100::1",
  "2001::1",
  "64:ff9b:1::1",
];
const NAMES = [
  "x.localhost",
  "LOCALHOST.localdomain",
  "printer.local",
  "metadata.internal",
  "metadata.google.internal",
  "router.home.arpa",
  "db.localdomain",
];

const parts = (address: string) => address.split(".").map(Number);
const whole = (address: string) => parts(address).reduce((sum, part) => sum * 256 + part, 0);
const hex = (number: number, digits: number) => number.toString(16).padStart(digits, "0");
const groups = (address: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = parts(address);
  return [hex(a * 256 + b, 4), hex(c * 256 + d, 4)] as const;
};

function formsOfV4(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = parts(address);
  const [high, low] = groups(address);
  return [
    address,
    `${address}.`,
    String(whole(address)),
    `0x${hex(whole(address), 8)}`,
    `0${whole(address).toString(8)}`,
    [a, b, c, d].map((part) => `0x${hex(part, 2)}`).join("."),
    [a, b, c, d].map((part) => `0${part.toString(8)}`).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[::${high}:${low}]`,
    `[64:ff9b::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
  ];
}

const formsOfV6 = (address: string) => [`[${address}]`, `[${address.toUpperCase()}]`, `[${address}%25eth0]`];

/** At a port on which a canary may listen. */
export function innerUrls(port: number): string[] {
  const hosts = [...V4.flatMap(formsOfV4), ...V6.flatMap(formsOfV6), ...NAMES];
  return hosts.map((host) => `http://${host}:${port}/canary`);
}
