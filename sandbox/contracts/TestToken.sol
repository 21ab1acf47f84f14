// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// A stablecoin as the sandbox needs it: like the real ones it has six decimals, can be paused, and refuses blocked wallets.
contract TestToken is ERC20, Pausable, Ownable {
    mapping(address wallet => bool) public isBlocked;

    event Blocked(address indexed wallet);
    event Unblocked(address indexed wallet);

    constructor(string memory name, string memory symbol, address owner, address blockedFromTheStart)
        ERC20(name, symbol)
        Ownable(owner)
    {
        _block(blockedFromTheStart);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address wallet, uint256 amount) external onlyOwner {
        _mint(wallet, amount);
    }

    function pause() external onlyOwner {
        _pause();
    }

    function unpause() external onlyOwner {
        _unpause();
    }

    function blockWallet(address wallet) external onlyOwner {
        _block(wallet);
    }

    function unblockWallet(address wallet) external onlyOwner {
        isBlocked[wallet] = false;
        emit Unblocked(wallet);
    }

    function _block(address wallet) private {
        isBlocked[wallet] = true;
        emit Blocked(wallet);
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(!paused(), "Token: transfers are paused");
        require(!isBlocked[from], "Token: the sending wallet is blocklisted");
        require(!isBlocked[to], "Token: the receiving wallet is blocklisted");
        super._update(from, to, amount);
    }
}
