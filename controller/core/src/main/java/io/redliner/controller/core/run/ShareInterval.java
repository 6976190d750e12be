// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.NumberText;

/**
 * The 95 % confidence interval of a share that was measured on some requests: the score interval of E. B. Wilson, Probable
 * Inference, the Law of Succession, and Statistical Inference, Journal of the American Statistical Association 22 (1927),
 * p. 209-212. With the measured share p of n requests and z = 1.96 it is
 *
 * <pre>
 * (p + z^2 / 2n +- z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n)
 * </pre>
 *
 * It stays within 0 and 1, and is valid for few requests and for shares near 0, too.
 *
 * @param low ratio
 * @param high ratio
 */
public record ShareInterval(double low, double high) {

    /** The standard normal distribution has 95 % between -Z and Z. */
    private static final double Z = 1.959963984540054;

    static ShareInterval of(Share share, long requests) {
        if (requests <= 0) {
            throw new IllegalArgumentException("a share of " + requests + " requests");
        }
        double p = share.ratio();
        double z2 = Z * Z / requests;
        double half = Z * Math.sqrt(p * (1 - p) / requests + z2 / (4.0 * requests));
        double whole = 1 + z2;
        return new ShareInterval(Math.max(0, (p + z2 / 2 - half) / whole), Math.min(1, (p + z2 / 2 + half) / whole));
    }

    /** The interval in percent, for people. */
    String describe() {
        return NumberText.brief(100 * low) + "% to " + NumberText.brief(100 * high) + "%";
    }
}
