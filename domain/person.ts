import type { UserRole } from "./access.ts";

/** Somebody who signs in, as lists show them. */
export type ListedPerson = {
  id: string;
  email: string;
  name: string;
  role: UserRole;
  /** null: one of the operator's. */
  partnerId: string | null;
  partnerName: string | null;
  hasTotp: boolean;
  createdAt: Date;
  disabledAt: Date | null;
  /** Real time; null: never signed in. */
  lastActiveAt: Date | null;
};

/** Somebody who may become a user. Times are real time. */
export type ListedInvitation = {
  id: string;
  email: string;
  role: UserRole;
  partnerId: string | null;
  partnerName: string | null;
  invitedBy: string;
  inviterName: string;
  createdAt: Date;
  expiresAt: Date;
};
