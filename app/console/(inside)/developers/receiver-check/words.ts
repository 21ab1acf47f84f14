/** Texts of the receiver check. */

export const PAGE = {
  title: "Receiver check",
  tester: "Callback tester",
  whatIsChecked: "What is checked",
};

export const RECEIVER_CHECK = {
  lead: "Sends samples of every kind: repeated, late and several at once. Then it sends what an attacker might send: unsigned, altered and old callbacks. Their ids begin with ten zeros, and no real event is behind them. Nothing in a sample shows your receiver which check it belongs to.",
  check: "Check receiver",
  duration: "Up to a minute",
  allPassed: (count: number) => `All ${count} checks passed.`,
  somePassed: (held: number, count: number) => `${held} of ${count} checks passed.`,
  failed: "Not passed",
  notTried: (count: number) => `${count} more were not tried, because the receiver did not answer or took too long.`,
  passed: "Passed",
};
