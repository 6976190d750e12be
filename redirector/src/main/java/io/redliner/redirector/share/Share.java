// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import io.redliner.redirector.service.Instance;
import io.redliner.redirector.service.Service;

/**
 * A fraction of a service's traffic.
 *
 * @param ppm parts per million, 0 to 1 000 000
 */
public record Share(int ppm) {

    /** The whole of the traffic, in parts per million. */
    public static final int WHOLE_PPM = 1_000_000;

    public Share {
        if (ppm < 0 || ppm > WHOLE_PPM) {
            throw new IllegalArgumentException("share " + ppm + " ppm is outside 0 to " + WHOLE_PPM);
        }
    }

    /** What the instance gets when nobody tests: its part of the weights, rounded to the nearest ppm. */
    public static Share natural(Service service, Instance instance) {
        return new Share(Math.toIntExact(
                Math.round((double) WHOLE_PPM * instance.weight() / service.totalWeight())));
    }

    /** What the others get. */
    public Share rest() {
        return new Share(WHOLE_PPM - ppm);
    }
}
