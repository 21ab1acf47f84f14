export const PAGE = {
  title: "Partners",
};

export const PARTNER_LIST = {
  one: "partner",
  many: "partners",
  searchedBy: "name or slug",
  none: "No partners yet",
  newestFirst: "newest first",
};

export const PARTNER_SIGNS = {
  suspended: "Suspended",
  roles: { AGGREGATOR: "Aggregator", LIQUIDITY_PROVIDER: "Liquidity provider" } as Readonly<Record<string, string>>,
};
