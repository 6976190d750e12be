// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A redirector's report of a service and of the lease it knows.
 *
 * @param reason why a lease is not in force; names the proxy at fault
 * @param changes of the fleet since the lease began, oldest first
 */
public record RedirectorReport(String redirector, String runId, long epoch, long leaseSequence,
        ReportedLeaseState state,
        String reason, List<ProxyReport> proxies, List<FleetChange> changes) {

    public RedirectorReport {
        proxies = List.copyOf(proxies);
        changes = List.copyOf(changes);
    }

    /** Of a fleet that is what it was. */
    public RedirectorReport(String redirector, String runId, long epoch, long leaseSequence, ReportedLeaseState state,
            String reason, List<ProxyReport> proxies) {
        this(redirector, runId, epoch, leaseSequence, state, reason, proxies, List.of());
    }

    /** Whether it speaks of this run and of this epoch of it. */
    boolean speaksOf(RunFacts facts) {
        return runId.equals(facts.runId()) && epoch == facts.epoch();
    }

    /** Whether there is anybody who could have acknowledged something. */
    boolean anyProxyConnected() {
        return proxies.stream().anyMatch(ProxyReport::connected);
    }

    /** State, reason and the proxies that are behind, in one phrase. */
    String describe() {
        String behind = proxies.stream()
                .filter(ProxyReport::behind)
                .map(ProxyReport::describe)
                .collect(Collectors.joining(", "));
        boolean quoted = proxies.stream().anyMatch(proxy -> proxy.quotedIn(reason));
        return "redirector " + redirector + " says " + state + (reason.isEmpty() || quoted ? "" : " (" + reason + ")")
                + (behind.isEmpty() ? "" : ", " + behind);
    }

    /** One proxy of the redirector. */
    public record ProxyReport(String node, boolean connected, String ackedVersion, String wantedVersion, String error) {

        boolean behind() {
            return !connected || !error.isEmpty() || !ackedVersion.equals(wantedVersion);
        }

        /** Returns whether the reason quotes the proxy's own words, too; what it refuses stands before them. */
        boolean quotedIn(String reason) {
            return !error.isEmpty() && reason.contains(error.substring(error.indexOf(": ") + 1).strip());
        }

        String describe() {
            String fault = connected ? "has not acknowledged " + wantedVersion : "is not connected";
            return "proxy " + node + " " + (error.isEmpty() ? fault : "refused: " + error);
        }
    }
}
