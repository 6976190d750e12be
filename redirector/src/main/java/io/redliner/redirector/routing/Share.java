// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

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

    /**
     * What the instance gets when nobody tests: its part of the weights, rounded to the nearest ppm. Where the route is its
     * owner's and its weights are listed, they count.
     */
    public static Share natural(Service service, Instance instance) {
        double part = (double) instance.weight() / service.totalWeight();
        if (service.integration() instanceof IntegrationLevel.RuntimeOnly runtime && runtime.natural().isPresent()) {
            double sut = runtime.natural().getAsDouble();
            int sutWeight = service.instance(runtime.sut().toString()).map(Instance::weight).orElse(0);
            part = instance.address().equals(runtime.sut())
                    ? sut
                    : (1 - sut) * instance.weight() / (service.totalWeight() - sutWeight);
        }
        return new Share(Math.toIntExact(Math.round(WHOLE_PPM * part)));
    }

    /** What the others get. */
    public Share rest() {
        return new Share(WHOLE_PPM - ppm);
    }
}
