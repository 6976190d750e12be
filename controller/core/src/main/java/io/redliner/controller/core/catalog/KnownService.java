// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.catalog;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.catalog.ServiceReport.KnownInstance;
import io.redliner.controller.core.run.RedirectorReport.ProxyReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A service as its redirectors report it.
 *
 * @param proxies of the redirectors that reported recently
 * @param redirectors that report it
 * @param epoch the highest that any follows
 * @param elsewhere see {@link ServiceReport}
 * @param warnings problems that do not depend on which run is live: leases that no controller issued, and senders of
 *        reports that do not count; in the last minute
 */
public record KnownService(String name, List<KnownInstance> instances, KnownProxies proxies,
        KnownRedirectors redirectors, long epoch, @Nullable Share elsewhere, List<String> warnings) {

    /**
     * Returns the problems that need a person: configuration that proxies refuse, traffic that moves without a run of this
     * installation, and the warnings.
     *
     * @param liveRun the run that holds the service
     */
    public List<String> alarms(Optional<String> liveRun) {
        return Stream.of(proxies.refusals(name), redirectors.foreignRuns(name, liveRun), warnings.stream())
                .flatMap(texts -> texts).toList();
    }

    /** The addresses of its instances. */
    public List<String> addresses() {
        return instances.stream().map(KnownInstance::address).toList();
    }

    /** The addresses of its instances except the one under test. */
    public List<String> peers(String sut) {
        return addresses().stream().filter(address -> !address.equals(sut)).toList();
    }

    /** The instance with this address. */
    public Optional<KnownInstance> instance(String address) {
        return instances.stream().filter(instance -> instance.address().equals(address)).findFirst();
    }

    /** Returns true when any redirector reported recently. */
    public boolean fresh() {
        return !redirectors.names().isEmpty();
    }

    /** Returns true when a redirector that reported recently has a connected proxy, so that traffic can be moved. */
    public boolean anyProxyConnected() {
        return fresh() && proxies.listed().stream().anyMatch(KnownProxy::connected);
    }

    /**
     * The redirectors that report a service.
     *
     * @param names those that reported recently
     * @param lastSeen when any reported last
     * @param followed by redirector, the run whose lease its traffic follows
     */
    public record KnownRedirectors(List<String> names, Instant lastSeen, SortedMap<String, String> followed) {

        /** Names the runs that are not live here and for which redirectors move the service's traffic; one text for each. */
        private Stream<String> foreignRuns(String service, Optional<String> liveRun) {
            return followed.entrySet().stream()
                    .filter(one -> !Optional.of(one.getValue()).equals(liveRun))
                    .map(one -> "Redirector " + one.getKey() + " moves the traffic of " + service + " for run "
                            + one.getValue() + ", which is not live here. The kill switch gives the traffic back.");
        }
    }

    /**
     * The proxies of the redirectors that reported recently.
     *
     * @param listed at most some of each redirector's
     * @param connected how many are connected in all
     */
    public record KnownProxies(List<KnownProxy> listed, int connected) {

        /** Names the parts of a service's configuration that proxies refuse, such as a listener whose port is taken; one text each. */
        private Stream<String> refusals(String service) {
            Map<String, List<String>> nodes = new TreeMap<>();
            listed.forEach(proxy -> Optional.ofNullable(proxy.refusal())
                    .ifPresent(refusal -> nodes.computeIfAbsent(refusal, text -> new ArrayList<>()).add(proxy.node())));
            return nodes.entrySet().stream().map(refused -> (refused.getValue().size() == 1
                    ? "Proxy " + refused.getValue().getFirst() + " refuses a part of the configuration of " + service
                    : "Proxies " + String.join(", ", refused.getValue()) + " refuse a part of the configuration of "
                            + service)
                    + ": " + refused.getKey());
        }
    }

    /**
     * A proxy of one of its redirectors.
     *
     * @param refusal what it refuses of the service's configuration, with its own words; absent when nothing
     */
    public record KnownProxy(String node, boolean connected, @Nullable String refusal) {

        static KnownProxy of(ProxyReport proxy) {
            return new KnownProxy(proxy.node(), proxy.connected(), proxy.error().isEmpty() ? null : proxy.error());
        }
    }
}
