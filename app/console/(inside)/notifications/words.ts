/** Texts of these parts. */

export const PAGE = { title: "Notifications" };

export const WEBHOOK_FORM = {
  webhookRemoved: "Webhook removed",
  webhookSaved: "Webhook saved",
  removedMore: "Messages are no longer posted there.",
  savedMore: "Choose above which messages are posted there.",
  address: "Address of the webhook",
  newAddress: (host: string) => `New address to replace the one at ${host}`,
  addressHint: "Messages use Slack's format, which other chats accept too. The address is encrypted and not shown again.",
  save: "Save the webhook",
  remove: "Remove the webhook",
};

export const NOTICE_LIST = {
  latest: "Latest",
  markAllRead: "Mark all as read",
  none: "No notifications yet",
  noneMore: "Choose below what you are notified about.",
  caption: "Your notifications",
};

export const HOURS_FORM = {
  atOnce: "At once",
  hourly: "Once an hour, in one message",
  daily: "Once a day at nine, in one message",
  savedMore: "Mail and webhook messages follow these hours from now on.",
  delivery: "Mail and webhook",
  quietFrom: "Quiet from",
  quietUntil: "Quiet until",
  quietHint: "Leave both empty for no quiet hours. The bell shows notifications at any hour.",
  timeZone: "Your time zone",
  save: "Save the hours",
};

export const NOTICE_CHOICES = {
  kinds: {
    approval_waits: "A settlement waits for approval",
    second_yes: "A second person is needed",
    decision_overdue: "A decision is overdue, and you are the next to be asked",
    decision_for_absent: "A decision waits, and you are the substitute",
    callback_gave_up: "The service gave up callbacks to a receiver",
    low_balance: "A treasury wallet runs low",
    lane_halted: "Payments have been halted",
    new_place: "Someone signed in to your account from a new place",
    account_changed: "Your account was changed",
    key_changed: "A key or secret was changed",
    payee_waits: "A payout to a new payee waits",
    hold_released: "A held payment was released",
    destination_paused: "An event destination was paused",
    decided: "A decision was made",
  },
  channels: { console: "Console", mail: "Mail", webhook: "Webhook" },
  title: "What you are notified about",
  mailTo: (email: string) => `Mail goes to ${email}.`,
  noMail: "This installation sends no mail.",
  noWebhook: "Add a webhook below to use it.",
  webhook: (webhookHost: string) => `The webhook is at ${webhookHost}.`,
  hoursTitle: "When you are notified",
  webhookColumn: "Webhook",
  caption: "What you are notified about, and how",
};
