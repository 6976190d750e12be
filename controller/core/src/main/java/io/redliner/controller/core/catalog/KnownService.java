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
 * @param reports of the redirectors that reported recently, the newest first
 * @param best the report that tells its instances: of a redirector with a connected proxy, when there is one
 * @param lastSeen when any redirector reported last
 * @param followed by redirector, the run whose lease its traffic follows
 * @param epoch the highest that any follows
 * @param warnings problems that do not depend on which run is live: leases that no controller issued, and senders of
 *        reports that do not count; in the last minute
 */
public record KnownService(String name, List<ServiceReport> reports, ServiceReport best, Instant lastSeen,
        SortedMap<String, String> followed, long epoch, List<String> warnings) {

    /**
     * Returns the problems that need a person: configuration that proxies refuse, traffic that moves without a run of this
     * installation, and the warnings.
     *
     * @param liveRun the run that holds the service
     */
    public List<String> alarms(Optional<String> liveRun) {
        return Stream.of(refusals(), foreignRuns(liveRun), warnings.stream()).flatMap(texts -> texts).toList();
    }

    public List<KnownInstance> instances() {
        return best.instances();
    }

    /** See {@link ServiceReport}. */
    public @Nullable Share elsewhere() {
        return best.elsewhere();
    }

    /** The names of the redirectors that reported recently. */
    public List<String> redirectors() {
        return reports.stream().map(ServiceReport::redirector).sorted().toList();
    }

    /** The proxies of the redirectors that reported recently, at most some of each. */
    public List<ProxyReport> proxies() {
        return reports.stream().flatMap(report -> report.lease().proxies().stream()).toList();
    }

    /** The number of all connected proxies of these redirectors. */
    public int proxiesConnected() {
        return reports.stream().mapToInt(ServiceReport::proxiesConnected).sum();
    }

    /** The addresses of its instances. */
    public List<String> addresses() {
        return instances().stream().map(KnownInstance::address).toList();
    }

    /** The addresses of its instances except the one under test. */
    public List<String> peers(String sut) {
        return addresses().stream().filter(address -> !address.equals(sut)).toList();
    }

    /** The instance with this address. */
    public Optional<KnownInstance> instance(String address) {
        return instances().stream().filter(instance -> instance.address().equals(address)).findFirst();
    }

    /** Returns true when any redirector reported recently. */
    public boolean fresh() {
        return !reports.isEmpty();
    }

    /** Returns true when a redirector that reported recently has a connected proxy, so that traffic can be moved. */
    public boolean anyProxyConnected() {
        return proxies().stream().anyMatch(ProxyReport::connected);
    }

    /** Names the runs that are not live here and for which redirectors move the service's traffic; one text for each. */
    private Stream<String> foreignRuns(Optional<String> liveRun) {
        return followed.entrySet().stream()
                .filter(one -> !Optional.of(one.getValue()).equals(liveRun))
                .map(one -> "Redirector " + one.getKey() + " moves the traffic of " + name + " for run "
                        + one.getValue() + ", which is not live here. The kill switch gives the traffic back.");
    }

    /** Names the parts of the service's configuration that proxies refuse, such as a listener whose port is taken; one text each. */
    private Stream<String> refusals() {
        Map<String, List<String>> nodes = new TreeMap<>();
        proxies().stream().filter(proxy -> !proxy.error().isEmpty())
                .forEach(proxy -> nodes.computeIfAbsent(proxy.error(), text -> new ArrayList<>()).add(proxy.node()));
        return nodes.entrySet().stream().map(refused -> (refused.getValue().size() == 1
                ? "Proxy " + refused.getValue().getFirst() + " refuses"
                : "Proxies " + String.join(", ", refused.getValue()) + " refuse")
                + " a part of the configuration of " + name + ": " + refused.getKey());
    }
}
