// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.contract.Epochs;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.controller.core.port.RunRepository.DecisionRecord;
import io.redliner.controller.core.port.RunRepository.RunVersion;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOrder;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.StartPolicy;
import io.redliner.controller.core.safety.RunRejectedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Keeps runs in memory, for controllers in virtual time. A failure that is set is thrown by every method. */
public final class InMemoryRunRepository implements RunRepository {

    private static final StartPolicy START_POLICY = new StartPolicy(1000, 1000);

    private static final StartPolicy.SafetyStatus OPEN = new StartPolicy.SafetyStatus(
            new KillSwitch(false, "", "", Instant.EPOCH), List.of(),
            0, 0, null, 0);

    private final Map<String, Row> rows = new LinkedHashMap<>();

    private final Map<String, Long> epochs = new HashMap<>();

    private final Map<String, Use> keys = new HashMap<>();

    private @Nullable RuntimeException failure;

    /** The use of an idempotency key. */
    private record Use(String bodyHash, String runId) {}

    private static final class Row {

        private StoredRun run;

        private final @Nullable String conflictGroup;

        private final List<DecisionRecord> journal = new ArrayList<>();

        private long letGoAt = -1;

        private boolean finalPublished;

        Row(StoredRun run, @Nullable String conflictGroup) {
            this.run = run;
            this.conflictGroup = conflictGroup;
        }

        boolean live() {
            return run.state().phase() != RunPhase.FINISHED;
        }

        String service() {
            return run.state().facts().service();
        }
    }

    /** From now on every method throws this; null: none does. */
    public synchronized void failWith(@Nullable RuntimeException newFailure) {
        failure = newFailure;
    }

    private Map<String, Row> rows() {
        if (failure != null) {
            throw failure;
        }
        return rows;
    }

    private List<Row> liveRows() {
        return rows().values().stream().filter(Row::live).toList();
    }

    /** The decisions of a run, in their order. */
    public synchronized List<DecisionRecord> journal(String runId) {
        return List.copyOf(Objects.requireNonNull(rows.get(runId)).journal);
    }

    /** The events of a run's journal, in their order. */
    public List<RunEvent> events(String runId) {
        return journal(runId).stream().map(DecisionRecord::event).toList();
    }

    @Override
    public synchronized StoredRun register(RunOrder order, @Nullable String idempotencyKey, String bodyHash) {
        Optional<StoredRun> earlier = findByIdempotencyKey(idempotencyKey, bodyHash);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        String service = order.facts().service();
        for (Row row : liveRows()) {
            if (row.service().equals(service)) {
                throw RunRejectedException.busy("service " + service, row.run.id());
            }
            if (order.conflictGroup() != null && order.conflictGroup().equals(row.conflictGroup)) {
                throw RunRejectedException.busy("conflict group " + order.conflictGroup(), row.run.id());
            }
        }
        RunFacts permitted = START_POLICY.check(order, OPEN);
        StoredRun run = StoredRun.registered(order, permitted.withEpoch(raiseEpoch(service, order.seenEpoch())));
        rows.put(run.id(), new Row(run, order.conflictGroup()));
        if (idempotencyKey != null) {
            keys.put(idempotencyKey, new Use(bodyHash, run.id()));
        }
        return run;
    }

    @Override
    public RunFacts recheckStart(RunOrder order) {
        return START_POLICY.recheck(order, OPEN);
    }

    @Override
    public synchronized Optional<StoredRun> findByIdempotencyKey(@Nullable String key, String bodyHash) {
        Use use = key == null ? null : keys.get(key);
        if (key == null || use == null) {
            return Optional.empty();
        }
        if (!use.bodyHash().equals(bodyHash)) {
            throw RunRejectedException.keyUsed(key, "run", use.runId());
        }
        return find(use.runId());
    }

    @Override
    public synchronized long raiseEpoch(String service, long seen) {
        rows();
        long last = epochs.getOrDefault(service, 0L);
        long next = (seen >= last && seen - last <= Epochs.MAX_JUMP ? seen : last) + 1;
        epochs.put(service, next);
        return next;
    }

    @Override
    public synchronized Set<String> record(List<DecisionRecord> made) {
        Map<String, List<DecisionRecord>> byRun = made.stream()
                .collect(Collectors.groupingBy(DecisionRecord::runId, LinkedHashMap::new, Collectors.toList()));
        Set<String> kept = new HashSet<>();
        byRun.forEach((id, decisions) -> {
            Row row = rows().get(id);
            if (row != null && row.run.version() == decisions.getFirst().before().version()) {
                row.journal.addAll(decisions);
                row.run = decisions.getLast().after();
                kept.add(id);
            }
        });
        return kept;
    }

    @Override
    public synchronized List<RunVersion> runVersions() {
        return liveRows().stream().filter(row -> !row.run.state().facts().awaitsApproval())
                .map(row -> new RunVersion(row.run.id(), row.run.version(), row.letGoAt == row.run.version()))
                .toList();
    }

    @Override
    public synchronized Set<String> release(List<StoredRun> runs) {
        Set<String> free = new HashSet<>();
        for (StoredRun run : runs) {
            Row row = rows().get(run.id());
            if (row != null && row.run.version() == run.version()) {
                row.letGoAt = run.version();
                free.add(run.id());
            }
        }
        return free;
    }

    @Override
    public synchronized Optional<StoredRun> find(String id) {
        return Optional.ofNullable(rows().get(id)).map(row -> row.run);
    }

    @Override
    public synchronized Optional<StoredRun> live(String id) {
        return Optional.ofNullable(rows().get(id)).filter(Row::live).map(row -> row.run);
    }

    @Override
    public synchronized List<StoredRun> awaitingApproval() {
        return liveRows().stream().map(row -> row.run).filter(run -> run.state().facts().awaitsApproval()).toList();
    }

    @Override
    public synchronized List<StoredRun> finishedUnpublished() {
        return rows().values().stream().filter(row -> !row.live() && !row.finalPublished)
                .filter(row -> rows.values().stream().noneMatch(other -> other.service().equals(row.service())
                        && other.run.state().facts().epoch() > row.run.state().facts().epoch()))
                .map(row -> row.run)
                .toList();
    }

    @Override
    public synchronized void markFinalPublished(String runId, Instant at) {
        Objects.requireNonNull(rows().get(runId)).finalPublished = true;
    }

    @Override
    public synchronized Map<String, String> holders() {
        return liveRows().stream().collect(Collectors.toMap(Row::service, row -> row.run.id()));
    }

    @Override
    public synchronized Optional<String> holder(String service) {
        return liveRows().stream().filter(row -> row.service().equals(service)).map(row -> row.run.id()).findFirst();
    }
}
