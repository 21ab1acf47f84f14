import { describe, expect, it } from "vitest";
import { letterOf, MOST_TRIES, slackOf, tryAgainAt } from "./notification.ts";
import { describeAt, type Hours, isZone, USUAL_HOURS } from "./notification-hours.ts";

const at = (hours: Partial<Hours>, now: string) => describeAt({ ...USUAL_HOURS, ...hours }, new Date(now)).toISOString();

describe("when somebody is notified", () => {
  it("is at once unless they said otherwise, with the next whole hour, or at nine by their own clock", () => {
    expect(at({}, "2026-03-01T10:20:30.400Z")).toBe("2026-03-01T10:20:30.400Z");
    expect(at({ digest: "hourly" }, "2026-03-01T10:20:30.400Z")).toBe("2026-03-01T11:00:00.000Z");
    expect(at({ digest: "daily" }, "2026-03-01T08:20:30.000Z")).toBe("2026-03-01T09:00:00.000Z");
    expect(at({ digest: "daily", zone: "Africa/Nairobi" }, "2026-03-01T08:20:30.000Z")).toBe("2026-03-02T06:00:00.000Z");
  });

  it("is never in quiet hours, which may run past midnight, by the clock of the person's zone", () => {
    const night = { quietFrom: 22 * 60, quietTo: 7 * 60, zone: "Europe/Berlin" };
    expect(at(night, "2026-01-10T20:59:59.000Z")).toBe("2026-01-10T20:59:59.000Z");
    expect(at(night, "2026-01-10T21:00:00.000Z")).toBe("2026-01-11T06:00:00.000Z");
    expect(at(night, "2026-01-11T05:59:59.000Z")).toBe("2026-01-11T06:00:00.000Z");
    expect(at(night, "2026-01-11T06:00:00.000Z")).toBe("2026-01-11T06:00:00.000Z");
    expect(at({ quietFrom: 540, quietTo: 600, zone: "UTC" }, "2026-01-10T09:30:00.000Z")).toBe("2026-01-10T10:00:00.000Z");
    expect(at({ quietFrom: 540, quietTo: 540, zone: "UTC" }, "2026-01-10T09:30:00.000Z")).toBe("2026-01-10T09:30:00.000Z");
    expect(at({ ...night, digest: "hourly" }, "2026-01-10T20:30:00.000Z")).toBe("2026-01-11T06:00:00.000Z");
  });

  it("knows zones from nonsense", () => {
    expect([isZone("Asia/Manila"), isZone("UTC"), isZone("Mars/Base"), isZone("")]).toEqual([true, true, false, false]);
  });

  it("is tried again after a minute and more, so many times and no more", () => {
    const now = new Date(0);
    expect([1, 2, 3, 4, 5].map((tries) => tryAgainAt(tries, now)?.getTime() ?? null)).toEqual([
      60_000,
      300_000,
      1_800_000,
      7_200_000,
      null,
    ]);
    expect(MOST_TRIES).toBe(5);
  });
});

describe("what a notification says", () => {
  const operator = { baseUrl: "https://console.example", brand: "Service" };

  it("names the thing and leads there with one click", () => {
    const notice = { kind: "approval_waits", subjectId: "tx_1", detail: "Acme" } as const;
    expect(letterOf([notice], operator)).toEqual({
      title: "Service: A settlement of Acme waits for approval: tx_1",
      lines: [{ text: "A settlement of Acme waits for approval: tx_1", url: "https://console.example/console/approvals?tx=tx_1" }],
    });
    expect(letterOf([notice, notice], operator).title).toBe("Service: 2 things that want you");
  });

  it("lets no name write links or mentions into a chat", () => {
    const { text } = slackOf(
      letterOf([{ kind: "approval_waits", subjectId: "tx_1", detail: "<!channel> & <https://evil.example|here>" }], operator),
    );
    expect(text).not.toContain("<!channel>");
    expect(text).not.toContain("<https://evil");
    expect(text.match(/<https:/g)).toHaveLength(1);
  });
});
