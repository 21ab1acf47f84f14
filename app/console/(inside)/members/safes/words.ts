export const PAGE = {
  title: "Safe deployments",
};

export const DEPLOYMENT = {
  title: "Safe deployment",
};

export const DEPLOYMENT_LIST = {
  many: "deployments",
  deploy: "Deploy",
  none: "No deployments yet",
  noneMore: "The service deploys a Safe for each member without a wallet of its own.",
  deployment: "Deployment",
};

export const DEPLOY_WIZARD = {
  title: "Deploy a contract",
  owners: "Owners",
  ownersHint: "One address a line",
  thresholdWanted: "Enter at least 1 and at most the number of owners.",
  ownerWanted: "Enter at least one owner.",
  noAddress: (wrong: string) => `${wrong} is not an address.`,
  ownerTwice: "Enter each owner only once.",
  deploy: (kind: string) => `Deploy ${kind.toLowerCase()}`,
  thresholdHint: (owners: number) => `How many of ${owners === 0 ? "the" : `the ${owners}`} owners must sign`,
  ownersOf: (count: number) => (count === 1 ? "Owner" : "Owners"),
  thresholdOf: (threshold: number, count: number) => `${threshold} of ${count}`,
  warning: "Deploying spends gas from the treasury and cannot be undone.",
  open: "Open the deployment",
};

export const DEPLOYMENT_STORY = {
  thresholdOf: (threshold: number, count: number) => `${threshold} of ${count}`,
  noRecipient: "None: the transaction creates the contract",
  receiver: "receiver",
  gasLimit: "Gas limit",
  chainId: "Chain id",
  dataLabel: "Data of the transaction",
  data: (bytes: string) => `Data, ${bytes} bytes`,
  ownersOf: (count: number) => (count === 1 ? "Owner" : "Owners"),
};

/** Its owner: the operator, all Safes together, or a member. */
export const PURPOSES = {
  member: "A member's Safe",
  shared: "For all Safes of the chain",
  operator: "The operator's own",
};

export const DEPLOYMENT_PAGE = {
  safes: "Safes",
  theService: "the service",
};

export const KINDS = {
  safe: "Safe",
  master_copy: "Master contract",
  proxy_factory: "Proxy factory",
  fallback_handler: "Fallback handler",
  owner_swap: "New owner",
};

export const STATES = {
  asked: "Queued",
  owed: "On its way",
  made: "Being checked",
  deployed: "Deployed",
  failed: "Failed",
};
