// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The runs that this controller drives, by id and by service. Thread-safe for readers. */
final class ActiveRunRegistry {

    private final Map<String, ActiveRun> byId = new ConcurrentHashMap<>();

    /** Usually one run per service; two until the loss of one to another controller is noticed. */
    private final Map<String, List<ActiveRun>> byService = new ConcurrentHashMap<>();

    /** Adds a run. Returns false when there is one with its id. */
    boolean add(ActiveRun run) {
        if (byId.putIfAbsent(run.id(), run) != null) {
            return false;
        }
        byService.merge(run.service(), List.of(run),
                (some, one) -> Stream.concat(some.stream(), one.stream()).toList());
        return true;
    }

    void remove(ActiveRun run) {
        if (byId.remove(run.id(), run)) {
            byService.computeIfPresent(run.service(), (service, runs) -> {
                List<ActiveRun> others = runs.stream().filter(other -> other != run).toList();
                return others.isEmpty() ? null : others;
            });
        }
    }

    boolean contains(ActiveRun run) {
        return byId.get(run.id()) == run;
    }

    Optional<ActiveRun> find(String runId) {
        return Optional.ofNullable(byId.get(runId));
    }

    List<ActiveRun> of(String service) {
        return byService.getOrDefault(service, List.of());
    }

    Collection<ActiveRun> all() {
        return List.copyOf(byId.values());
    }

    Set<String> ids() {
        return Set.copyOf(byId.keySet());
    }

    int size() {
        return byId.size();
    }

    boolean isEmpty() {
        return byId.isEmpty();
    }
}
