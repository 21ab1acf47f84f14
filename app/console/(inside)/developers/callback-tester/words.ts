export const PAGE = {
  title: "Callback tester",
  howToReceive: "How to receive",
  checkReceiver: "Check receiver",
};

export const CALLBACK_TESTER = {
  lead: "One callback about nothing, signed with your secrets and sent once, just as a real one is. Its ids begin with ten zeros: your receiver may know it by them and do nothing.",
  kind: "Kind",
  sendTo: "Send to",
  urlHint: "The URL of your receiver",
  urlFilled: "Filled in from your newest settlement",
  urlWanted: "Where is it to go?",
  sendSample: "Send sample",
  taken: "Your receiver took it.",
  triedAgain: "A real callback would be tried again after this.",
  result: "What came of it",
  callbackId: "Callback id",
  theCallbackId: "callback id",
  sent: "Sent",
  event: (name: string, event: string) => `${name} (${event})`,
  took: (milliseconds: string) => `${milliseconds} ms`,
};

export const WAITING = {
  label: "Of the 30 seconds that the receiver has",
  gone: (seconds: number, most: number) => `${seconds} of ${most} s`,
};
