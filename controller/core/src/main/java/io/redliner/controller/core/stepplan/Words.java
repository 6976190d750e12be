// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/** Numbers for people. */
final class Words {

    private static final MathContext SHORT = new MathContext(3);

    private Words() {}

    /** Three digits. */
    static String brief(@Nullable Double number) {
        if (number == null || !Double.isFinite(number)) {
            return "unknown";
        }
        BigDecimal rounded = new BigDecimal(number).round(SHORT);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    /** A ratio as percent. */
    static String percent(double ratio) {
        return brief(100 * ratio) + " %";
    }

    /** A time. */
    static String seconds(double seconds) {
        return brief(seconds) + " s";
    }
}
