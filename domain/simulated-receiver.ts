/** What the sandbox's receivers of callbacks answer, by the last part of the callback URL's path. */
export const SIMULATED_RECEIVERS = {
  well: "200, always",
  "fails-three-times": "500 three times, then 200",
  never: "500, always",
  unavailable: "503 four times, then 200",
  unauthorized: "401, always",
  moved: "302 to another address, which the service does not follow",
  hangs: "nothing: the connection stays open until the service gives up the attempt",
} as const;
export type SimulatedReceiver = keyof typeof SIMULATED_RECEIVERS;

/** The answer to the attempt of this number, from 1; null: none. Undefined: there is no such receiver. */
export function simulatedAnswer(name: string, attempt: number): { status: number; headers?: Record<string, string> } | null | undefined {
  switch (name) {
    case "well":
      return { status: 200 };
    case "fails-three-times":
      return { status: attempt <= 3 ? 500 : 200 };
    case "never":
      return { status: 500 };
    case "unavailable":
      return { status: attempt <= 4 ? 503 : 200 };
    case "unauthorized":
      return { status: 401 };
    case "moved":
      return { status: 302, headers: { location: "/well" } };
    case "hangs":
      return null;
    default:
      return undefined;
  }
}
