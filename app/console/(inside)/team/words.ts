export const PAGE = {
  title: "Team",
};
