// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The traffic that a lease requests, as received.
 *
 * @param sut the instance under test as {@code host:port}
 * @param sharePpm parts per million, any number
 * @param maxSharePpm the highest share that the run requests, parts per million, any number; {@link Share#WHOLE_PPM} when the
 *            sender does not name one
 * @param redirect how the share is moved
 * @param redirectFault the reason why the redirect that was sent cannot be obeyed; null when it can
 * @param natural whether no traffic is moved at all and only the layout of the test is kept
 */
public record RequestedTraffic(String sut, long sharePpm, long maxSharePpm, Redirect redirect,
        @Nullable String redirectFault, boolean natural) {

    /** Traffic of no instance. */
    static final RequestedTraffic NONE = new RequestedTraffic("", 0, 0, Redirect.SPLIT);

    /** Traffic that is moved, with a redirect that can be obeyed. */
    public RequestedTraffic(String sut, long sharePpm, long maxSharePpm, Redirect redirect) {
        this(sut, sharePpm, maxSharePpm, redirect, null, false);
    }

    /** Returns whether both ask for the same instance and redirect. */
    boolean sameRoute(RequestedTraffic other) {
        return sut.equals(other.sut) && redirect.equals(other.redirect)
                && Objects.equals(redirectFault, other.redirectFault);
    }

    /** Returns why the share is out of bounds, or empty when it is not. */
    Optional<String> outOfBounds() {
        if (sharePpm < 0 || sharePpm > Share.WHOLE_PPM) {
            return Optional.of("share " + sharePpm + " ppm is outside 0 to " + Share.WHOLE_PPM);
        }
        return sharePpm > maxSharePpm
                ? Optional.of("share " + sharePpm + " ppm is above the highest that the run asks for, " + maxSharePpm
                        + " ppm")
                : Optional.empty();
    }

    /** The share, rounded to one that the redirect's mode can reach. It has to be within its bounds. */
    Share attainable() {
        return redirect.attainable(new Share((int) sharePpm));
    }

    /** The traffic in words for people. */
    String describe() {
        return sut + ", in mode " + redirect.mode() + " with " + redirect.cohorts().size() + " cohorts, and at most "
                + maxSharePpm + " ppm";
    }
}
