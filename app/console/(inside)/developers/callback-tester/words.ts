export const PAGE = {
  title: "Callback tester",
  howToReceive: "How to receive",
  checkReceiver: "Check receiver",
};

export const CALLBACK_TESTER = {
  lead: "Sends one sample callback, signed with your secrets like a real one. The service does not retry it. Its ids begin with ten zeros, so your receiver can recognise it and take no action.",
  kind: "Kind",
  sendTo: "Send to",
  sendSample: "Send sample",
  accepted: "Your receiver accepted it.",
  wouldRetry: "The service would retry a real callback after this.",
  callbackId: "Callback id",
  theCallbackId: "callback id",
  sent: "Sent",
  event: (name: string, event: string) => `${name} (${event})`,
  took: (milliseconds: string) => `${milliseconds} ms`,
};

export const WAITING = {
  label: "Time used of the receiver's 30 seconds",
  elapsed: (seconds: number, most: number) => `${seconds} of ${most} s`,
};
