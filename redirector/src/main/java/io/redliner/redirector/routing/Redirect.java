// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The way in which a lease moves traffic: the requests that it applies to, and how the SUT's share of them is chosen. It is not
 * validated when it is received, see {@link #problem}.
 *
 * @param attribute that identifies the user, for the sticky modes
 * @param modulus for {@link Mode#MODULO}: the attribute modulo this decides; 0 for other modes
 * @param cohorts the lease applies to a request when one of them matches; without any, to all requests
 */
public record Redirect(Mode mode, Optional<Attribute> attribute, int modulus, List<Cohort> cohorts) {

    /** All requests, by the weights of two clusters. */
    public static final Redirect SPLIT = new Redirect(Mode.SPLIT, Optional.empty(), 0, List.of());

    /** Steps of 0.01 %, and few enough for ids that were given out one after the other. */
    public static final int DEFAULT_MODULUS = 10_000;

    private static final int MIN_MODULUS = 100;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_|~-]{1,100}");

    /** The ways in which the SUT's share is chosen. */
    public enum Mode {
        /** At random, by the weights of two clusters. */
        SPLIT(false),
        /** By the endpoints' weights in one cluster; the peers keep their proportions. */
        ENDPOINT_WEIGHT(false),
        /** By an integer attribute modulo a number; a user stays on one side. */
        MODULO(true),
        /** By the hash of an attribute; a user stays on one side. */
        HASH(true),
        /** A newer component's; not known here. */
        UNKNOWN(false);

        private final boolean sticky;

        Mode(boolean sticky) {
            this.sticky = sticky;
        }

        /** Returns whether the mode chooses users, not requests. */
        public boolean sticky() {
            return sticky;
        }
    }

    /** The attribute of a request that identifies its user. */
    public record Attribute(Source source, String name) {}

    /** The part of a request that has the attribute. */
    public enum Source {
        /** A header. */
        HEADER,
        /** A cookie. */
        COOKIE,
        /** A parameter of the query. */
        QUERY,
        /** A newer component's; not known here. */
        UNKNOWN
    }

    public Redirect {
        cohorts = List.copyOf(cohorts);
    }

    /** The reason why this redirect is not possible, with a remedy; empty when it is possible. */
    public Optional<String> problem() {
        return modeProblem().or(this::attributeProblem).or(() -> Cohort.problem(cohorts));
    }

    private Optional<String> modeProblem() {
        if (mode == Mode.UNKNOWN) {
            return Optional.of("this redirector does not know the redirect mode; upgrade it before the controller");
        }
        if (mode == Mode.MODULO && (modulus < MIN_MODULUS || modulus > Share.WHOLE_PPM)) {
            return Optional.of("modulus " + modulus + " is outside " + MIN_MODULUS + " to " + Share.WHOLE_PPM);
        }
        if (mode != Mode.MODULO && modulus != 0) {
            return Optional.of("mode " + mode + " has no modulus; leave it out");
        }
        return Optional.empty();
    }

    private Optional<String> attributeProblem() {
        if (!mode.sticky()) {
            return attribute.map(given -> "mode " + mode + " chooses requests, not users; leave the attribute out");
        }
        if (attribute.isEmpty()) {
            return Optional.of("mode " + mode + " needs the attribute that tells users apart");
        }
        Attribute given = attribute.get();
        if (given.source() == Source.UNKNOWN || (mode == Mode.MODULO && given.source() != Source.HEADER)) {
            return Optional.of("mode " + mode + " cannot read its attribute from " + given.source()
                    + "; use a header" + (mode == Mode.HASH ? ", a cookie or a query parameter" : ""));
        }
        return NAME.matcher(given.name()).matches()
                ? Optional.empty()
                : Optional.of("'" + given.name() + "' is no name of a header, cookie or parameter");
    }

    /** Returns whether the redirect leaves out some requests, which go to the peers. */
    public boolean partial() {
        return mode.sticky() || !cohorts.isEmpty();
    }

    /** Number of equal parts that the requests are divided into. */
    public int parts() {
        return mode == Mode.MODULO ? modulus : Share.WHOLE_PPM;
    }

    /** The nearest share that the mode can reach. */
    public Share attainable(Share share) {
        return new Share(Math.toIntExact(Math.round((double) share(share) * Share.WHOLE_PPM / parts())));
    }

    /** Number of {@link #parts} that is nearest to this share. */
    public int share(Share share) {
        return Math.toIntExact(Math.round((double) share.ppm() * parts() / Share.WHOLE_PPM));
    }
}
