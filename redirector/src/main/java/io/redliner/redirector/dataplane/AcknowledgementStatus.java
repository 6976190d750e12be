// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.contract.redirect.RedirectMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** The state of the acknowledgements of one service's proxies. */
public sealed interface AcknowledgementStatus {

    /** No proxy of the service is connected. */
    record NoProxies() implements AcknowledgementStatus {}

    /**
     * Not every proxy has answered yet.
     *
     * @param waitingFor the proxies that have not answered, in words for people
     * @param deadline when the first of them counts as silent; empty while only streams are missing that proxies have not
     *        opened yet
     */
    record Pending(List<String> waitingFor, Optional<Instant> deadline) implements AcknowledgementStatus {}

    /**
     * In force in the connected proxies, of which there is at least one.
     *
     * @param laggards proxies that have not acknowledged, and through which next to none of the traffic comes
     */
    record Acknowledged(List<String> laggards) implements AcknowledgementStatus {}

    /**
     * A proxy refused, or did not answer in time.
     *
     * @param reason names the proxy and quotes its answer
     */
    record Failed(String reason) implements AcknowledgementStatus {}

    /**
     * Judges the proxies' answers.
     *
     * @param service its name
     * @param wanted the version of each resource that is to be in force
     * @param since when it was sent
     * @param proxies the proxies that carry the service
     * @param timeout how long a proxy may take to answer
     * @param laggardTraffic part of the service's requests, 0 to 1: proxies that pass at most this part together need not have
     *        answered. With 0, or when the traffic of one proxy is not known, all of them must answer
     */
    static AcknowledgementStatus judge(String service, Map<ResourceKey, String> wanted, Instant since,
            List<Proxy> proxies, Duration timeout, double laggardTraffic, Instant now) {
        if (proxies.isEmpty()) {
            return new NoProxies();
        }
        for (Proxy proxy : proxies) {
            Optional<String> refusal = proxy.refusalOf(wanted);
            if (refusal.isPresent()) {
                return new Failed("proxy " + proxy.node() + " refused: " + refusal.get());
            }
        }
        List<Proxy> waiting = proxies.stream()
                .filter(proxy -> proxy.incomplete(wanted) || proxy.owesAny(wanted))
                .toList();
        if (waiting.isEmpty() || negligible(service, waiting, proxies, laggardTraffic)) {
            return new Acknowledged(waiting.stream().map(Proxy::node).toList());
        }
        Optional<Instant> first = Optional.empty();
        for (Proxy proxy : waiting.stream().filter(known -> known.owesToOpenStream(wanted)).toList()) {
            Instant deadline = later(since, proxy.answerableFrom(service)).plus(timeout);
            if (!deadline.isAfter(now)) {
                return silent(proxy, wanted, timeout);
            }
            first = first.filter(deadline::isAfter).or(() -> Optional.of(deadline));
        }
        return new Pending(waiting.stream().map(proxy -> waitingFor(proxy, wanted)).toList(), first);
    }

    /** Fails when a proxy does not support the mode of the lease: such a proxy acknowledges it, and routes otherwise. */
    static Optional<AcknowledgementStatus> unknown(RedirectMode mode, List<Proxy> proxies) {
        return proxies.stream().flatMap(proxy -> proxy.without(mode).stream().map(software -> new Failed(
                "proxy " + proxy.node() + " is " + software.name() + ", which does not know redirect mode "
                        + mode.name().toLowerCase(Locale.ROOT) + ": upgrade it, or choose another mode")))
                .<AcknowledgementStatus>map(failed -> failed).findFirst();
    }

    /** Returns whether next to none of the service's requests come through the waiting proxies. */
    private static boolean negligible(String service, List<Proxy> waiting, List<Proxy> proxies, double maxShare) {
        if (maxShare <= 0) {
            return false;
        }
        Set<Proxy> late = Set.copyOf(waiting);
        double all = 0;
        double throughLate = 0;
        for (Proxy proxy : proxies) {
            OptionalDouble requestsPerSecond = proxy.requestsPerSecond(service);
            if (requestsPerSecond.isEmpty()) {
                return false;
            }
            all += requestsPerSecond.getAsDouble();
            throughLate += late.contains(proxy) ? requestsPerSecond.getAsDouble() : 0;
        }
        return all > 0 && throughLate <= maxShare * all;
    }

    private static String waitingFor(Proxy proxy, Map<ResourceKey, String> wanted) {
        return proxy.incomplete(wanted) ? proxy.node() + " to ask for " + proxy.requestFor(wanted) : proxy.node();
    }

    private static AcknowledgementStatus silent(Proxy proxy, Map<ResourceKey, String> wanted, Duration timeout) {
        return new Failed("proxy " + proxy.node() + " did not acknowledge "
                + proxy.owing(wanted).getFirst() + " within " + timeout.toMillis() + " ms"
                + proxy.lastRefusal().map(reason -> "; its last refusal: " + reason).orElse(""));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
