import { parseAbi } from "viem/utils";

/** The parts of the Safe contracts' interfaces that this service uses: the same in 1.3.0 and 1.4.1. */
export const SAFE_ABI = parseAbi([
  "function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)",
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool success)",
  "function swapOwner(address prevOwner, address oldOwner, address newOwner)",
  "function VERSION() view returns (string)",
  "function getOwners() view returns (address[])",
  "function getThreshold() view returns (uint256)",
  "function nonce() view returns (uint256)",
  "function getModulesPaginated(address start, uint256 pageSize) view returns (address[] page, address next)",
  "function getStorageAt(uint256 offset, uint256 length) view returns (bytes)",
]);

export const FACTORY_ABI = parseAbi([
  "function createProxyWithNonce(address masterCopy, bytes initializer, uint256 saltNonce) returns (address proxy)",
]);
