// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// The interfaces that a screening asks, as the contracts of their kind have them: each knows the addresses that its owner has named.

/// A sanctions oracle.
contract SanctionsOracle is Ownable {
    mapping(address account => bool) private sanctioned;

    event SanctionedAddressesAdded(address[] addrs);
    event SanctionedAddressesRemoved(address[] addrs);

    constructor(address owner) Ownable(owner) {}

    function addToSanctionsList(address[] memory addresses) external onlyOwner {
        for (uint256 index = 0; index < addresses.length; index++) sanctioned[addresses[index]] = true;
        emit SanctionedAddressesAdded(addresses);
    }

    function removeFromSanctionsList(address[] memory addresses) external onlyOwner {
        for (uint256 index = 0; index < addresses.length; index++) sanctioned[addresses[index]] = false;
        emit SanctionedAddressesRemoved(addresses);
    }

    function isSanctioned(address account) external view returns (bool) {
        return sanctioned[account];
    }
}

/// Tether's blocklist, as USDT on Ethereum has it.
contract TetherBlocklist is Ownable {
    mapping(address account => bool) public isBlackListed;

    event AddedBlackList(address user);
    event RemovedBlackList(address user);

    constructor(address owner) Ownable(owner) {}

    function addBlackList(address user) external onlyOwner {
        isBlackListed[user] = true;
        emit AddedBlackList(user);
    }

    function removeBlackList(address user) external onlyOwner {
        isBlackListed[user] = false;
        emit RemovedBlackList(user);
    }
}

/// Circle's blocklist, as USDC has it.
contract CircleBlocklist is Ownable {
    mapping(address account => bool) private blacklisted;

    event Blacklisted(address indexed account);
    event UnBlacklisted(address indexed account);

    constructor(address owner) Ownable(owner) {}

    function blacklist(address account) external onlyOwner {
        blacklisted[account] = true;
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external onlyOwner {
        blacklisted[account] = false;
        emit UnBlacklisted(account);
    }

    function isBlacklisted(address account) external view returns (bool) {
        return blacklisted[account];
    }
}
