// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Pays many recipients of one token in one transaction, with the caller's own tokens. It has no owner, no state and no upgrade, and
/// holds nothing. A member that the token refuses does not hold the others: it is logged, and moves nothing.
contract PackedTransfers {
    /// The token refused the member at this position of the call, from 0.
    event Refused(uint256 position);

    error NoToken();
    /// Too little gas was left for a member: the whole call pays nobody.
    error TooLittleGas();

    /// The most that one member may use. A token that needs more refuses its member.
    uint256 private constant MEMBER_GAS = 200_000;
    /// What must be left before each member, so that a member never fails because the caller gave too little: a 64th stays with the caller.
    uint256 private constant RESERVE = 215_000;

    /// A member is one word: the recipient in the upper 160 bits, the amount in base units in the lower 96.
    function pay(address token, uint256[] calldata members) external {
        if (token.code.length == 0) revert NoToken();
        bytes32 refused = Refused.selector;
        bytes4 tooLittle = TooLittleGas.selector;
        assembly ("memory-safe") {
            let call_ := mload(0x40)
            // transferFrom(address,address,uint256)
            mstore(call_, 0x23b872dd00000000000000000000000000000000000000000000000000000000)
            mstore(add(call_, 0x04), caller())
            let end := add(members.offset, shl(5, members.length))
            for { let at := members.offset } lt(at, end) { at := add(at, 0x20) } {
                let member := calldataload(at)
                mstore(add(call_, 0x24), shr(96, member))
                mstore(add(call_, 0x44), and(member, 0xffffffffffffffffffffffff))
                if lt(gas(), RESERVE) {
                    mstore(0x00, tooLittle)
                    revert(0x00, 0x04)
                }
                mstore(0x00, 1)
                let moved := call(MEMBER_GAS, token, 0, call_, 0x64, 0x00, 0x20)
                // An old token answers nothing; a newer one answers true. Anything else is a refusal.
                if iszero(and(moved, and(eq(mload(0x00), 1), or(iszero(returndatasize()), gt(returndatasize(), 0x1f))))) {
                    mstore(0x00, shr(5, sub(at, members.offset)))
                    log1(0x00, 0x20, refused)
                }
            }
        }
    }
}
