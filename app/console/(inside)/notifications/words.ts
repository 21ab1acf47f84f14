/** What these parts say, in one place. */

export const PAGE = { title: "Notifications" };

export const WEBHOOK_FORM = {
  webhookRemoved: "Webhook removed",
  webhookSaved: "Webhook saved",
  nothingPostedThere: "Nothing is posted there any more.",
  chooseAboveWhat: "Choose above what is posted there.",
  addressWebhook: "Address of the webhook",
  anotherAddressPlace: (host: string) => `Another address in place of the one at ${host}`,
  slacksFormWhich: "Slack's form, which other chats take too. It is kept sealed and not shown again.",
  saveWebhook: "Save the webhook",
  removeWebhook: "Remove the webhook",
};

export const TOLD = {
  what: "What",
  when: "When",
  told: "Latest",
  markAllAs: "Mark all as read",
  nothingWantedYou: "Nothing has wanted you yet",
  whatYouTold: "What you are told of is chosen below.",
  noticesCaption: "What you were told",
};

export const HOURS_FORM = {
  once: "At once",
  onceHourTogether: "Once an hour, together",
  onceDayNine: "Once a day at nine, together",
  saved: "Saved",
  mailWebhookKeep: "Mail and webhook keep to these hours from now on.",
  mailWebhook: "Mail and webhook",
  quietFrom: "Quiet from",
  quietUntil: "Quiet until",
  leaveBothEmpty: "Leave both empty for no quiet hours. The bell rings at any hour.",
  yourTimeZone: "Your time zone",
  saveHours: "Save the hours",
};

export const WISH_LIST = {
  kinds: {
    approval_waits: "A settlement waits for approval",
    second_yes: "A second person is wanted",
    callback_gave_up: "Callbacks to a receiver were given up",
    low_balance: "A treasury wallet runs low",
    lane_halted: "Payments have been halted",
    new_place: "Your account was signed in to from a new place",
  },
  roads: { console: "Console", mail: "Mail", webhook: "Webhook" },
  whatYouTold: "What you are told of",
  mailGoes: (email: string) => `Mail goes to ${email}.`,
  installationSendsNo: "This installation sends no mail.",
  nameWebhookBelow: "Name a webhook below to be told by it.",
  webhook: (webhookHost: string) => `The webhook is at ${webhookHost}.`,
  whenYouTold: "When you are told",
  webhookColumn: "Webhook",
  when: "When",
  noticesCaption: "What you are told of, and how",
};
