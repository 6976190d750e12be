// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers in sentences for people. */
final class Numbers {

    private Numbers() {}

    /** Four significant digits, no exponent. */
    static String brief(double number) {
        if (!Double.isFinite(number)) {
            return Double.toString(number);
        }
        return new BigDecimal(number, new MathContext(4, RoundingMode.HALF_UP)).stripTrailingZeros().toPlainString();
    }
}
