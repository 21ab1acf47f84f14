// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Tokens that answer a transfer in another way than the standard says, as some that are in use do.
contract OddToken {
    enum Answer { Nothing, False, Short, EndlessGas, HugeRevert }

    Answer private immutable ANSWER;
    /// The answer is for this recipient alone; others are paid.
    address private immutable ODD_RECIPIENT;
    mapping(address wallet => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    constructor(Answer answer, address oddRecipient) {
        ANSWER = answer;
        ODD_RECIPIENT = oddRecipient;
    }

    function mint(address wallet, uint256 amount) external {
        balanceOf[wallet] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        if (to == ODD_RECIPIENT) {
            if (ANSWER == Answer.False) _answer(32, 0);
            if (ANSWER == Answer.Short) _answer(4, type(uint256).max);
            if (ANSWER == Answer.EndlessGas) for (;;) {}
            if (ANSWER == Answer.HugeRevert) {
                assembly {
                    revert(0, 60000)
                }
            }
        }
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
        if (ANSWER != Answer.Nothing) _answer(32, 1);
    }

    function _answer(uint256 size, uint256 value) private pure {
        assembly {
            mstore(0, value)
            return(0, size)
        }
    }
}
