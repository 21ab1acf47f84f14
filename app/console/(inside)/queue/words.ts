/** Texts of a person's queue of decisions. */

export const PAGE = { title: "My queue" };

export const QUEUE = {
  summary: (yours: number, overdue: number) => {
    const waits = yours === 1 ? "1 decision waits for you" : `${yours} decisions wait for you`;
    return overdue === 0 ? `${waits}.` : `${waits}, ${overdue} ${overdue === 1 ? "is" : "are"} overdue.`;
  },
  forYou: "For you",
  forYouCaption: "Decisions that wait for you, the longest waiting first",
  forOthers: "For another person",
  forOthersCaption: "What waits for another person's yes",
  noneForYou: "Nothing waits for you",
  noneForYouMore: "Settlements, proposals, held payments and payments under review come here when you may decide them.",
  more: "These are the oldest. More follow when they are decided.",
  kinds: {
    settlement: "Settlement",
    batch: "Batch",
    proposal: "Proposal",
    hold: "Held payment",
    review: "Payment under review",
    order: "Fiat order",
  },
  verbs: { settlement: "Decide", batch: "Decide", proposal: "Confirm", hold: "Release", review: "Review", order: "Resolve" },
  open: "Open",
  about: { topup: "Top-up with an unknown outcome", withdrawal: "Withdrawal with an unknown outcome" },
  waitsSince: "Waits since",
  promised: "Promised",
  dueIn: (time: string) => `in ${time}`,
  overdueBy: (time: string) => `overdue by ${time}`,
  passedTo: "Passed on to {name}, {time}",
  passedToYou: "Passed on to you, {time}",
  verbOf: (verb: string, what: string) => `${verb}: ${what}`,
};

export const ABSENCE = {
  title: "When you are away",
  explained:
    "Until you are back, another person is asked for decisions as well, by the bell and by their own mail or webhook. It gives them no right that they lack.",
  away: "You are away until {time}. {name} is your substitute.",
  substitute: "Your substitute",
  until: "Until",
  untilWanted: "Choose a day within the next 90 days.",
  none: "No one else may decide yet.",
  save: "Set the absence",
  end: "I am back",
  ended: "Welcome back",
  endedMore: "Decisions are asked of you alone again.",
  formerColleague: "A former colleague",
};
