/** Texts of these parts. */

export const PAGE = { title: "Notifications" };

export const WEBHOOK_FORM = {
  webhookRemoved: "Webhook removed",
  webhookSaved: "Webhook saved",
  nothingPostedThere: "Messages are no longer posted there.",
  chooseAboveWhat: "Choose above which messages are posted there.",
  addressWebhook: "Address of the webhook",
  anotherAddressPlace: (host: string) => `New address to replace the one at ${host}`,
  slacksFormWhich: "Messages use Slack's format, which other chats accept too. The address is encrypted and not shown again.",
  saveWebhook: "Save the webhook",
  removeWebhook: "Remove the webhook",
};

export const TOLD = {
  what: "What",
  when: "When",
  latest: "Latest",
  markAllAs: "Mark all as read",
  nothingWantedYou: "No notifications yet",
  whatYouTold: "Choose below what you are notified about.",
  noticesCaption: "Your notifications",
};

export const HOURS_FORM = {
  once: "At once",
  onceHourTogether: "Once an hour, in one message",
  onceDayNine: "Once a day at nine, in one message",
  saved: "Saved",
  mailWebhookKeep: "Mail and webhook messages follow these hours from now on.",
  mailWebhook: "Mail and webhook",
  quietFrom: "Quiet from",
  quietUntil: "Quiet until",
  leaveBothEmpty: "Leave both empty for no quiet hours. The bell shows notifications at any hour.",
  yourTimeZone: "Your time zone",
  saveHours: "Save the hours",
};

export const WISH_LIST = {
  kinds: {
    approval_waits: "A settlement waits for approval",
    second_yes: "A second person is needed",
    callback_gave_up: "The service gave up callbacks to a receiver",
    low_balance: "A treasury wallet runs low",
    lane_halted: "Payments have been halted",
    new_place: "Someone signed in to your account from a new place",
  },
  roads: { console: "Console", mail: "Mail", webhook: "Webhook" },
  whatYouTold: "What you are notified about",
  mailGoes: (email: string) => `Mail goes to ${email}.`,
  installationSendsNo: "This installation sends no mail.",
  nameWebhookBelow: "Add a webhook below to use it.",
  webhook: (webhookHost: string) => `The webhook is at ${webhookHost}.`,
  whenYouTold: "When you are notified",
  webhookColumn: "Webhook",
  when: "When",
  noticesCaption: "What you are notified about, and how",
};
