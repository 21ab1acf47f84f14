import type { Permission } from "#domain/access.ts";

export const PAGE = {
  title: "Users & roles",
};

export const PEOPLE_SCREEN = {
  invite: "Invite",
  whose: "Whose",
  ofOperator: "The operator's people",
  ofPartners: "All partners' people",
  ofOne: (name: string) => `${name}'s people`,
  find: "Find",
  findHint: "Name or e-mail address",
  noneFound: (sought: string) => `No one here has “${sought}” in their name or e-mail address.`,
  none: "No one can sign in on this side yet. Invite someone.",
  more: "These are the first hundred by name. Search to narrow them down.",
};

export const PEOPLE_TABLE = {
  operator: "Operator",
  you: "(you)",
  passwordOnly: "Password only",
  unconfirmed: "Device not confirmed",
  confirmDevice: "Confirm device",
  neverSigned: "Never signed in",
  deactivate: "Deactivate",
  deactivated: "Deactivated",
  actionsOn: (name: string) => `Actions on ${name}`,
  changeRole: "Change role",
  resetTwoFactors: "Reset two factors",
  endSessions: "End all sessions",
};

export const INVITATIONS = {
  withdrawn: "Invitation withdrawn",
  withdrawOf: (email: string) => `Withdraw the invitation of ${email}`,
  invitedBy: "Invited by",
  by: (invitedBy: string) => `by ${invitedBy}`,
  linkWorksUntil: "Link works until",
  title: "Invited",
  caption: "Invitations",
  roleAt: (role: string, partner: string) => `${role}, ${partner}`,
};

export const INVITE_DIALOG = {
  sendTitle: "Send this link",
  title: "Invite someone",
  shownOnce: "This is the only time that you can see it. Anyone who has it becomes the user, so send it only to that person.",
  onlyTheirs: "Only the invited person gets the link. You do not see it.",
  mailedTo: (email: string) =>
    `Once another admin has confirmed it under Proposals, the link goes to ${email} by mail. It works once, for three days.`,
  printedFor: (email: string) =>
    `This installation sends no mail. Once another admin has confirmed it under Proposals, the person who runs the machine prints the link: invitation-link ${email}`,
  linkFor: (email: string) => `Link for ${email}`,
  side: "Side",
  theOperator: "The operator",
  makeLink: "Make the link",
  worksUntil: "It works once, until {end}. If it is lost, invite the person again.",
  needsConfirmation: "It does not work until another admin confirms it under Proposals. From then on it works once, for three days.",
};

export const DEVICES_DIALOG = {
  title: (name: string) => `Is this the device of ${name}?`,
  ask: "Ask them in a way that you know, face to face or by telephone: what is the device called, and when and where did they add it? Confirm only if it all matches. In live mode their decisions count only after this.",
  notTheirs: "If it does not match, deactivate the account, and inform the other admins.",
  devices: (name: string) => `Devices of ${name}`,
  device: "Device",
  app: "Authenticator app",
  added: "Added",
  from: "From",
  unknown: "Not recorded",
  confirm: "It is theirs",
  confirmed: "Device confirmed",
};

export const PERSON_DIALOG = {
  proposedMore: (name: string) => `${name} gets the role once another admin confirms it.`,
  isNow: (name: string, role: string) => `${name} is ${role.toLowerCase()} now`,
  permissions: {
    role: {
      title: (name: string) => `Change the role of ${name}`,
      consequence: "It applies from their next click. Their open invitations are withdrawn.",
      button: "Change role",
      done: "Role changed",
    },
    disable: {
      title: (name: string) => `Deactivate ${name}?`,
      consequence:
        "All their sessions end immediately, and they cannot sign in. The audit log keeps what they did. You can reactivate them later.",
      button: "Deactivate",
      done: "Deactivated",
    },
    enable: {
      title: (name: string) => `Reactivate ${name}?`,
      consequence: "They sign in with their old password and second factor.",
      button: "Reactivate",
      done: "Reactivated",
    },
    sessions: {
      title: (name: string) => `End all sessions of ${name}?`,
      consequence:
        "They are signed out everywhere immediately, and may sign in again. If somebody else has their password, deactivate them instead.",
      button: "End all sessions",
      done: "Sessions ended",
    },
    reset: {
      title: (name: string) => `Reset two factors of ${name}?`,
      consequence:
        "For someone who has lost their phone and recovery codes. Their password alone then signs them in, so first confirm in another way that it is really them. All their sessions end.",
      button: "Reset two factors",
      done: "Two factors reset",
    },
  },
};

export const PERMISSION_MATRIX = {
  label: "Permissions by role",
  permission: "Permission",
  yes: "Yes",
  no: "No",
  permissions: {
    "operator:read": "See everything, of all partners",
    "operator:decide_settlement": "Approve and reject settlements",
    "operator:resend_callback": "Resend callbacks, of all partners",
    "operator:administer": "Manage people, partners, keys, rates and the treasury",
    "partner:read": "See and export their partner's data",
    "partner:resend_callback": "Resend their partner's callbacks",
    "partner:manage_members": "Create and change members",
    "partner:pay": "Upload, confirm and cancel payments",
    "partner:move_fiat": "Request top-ups and withdrawals",
    "partner:manage_keys": "Create, rotate and end API keys and callback secrets",
    "partner:manage_people": "Invite and manage their partner's people",
  } satisfies Record<Permission["permission"], string>,
};
