/** What the check of a receiver says, in one place. */

export const PAGE = {
  title: "Receiver check",
  tester: "Callback tester",
  whatIsChecked: "What is checked",
};

export const RECEIVER_CHECK = {
  lead: "Samples of every kind, repeated, late and several at once, and then what somebody else might send: unsigned, altered, old. They tell about nothing; their ids begin with ten zeros. Your receiver is not told which is which.",
  receiver: "Receiver",
  urlHint: "The URL of your receiver",
  urlFilled: "Filled in from your newest settlement",
  urlWanted: "Which one?",
  check: "Check receiver",
  takes: "Up to a minute",
  allPassed: (count: number) => `All ${count} checks passed.`,
  somePassed: (held: number, count: number) => `${held} of ${count} checks passed.`,
  result: "What came of it",
  failed: "Not passed",
  untried: (count: number) => `${count} more were not tried: nobody answered, or it took too long.`,
  passed: "Passed",
};
