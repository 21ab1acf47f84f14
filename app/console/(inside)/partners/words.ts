export const PAGE = {
  title: "Partners",
};

export const PARTNER_LIST = {
  one: "partner",
  many: "partners",
  title: "Partners",
  searchedBy: "name or slug",
  newPartner: "New partner",
  none: "No partners yet",
};

export const PARTNER_SIGNS = {
  active: "Active",
  suspended: "Suspended",
  roles: { AGGREGATOR: "Aggregator", LIQUIDITY_PROVIDER: "Liquidity provider" } as Readonly<Record<string, string>>,
};

export const COLUMNS = {
  slug: "Slug",
  paidOut: "Paid out, 30 days",
  members: "Members",
  lastActivity: "Last activity",
};
