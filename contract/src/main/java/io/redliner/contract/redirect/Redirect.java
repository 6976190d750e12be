// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.redirect;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a run moves, and the way in which the SUT's share of them is chosen. The others go to the SUT's peers while
 * the run lasts.
 *
 * @param attribute what distinguishes users: a header with {@link RedirectMode#MODULO}, any with
 *            {@link RedirectMode#HASH}, absent otherwise
 * @param modulus with {@link RedirectMode#MODULO}, users are distinguished by attribute modulo this, 100 to 1 000 000;
 *            absent otherwise
 * @param cohorts a request is moved when one of these matches it; without any, all are
 */
public record Redirect(RedirectMode mode, @Nullable RoutingAttribute attribute, @Nullable Integer modulus,
        List<Cohort> cohorts) {

    /** Request by request, and all of them. */
    public static final Redirect SPLIT = new Redirect(RedirectMode.SPLIT, null, null, List.of());

    /** The largest number of cohorts, and of headers or methods of a cohort: each is compared with each. */
    public static final int MAX_MATCHES = 64;

    /** The modulus of a plan that sets none. */
    public static final int USUAL_MODULUS = 10_000;

    private static final int MIN_MODULUS = 100;

    private static final int MAX_MODULUS = 1_000_000;

    /** The field that is at fault, and what is wrong with it. */
    public record Fault(String field, String message) {}

    /** @throws IllegalArgumentException when the mode does not go with the rest, or two cohorts with each other */
    public Redirect {
        cohorts = List.copyOf(cohorts);
        modulus = modulus == null && mode == RedirectMode.MODULO ? Integer.valueOf(USUAL_MODULUS) : modulus;
        Optional<Fault> fault = fault(mode, attribute, modulus);
        if (fault.isPresent()) {
            throw new IllegalArgumentException(fault.get().field() + " " + fault.get().message());
        }
        for (int index = 1; index < cohorts.size(); index++) {
            Optional<String> clash = clash(cohorts.subList(0, index), cohorts.get(index));
            if (clash.isPresent()) {
                throw new IllegalArgumentException(clash.get());
            }
        }
    }

    /** Returns true for {@link #SPLIT}, the default. */
    public boolean plain() {
        return equals(SPLIT);
    }

    /** Returns true when some requests are left out, which go to the peers. */
    public boolean partial() {
        return mode.sticky() || !cohorts.isEmpty();
    }

    /** Returns the number of equal parts that the requests are divided into. */
    public int parts() {
        return modulus == null ? Share.WHOLE_PPM : modulus;
    }

    /** Returns the number of {@link #parts} that is nearest to this share. */
    public int parts(Share share) {
        return Math.toIntExact(Math.round((double) share.ppm() * parts() / Share.WHOLE_PPM));
    }

    /** Returns the nearest share that the mode can reach. */
    public Share attainable(Share share) {
        return new Share(Math.toIntExact(Math.round((double) parts(share) * Share.WHOLE_PPM / parts())));
    }

    /** Returns the smallest step between two shares, a ratio; 0 when the mode rounds by less than matters. */
    public double grain() {
        return modulus == null ? 0 : 1.0 / modulus;
    }

    /** Returns the reason why the mode does not go with the rest; empty when it does. */
    public static Optional<Fault> fault(RedirectMode mode, @Nullable RoutingAttribute attribute,
            @Nullable Integer modulus) {
        if (modulus != null && mode != RedirectMode.MODULO) {
            return Optional.of(new Fault("modulus", "is only for mode modulo"));
        }
        if (modulus != null && (modulus < MIN_MODULUS || modulus > MAX_MODULUS)) {
            return Optional.of(
                    new Fault("modulus", "must be between " + MIN_MODULUS + " and " + MAX_MODULUS));
        }
        return switch (mode) {
            case SPLIT, ENDPOINT_WEIGHT -> attribute == null
                    ? Optional.empty()
                    : Optional.of(new Fault("attribute", "is only for the modes modulo and hash"));
            case MODULO -> attribute != null && attribute.source() == RoutingAttribute.Source.HEADER
                    ? Optional.empty()
                    : Optional.of(new Fault("attribute", "must name a header for mode modulo"));
            case HASH -> attribute != null
                    ? Optional.empty()
                    : Optional
                            .of(new Fault("attribute", "must name a header, cookie or query parameter for mode hash"));
        };
    }

    /** Returns the reason why a cohort cannot be added to the ones before it; empty when it can. */
    public static Optional<String> clash(List<Cohort> before, Cohort cohort) {
        if (before.stream().anyMatch(other -> other.name().equals(cohort.name()))) {
            return Optional.of("a second cohort is named '" + cohort.name() + "'");
        }
        return before.stream()
                .filter(cohort::overlaps)
                .findFirst()
                .map(other -> "cohort '" + cohort.name() + "' may match the same request as cohort '" + other.name()
                        + "': one header, path, gRPC method or method must tell them apart");
    }
}
