import type { FailedTransactionMetadata } from "litesvm";

/** A failure as JSON-RPC writes it: a name, or an object with details. */
export type TransactionFault = string | Readonly<Record<string, unknown>>;

/** The runtime's numbers for failures without details, in its order. */
const TRANSACTION_FAULTS = words(`
  AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee InvalidAccountForFee AlreadyProcessed BlockhashNotFound
  CallChainTooDeep MissingSignatureForFee InvalidAccountIndex SignatureFailure InvalidProgramForExecution SanitizeFailure ClusterMaintenance
  AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount WouldExceedMaxAccountCostLimit
  WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound InvalidAddressLookupTableOwner InvalidAddressLookupTableData
  InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit WouldExceedAccountDataTotalLimit
  MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded InvalidLoadedAccountsDataSizeLimit UnbalancedTransaction ProgramCacheHitMaxLimit
  CommitCancelled
`);
const INSTRUCTION_FAULTS = words(`
  GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall InsufficientFunds IncorrectProgramId
  MissingRequiredSignature AccountAlreadyInitialized UninitializedAccount UnbalancedInstruction ModifiedProgramId ExternalAccountLamportSpend
  ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified DuplicateAccountIndex ExecutableModified RentEpochModified
  NotEnoughAccountKeys AccountDataSizeChanged AccountNotExecutable AccountBorrowFailed AccountBorrowOutstanding DuplicateAccountOutOfSync InvalidError
  ExecutableDataModified ExecutableLamportChange ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth MissingAccount ReentrancyNotAllowed
  MaxSeedLengthExceeded InvalidSeeds InvalidRealloc ComputationalBudgetExceeded PrivilegeEscalation ProgramEnvironmentSetupFailure
  ProgramFailedToComplete ProgramFailedToCompile Immutable IncorrectAuthority AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow
  UnsupportedSysvar IllegalOwner MaxAccountsDataAllocationsExceeded MaxAccountsExceeded MaxInstructionTraceLengthExceeded
  BuiltinProgramsMustConsumeComputeUnits BorshIoError
`);

/** The runtime's failure in the words of JSON-RPC. */
export function faultOf(failed: FailedTransactionMetadata): TransactionFault {
  const fault = failed.err();
  if (typeof fault === "number") return TRANSACTION_FAULTS[fault] ?? "SanitizeFailure";
  if ("err" in fault) {
    const inner = fault.err();
    const named =
      typeof inner === "number" ? (INSTRUCTION_FAULTS[inner] ?? "GenericError") : "code" in inner ? { Custom: inner.code } : "BorshIoError";
    return { InstructionError: [fault.index, named] };
  }
  if ("index" in fault) return { DuplicateInstruction: fault.index };
  return { InsufficientFundsForRent: { account_index: fault.accountIndex } };
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
