/** Amounts stay the decimal texts that they came as: nothing here calculates. */

/** A JSON number as the plain decimal it was written as: every amount on the wire is read exactly, only `1e-7` must be written out. */
export function plainNumber(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign = "", first = "", rest = "", exponentText = "0"] = match;
  const digits = first + rest;
  const exponent = Number(exponentText);
  const point = 1 + exponent;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, "0")}`;
}

/** `1234567.5` as `1,234,567.50`: every digit, and at least two decimals. For eyes; what is copied is the text itself. */
export function grouped(text: string, leastDecimals = 2): string {
  const [, sign = "", whole = "", fraction = ""] = /^([+−-]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === "") return text;
  const decimals = fraction.padEnd(leastDecimals, "0");
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${decimals === "" ? "" : `.${decimals}`}`;
}
