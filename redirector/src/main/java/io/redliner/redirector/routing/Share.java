// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import io.redliner.contract.redirect.Redirect;
import java.util.Optional;
import java.util.OptionalDouble;

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
     * The share that an instance gets while no test is running: its part of the weights, rounded to the nearest ppm. For an
     * owner's route with listed weights, those count.
     */
    public static Share natural(Service service, Instance instance) {
        double part = (double) instance.weight() / service.totalWeight();
        OptionalDouble sutsPart = service.integration().ownersRoute().map(IntegrationLevel.OwnersRoute::sut)
                .orElse(OptionalDouble.empty());
        Optional<HostPort> sut = service.integration().capabilities().onlySut();
        if (sutsPart.isPresent() && sut.isPresent()) {
            int sutWeight = service.instance(sut.get().toString()).map(Instance::weight).orElse(0);
            part = instance.address().equals(sut.get())
                    ? sutsPart.getAsDouble()
                    : (1 - sutsPart.getAsDouble()) * instance.weight() / (service.totalWeight() - sutWeight);
        }
        return new Share(Math.toIntExact(Math.round(WHOLE_PPM * part)));
    }

    /** The nearest share that the redirect can reach. */
    public Share attainable(Redirect redirect) {
        return new Share(Math.toIntExact(Math.round((double) parts(redirect) * WHOLE_PPM / redirect.parts())));
    }

    /** The number of {@link Redirect#parts} that is nearest to this share. */
    public int parts(Redirect redirect) {
        return Math.toIntExact(Math.round((double) ppm * redirect.parts() / WHOLE_PPM));
    }

    /** The share of all other instances. */
    public Share rest() {
        return new Share(WHOLE_PPM - ppm);
    }
}
