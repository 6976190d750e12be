// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Measures the natural share: the distribution of the requests while no traffic is moved, for comparison with the services file.
 * Requests are counted over all windows until the run begins to move traffic.
 *
 * @param sut requests to the SUT
 * @param service requests to any instance of the service
 * @param elsewhere further requests of the same route, which went to no instance of the service
 * @param addresses addresses that got requests elsewhere, at most five
 */
public record NaturalTraffic(long sut, long service, long elsewhere, List<String> addresses) {

    static final NaturalTraffic NONE = new NaturalTraffic(0, 0, 0, List.of());

    /**
     * Fewest requests to the SUT where the share has to be measured: it is then known to a tenth, by one standard
     * deviation.
     */
    private static final long MIN_SUT_REQUESTS = 100;

    private static final int MAX_ADDRESSES = 5;

    public NaturalTraffic {
        addresses = List.copyOf(addresses);
    }

    NaturalTraffic after(WindowVerdict verdict) {
        long requests = ShareDeviationCheck.requests(verdict);
        Elsewhere others = verdict.elsewhere();
        TreeSet<String> all = new TreeSet<>(addresses);
        all.addAll(others == null ? List.of() : others.addresses());
        return new NaturalTraffic(sut + Math.round(verdict.sut().share().ratio() * requests), service + requests,
                elsewhere + (others == null ? 0 : others.requests()), all.stream().limit(MAX_ADDRESSES).toList());
    }

    /** Returns the reasons why the run may not move traffic yet, for people; empty when it may. */
    List<String> missing(RunFacts facts) {
        List<String> missing = new ArrayList<>();
        Share declared = facts.elsewhere();
        unlistedAddresses(declared == null ? Share.NONE : declared).ifPresent(missing::add);
        if (declared != null) {
            otherShare(facts).or(() -> tooFew(facts)).ifPresent(missing::add);
        }
        return missing;
    }

    /** Returns the reason when no requests reach the SUT although other instances of its service get some; otherwise empty. */
    Optional<String> noneToSut(RunFacts facts) {
        return sut == 0 && service > 0
                ? Optional.of("none of the " + service + " requests of the service went to " + facts.sut()
                        + ", and its natural share is " + facts.naturalShare()
                        + ": does an instance listen at this address, and do the proxies call it healthy?")
                : Optional.empty();
    }

    /** Returns the fault when requests go to addresses outside of the service, because a lease would affect those as well. */
    private Optional<String> unlistedAddresses(Share declared) {
        if (declared.equals(Share.NONE)) {
            return elsewhere == 0
                    ? Optional.empty()
                    : Optional.of(part(elsewhere) + " of the route's requests go to " + String.join(", ", addresses)
                            + ", none of the service's instances, and a share would change that: list them as instances, or, "
                            + "where the route is yours, all of its clusters in runtime.weights");
        }
        return differs(elsewhere, service + elsewhere, declared, 0)
                ? Optional.of(part(elsewhere) + " of the route's requests go to clusters that are no part of the test"
                        + (addresses.isEmpty() ? "" : " (" + String.join(", ", addresses) + ")") + ", and by "
                        + "runtime.weights of the services file it is " + declared
                        + ": write the weights that the route has")
                : Optional.empty();
    }

    private Optional<String> otherShare(RunFacts facts) {
        return differs(sut, service, facts.naturalShare(), facts.redirect().grain())
                ? Optional.of(facts.sut() + " gets " + Share.ofRatio((double) sut / service)
                        + " of the service's requests when nobody tests (" + sut + " of " + service
                        + "), and by the services file it is " + facts.naturalShare()
                        + ": write the weights of your route into runtime.weights")
                : Optional.empty();
    }

    private Optional<String> tooFew(RunFacts facts) {
        double expected = service * facts.naturalShare().ratio();
        return expected < MIN_SUT_REQUESTS
                ? Optional.of("too few requests to tell the natural share: " + sut + " to " + facts.sut() + " so far, "
                        + MIN_SUT_REQUESTS + " are needed")
                : Optional.empty();
    }

    private static boolean differs(long part, long whole, Share expected, double grain) {
        return whole > 0
                && Math.abs((double) part / whole - expected.ratio()) > ShareDeviationCheck.tolerance(expected, whole)
                        + grain;
    }

    private Share part(long requests) {
        return Share.ofRatio((double) requests / Math.max(1, service + elsewhere));
    }
}
