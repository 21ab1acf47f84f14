/** Texts of the workbench. */

export const WORKBENCH = {
  title: "Workbench",
  aboutSettlement: "About {id}",
  requests: "Requests",
  send: "Send a request",
  noRequests: "No request yet",
  noRequestsMore: "Requests of the last hour show up here as they come.",
  noCallbacks: "No callback yet",
  states: { delivered: "Delivered", pending: "Pending", undelivered: "Undelivered" },
};

export const SEND = {
  explained: "Your browser signs the request and sends it with your key. The secret stays in this form and is gone when you close it.",
  method: "Method",
  target: "Path and query",
  targetWanted: "Enter a path of this service, such as /api/v1/pairs.",
  body: "Body",
  keyId: "API key",
  secret: "API secret",
  send: "Sign and send",
  noAnswer: "There was no answer. If the request changes something, look whether it arrived before you send it again.",
  answer: "Answer",
  answered: "{status} after {took} ms",
  inLog: "In the API log",
};
