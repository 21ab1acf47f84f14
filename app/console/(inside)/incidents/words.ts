/** Texts of the incidents. */

export const PAGE = { title: "Incidents" };

export const ONE = { title: "Incident" };

export const INCIDENTS = {
  now: "Now",
  noTrouble: "Nothing is wrong now",
  noTroubleMore: "When something is, it shows up here and in the line at the top of each page.",
  open: "Work on it",
  goTo: "Go to it",
  openOf: (trouble: string) => `Work on: ${trouble}`,
  since: "since {time}",
  over: "This trouble is over",
  earlier: "Earlier incidents of this trouble",
  all: "Incidents",
  caption: "Incidents, the open ones first",
  noneSoFar: "No one has opened an incident yet.",
  trouble: "Trouble",
  began: "Began",
  endedAt: "Ended",
  stillOpen: "Open",
  owner: "Who is on it",
};

export const INCIDENT = {
  lasted: (time: string) => `It lasted ${time}.`,
  lasts: "Since {time}.",
  owner: "{name} is on it ({time}).",
  take: "I am on it",
  end: "End the incident",
  endTitle: "End the incident?",
  endMeans: "The timeline is closed, and nothing more can be added. If the trouble comes back, open another incident.",
  ended: "The incident has ended",
  stopped: "What is not being paid",
  stoppedCaption: "Payments that wait, by cause",
  nothingStopped: "No payment waits.",
  cause: "Cause",
  payments: "Payments",
  causes: {
    treasury_funding: "The treasury lacks funds",
    chain_unavailable: "The chain does not answer, or is halted",
    review: "Under review",
    hold: "On hold",
  },
  steps: "Steps",
  stepsOf: "From the runbook {link}",
  noSteps: "This trouble has no runbook with steps.",
  doneBy: "{name}, {time}",
  activity: "Settlements, the last hour",
  note: "Note",
  noteHint: "For the timeline.",
  addNote: "Add the note",
  publish: "Publish it",
  publishHint:
    "The status page and every page of partners show a published note as long as the disruption lasts. Name no partner and no amount.",
  notPublished: "No, for the timeline only",
  addPublic: "Publish the note",
  timeline: "Timeline",
  export: "Export the timeline",
  kinds: {
    opened: (name: string) => `${name} opened the incident`,
    taken: (name: string) => `${name} is on it`,
    step_done: (name: string) => `${name} has done a step`,
    step_undone: (name: string) => `${name} took a step back`,
    noted: (name: string) => `${name} noted`,
    published: (name: string) => `${name} published a note`,
    ended: (name: string) => `${name} ended the incident`,
  },
};
