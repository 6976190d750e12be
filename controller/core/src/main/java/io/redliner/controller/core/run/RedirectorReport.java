// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.ReportedLeaseState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A redirector's report of a service and of the lease it knows.
 *
 * @param reason the reason why a lease is not in force, with the name of the proxy at fault
 * @param changes of the fleet since the lease began, oldest first
 */
public record RedirectorReport(String redirector, String runId, long epoch, long leaseSequence,
        ReportedLeaseState state, String reason, List<ProxyReport> proxies, List<FleetChange> changes) {

    public RedirectorReport {
        proxies = List.copyOf(proxies);
        changes = List.copyOf(changes);
    }

    /** A report without changes of the fleet. */
    public RedirectorReport(String redirector, String runId, long epoch, long leaseSequence, ReportedLeaseState state,
            String reason, List<ProxyReport> proxies) {
        this(redirector, runId, epoch, leaseSequence, state, reason, proxies, List.of());
    }

    /** Returns true when the report is about this run and its epoch. */
    boolean concerns(RunFacts facts) {
        return runId.equals(facts.runId()) && epoch == facts.epoch();
    }

    /** Returns the run whose lease the traffic follows, or is about to follow; empty while it is natural. */
    public Optional<String> followedRun() {
        boolean followed = state == ReportedLeaseState.PENDING || state == ReportedLeaseState.APPLIED;
        return followed && !runId.isEmpty() ? Optional.of(runId) : Optional.empty();
    }

    /** Returns true when the redirector refused the lease; the previous one stays in force. */
    public boolean refused() {
        return state == ReportedLeaseState.REJECTED;
    }

    /** Returns true when a proxy is connected that could have acknowledged a lease. */
    public boolean anyProxyConnected() {
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

        /** Returns true when the reason has the text of the proxy's error, which follows the name of the refused part. */
        boolean quotedIn(String reason) {
            return !error.isEmpty() && reason.contains(error.substring(error.indexOf(": ") + 1).strip());
        }

        String describe() {
            String fault = connected ? "has not acknowledged " + wantedVersion : "is not connected";
            return "proxy " + node + " " + (error.isEmpty() ? fault : "refused: " + error);
        }
    }
}
