const formatters = new Map<string, Intl.DateTimeFormat>();

/** Whether there is a time zone of that name (`UTC`, `Africa/Nairobi`). */
export function isZone(name: string): boolean {
  try {
    return formatterOf(name) !== null;
  } catch {
    return false;
  }
}

/** An instant as ISO 8601 in that zone, with its distance from UTC: `2026-11-21T15:04:10.123+03:00`, and in UTC `…T12:04:10.123Z`. */
export function isoIn(zone: string, at: Date): string {
  if (zone === "UTC") return at.toISOString();
  const part = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const offset = part.timeZoneName === "GMT" ? "+00:00" : (part.timeZoneName ?? "").replace("GMT", "");
  const milliseconds = String(at.getUTCMilliseconds()).padStart(3, "0");
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}.${milliseconds}${offset}`;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const two = "2-digit" as const;
  const parts = { year: "numeric", month: two, day: two, hour: two, minute: two, second: two } as const;
  const made = new Intl.DateTimeFormat("en-CA", { ...parts, timeZone: zone, hourCycle: "h23", timeZoneName: "longOffset" });
  formatters.set(zone, made);
  return made;
}
