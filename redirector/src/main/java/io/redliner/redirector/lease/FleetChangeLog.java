// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.FleetChange.Kind;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.Service;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The changes of one service's fleet since its lease began. Confined to one thread. */
final class FleetChangeLog {

    private static final int MAX_CHANGES = 50;

    /** Times at which the current ejections were noticed, by node id and instance. Kept also while no lease is in force. */
    private final Map<List<String>, Instant> out = new HashMap<>();

    private final List<FleetChange> changes = new ArrayList<>();

    /** Starts a new log for a lease that begins, with the current ejections. */
    void restart() {
        changes.clear();
        out.entrySet().stream().sorted(Comparator.comparing(ejected -> ejected.getKey().toString()))
                .forEach(ejected -> add(Kind.EJECTED, ejected.getKey().get(1), ejected.getValue(),
                        ejectedBy(ejected.getKey().get(0))));
    }

    void changed(Service before, Service after, Instant now) {
        for (Instance instance : before.instances()) {
            Optional<Instance> same = after.instance(instance.address().toString());
            if (same.isEmpty()) {
                add(Kind.REMOVED, instance.address().toString(), now, "it is not listed any more");
            } else if (same.get().weight() != instance.weight()) {
                add(Kind.REWEIGHTED, instance.address().toString(), now,
                        "weight " + instance.weight() + " became " + same.get().weight());
            }
        }
        for (Instance instance : after.instances()) {
            if (before.instance(instance.address().toString()).isEmpty()) {
                add(Kind.ADDED, instance.address().toString(), now, "it is listed now");
            }
        }
    }

    /** Records that a proxy ejected an instance, or sends it requests again. */
    void ejected(String node, String address, boolean isOut, boolean held, Instant now) {
        List<String> where = List.of(node, address);
        boolean changed = isOut ? out.putIfAbsent(where, now) == null : out.remove(where) != null;
        if (changed && held) {
            add(isOut ? Kind.EJECTED : Kind.RETURNED, address, now,
                    isOut ? ejectedBy(node) : "proxy " + node + " sends it requests again, or says nothing more of it");
        }
    }

    /**
     * The reason why a test would send requests to unhealthy instances, or empty. A proxy that finds less than half of a cluster
     * healthy sends to all of it (Envoy's panic mode). The cluster of the instance under test has one instance; the natural
     * cluster has more.
     */
    Optional<String> unfit(Service service, Instance sut) {
        return out.keySet().stream().map(List::getFirst).distinct().sorted()
                .flatMap(node -> unfit(node, service.peersOf(sut), sut).stream()).findFirst();
    }

    private Optional<String> unfit(String node, List<Instance> peers, Instance sut) {
        String wayOut = ", by its health checks or ejections. Start a run when they are healthy there";
        if (isOut(node, sut)) {
            return Optional.of("proxy " + node + " has no healthy instance in the cluster of the instance under test, "
                    + sut.address() + wayOut);
        }
        long healthy = peers.stream().filter(peer -> !isOut(node, peer)).count();
        return 2 * healthy < peers.size()
                ? Optional.of("proxy " + node + " has " + healthy + " healthy of " + peers.size()
                        + " instances in the cluster of the peers of " + sut.address() + wayOut)
                : Optional.empty();
    }

    private boolean isOut(String node, Instance instance) {
        return out.containsKey(List.of(node, instance.address().toString()));
    }

    private static String ejectedBy(String node) {
        return "proxy " + node + " sends it no requests";
    }

    private void add(Kind kind, String address, Instant at, String detail) {
        if (changes.size() < MAX_CHANGES) {
            changes.add(new FleetChange(kind, address, at, detail));
        }
    }

    List<FleetChange> changes() {
        return List.copyOf(changes);
    }
}
