import type { Permission } from "#domain/access.ts";
import type { Role } from "./roles.ts";

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
  noneFound: (sought: string) => `Nobody here has “${sought}” in name or address.`,
  none: "Nobody signs in on this side yet. Invite somebody.",
  more: "These are the first hundred by name: search to narrow them down.",
  rights: "What each role may do",
};

export const PEOPLE_TABLE = {
  name: "Name",
  role: "Role",
  partner: "Partner",
  operator: "Operator",
  twoFactors: "Two factors",
  lastActive: "Last active",
  state: "State",
  people: "People",
  you: "(you)",
  passwordOnly: "Password only",
  neverSigned: "Never signed in",
  active: "Active",
  shutOut: "Shut out",
  actionsOn: (name: string) => `Actions on ${name}`,
  changeRole: "Change role",
  resetTwoFactors: "Reset two factors",
  letAgain: "Let in again",
};

export const INVITATIONS = {
  withdrawn: "Invitation withdrawn",
  withdraw: "Withdraw",
  withdrawOf: (email: string) => `Withdraw the invitation of ${email}`,
  eMailAddress: "E-mail address",
  role: "Role",
  invitedBy: "Invited by",
  by: (invitedBy: string) => `by ${invitedBy}`,
  linkWorksUntil: "Link works until",
  title: "Invited",
  caption: "Invitations",
  runOut: "Has run out",
  roleAt: (role: string, partner: string) => `${role}, ${partner}`,
};

export const INVITE_DIALOG = {
  sendTitle: "Send this link",
  title: "Invite somebody",
  sendMeans: "This is the only time that you can see it. Whoever has it becomes the user: send it to that person alone.",
  linkFor: (email: string) => `Link for ${email}`,
  done: "Done",
  eMailAddress: "E-mail address",
  side: "Side",
  theOperator: "The operator",
  role: "Role",
  makeLink: "Make the link",
  worksUntil: "It works once, until {end}. When it is lost, invite again.",
  notYet: "It leads nowhere before another admin has confirmed it under Proposals; from then on it works once, for three days.",
};

export const PERSON_DIALOG = {
  proposed: "Proposed",
  proposedMore: (name: string) => `${name} has the role once another admin has confirmed it.`,
  isNow: (name: string, role: string) => `${name} is ${role.toLowerCase()} now`,
  role: "Role",
  permissions: {
    role: {
      title: (name: string) => `Change the role of ${name}`,
      consequence: "It holds from their very next click. What they have invited others to is withdrawn.",
      button: "Change role",
      done: "Role changed",
    },
    disable: {
      title: (name: string) => `Shut ${name} out?`,
      consequence:
        "All their sessions end at once, and they cannot sign in. What they did stays in the audit log. You can let them in again.",
      button: "Shut out",
      done: "Shut out",
    },
    enable: {
      title: (name: string) => `Let ${name} in again?`,
      consequence: "They sign in with the password and the second factor that they had.",
      button: "Let in again",
      done: "Let in again",
    },
    reset: {
      title: (name: string) => `Reset two factors of ${name}?`,
      consequence:
        "For who has lost phone and recovery codes. The password alone signs them in then, so make sure by another way that it is them who asks. All their sessions end.",
      button: "Reset two factors",
      done: "Two factors reset",
    },
  },
};

export const PERMISSION_MATRIX = {
  label: "Permissions by role",
  caption: "What each role may do",
  permission: "Permission",
  yes: "Yes",
  no: "No",
  permissions: {
    "operator:read": "See everything, of all partners",
    "operator:decide_settlement": "Approve and reject settlements",
    "operator:resend_callback": "Resend callbacks, of all partners",
    "operator:administer": "Manage people, partners, keys, rates and the treasury",
    "partner:read": "See and export what is their partner's",
    "partner:resend_callback": "Resend their partner's callbacks",
    "partner:manage_members": "Create and change members",
    "partner:move_fiat": "Request top-ups and withdrawals",
    "partner:manage_keys": "Create, rotate and end API keys and callback secrets",
    "partner:manage_people": "Invite and manage their partner's people",
  } satisfies Record<Permission["permission"], string>,
};

export const ROLES = {
  admin: "Admin",
  approver: "Approver",
  viewer: "Viewer",
  owner: "Owner",
  staff: "Staff",
} satisfies Record<Role, string>;
