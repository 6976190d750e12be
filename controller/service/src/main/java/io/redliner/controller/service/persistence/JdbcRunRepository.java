// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.contract.Epochs;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.RunRepository.DecisionRecord;
import io.redliner.controller.core.port.RunRepository.RunVersion;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOrder;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.StartPolicy;
import io.redliner.controller.core.run.UnreadableRunRecovery;
import io.redliner.controller.core.safety.RunRejectedException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Stores runs in PostgreSQL. */
public final class JdbcRunRepository implements RunRepository {

    private final JdbcClient jdbc;

    private final TransactionTemplate transaction;

    private final RunJsonMapper json;

    private final DecisionWriter decisions;

    private final RunRowMapper rows;

    private final IdempotencyKeys keys;

    private final SafetyRepository safety;

    private final StartPolicy startPolicy;

    private final List<DecisionListener> listeners;

    /**
     * Creates a repository.
     *
     * @param startPolicy decides whether a run may start
     * @param listeners called for each decision in the transaction that stores it
     */
    public JdbcRunRepository(JdbcClient jdbc, TransactionTemplate transaction, RunJsonMapper json,
            SafetyRepository safety,
            StartPolicy startPolicy, List<DecisionListener> listeners, UnreadableRows unreadable) {
        this.safety = safety;
        this.startPolicy = startPolicy;
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.json = json;
        this.rows = new RunRowMapper(json, unreadable);
        this.keys = new IdempotencyKeys(jdbc);
        this.decisions = new DecisionWriter(jdbc, json, new CapacityRepository(jdbc, json, unreadable));
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public StoredRun register(RunOrder order, @Nullable String idempotencyKey, String bodyHash) {
        Optional<StoredRun> earlier = findByIdempotencyKey(idempotencyKey, bodyHash);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        try {
            return required(transaction.execute(status -> insert(order, idempotencyKey, bodyHash)));
        } catch (DuplicateKeyException lost) {
            return findByIdempotencyKey(idempotencyKey, bodyHash).orElseThrow(() -> busy(order));
        }
    }

    private RunRejectedException busy(RunOrder order) {
        String group = order.conflictGroup();
        String service = order.facts().service();
        Optional<String> holder = holder(service);
        if (holder.isPresent() || group == null) {
            return RunRejectedException.busy("service " + service, holder.orElse("that has just ended"));
        }
        return RunRejectedException.busy("conflict group " + group, holderOf(group).orElse("that has just ended"));
    }

    @Override
    public RunFacts recheckStart(RunOrder order) {
        // It is counted among the live ones already.
        return required(transaction.execute(status -> startPolicy.recheck(order, safety.standing(order))));
    }

    @Override
    public Optional<StoredRun> findByIdempotencyKey(@Nullable String key, String bodyHash) {
        return keys.find(IdempotencyKeys.Owner.RUN, key, bodyHash)
                .flatMap(id -> jdbc.sql(RunRowMapper.SELECT + " WHERE id = :id").param("id", id)
                        .query(rows::readOrSalvage).optional());
    }

    private StoredRun insert(RunOrder order, @Nullable String idempotencyKey, String bodyHash) {
        RunFacts permitted = startPolicy.check(order, safety.standing(order));
        RunFacts facts = permitted.withEpoch(raiseEpoch(permitted.service(), order.seenEpoch()));
        StoredRun run = StoredRun.registered(order, facts);
        jdbc.sql("""
                INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, epoch, state, version,
                                 journal_sequence, submitted_at, conflict_group, cluster, awaits_approval, first_state)
                VALUES (:id, :service, :sut, :planName, :planHash, CAST(:plan AS jsonb), :phase, :epoch,
                        CAST(:state AS jsonb), 0, 0, :submittedAt, :group, :cluster, :awaits,
                        CAST(:state AS jsonb))""")
                .param("id", run.id())
                .param("service", facts.service())
                .param("sut", facts.sut())
                .param("planName", run.plan().name())
                .param("planHash", run.plan().hash())
                .param("plan", run.plan().json())
                .param("phase", RunPhase.PENDING.wireName())
                .param("epoch", facts.epoch())
                .param("state", json.write(run.state()))
                .param("submittedAt", SqlTimestamps.sql(run.submittedAt()))
                .param("group", order.conflictGroup())
                .param("cluster", order.cluster())
                .param("awaits", facts.awaitsApproval())
                .update();
        if (idempotencyKey != null) {
            keys.add(IdempotencyKeys.Owner.RUN, idempotencyKey, bodyHash, run.id(), run.submittedAt());
        }
        return run;
    }

    @Override
    public long raiseEpoch(String service, long seen) {
        return jdbc.sql("""
                INSERT INTO service_epoch (service, epoch)
                VALUES (:service, CASE WHEN :seen BETWEEN 0 AND :jump THEN :seen ELSE 0 END + 1)
                ON CONFLICT (service) DO UPDATE SET epoch =
                CASE WHEN :seen - service_epoch.epoch BETWEEN 0 AND :jump THEN :seen ELSE service_epoch.epoch END + 1
                RETURNING epoch""").param("service", service).param("seen", Math.max(0, seen))
                .param("jump", Epochs.MAX_JUMP).query(Long.class).single();
    }

    @Override
    public Set<String> record(List<DecisionRecord> made) {
        return required(transaction.execute(status -> {
            Set<String> kept = decisions.write(made);
            made.stream().filter(one -> kept.contains(one.runId()))
                    .forEach(one -> listeners.forEach(listener -> listener.stored(one)));
            return kept;
        }));
    }

    @Override
    public List<RunVersion> runVersions() {
        return jdbc.sql("""
                SELECT id, version, let_go_at IS NOT DISTINCT FROM version AS free
                FROM run WHERE phase <> 'Finished' AND NOT awaits_approval""")
                .query((row, number) -> new RunVersion(row.getString("id"), row.getLong("version"),
                        row.getBoolean("free")))
                .list();
    }

    @Override
    public Set<String> release(List<StoredRun> runs) {
        return Set.copyOf(jdbc.sql("""
                UPDATE run SET let_go_at = run.version
                FROM unnest(CAST(:ids AS text[]), CAST(:versions AS bigint[])) AS ours(id, version)
                WHERE run.id = ours.id AND run.version = ours.version
                RETURNING run.id""")
                .param("ids", runs.stream().map(StoredRun::id).toArray(String[]::new))
                .param("versions", runs.stream().map(StoredRun::version).toArray(Long[]::new))
                .query(String.class)
                .list());
    }

    @Override
    public Optional<StoredRun> find(String id) {
        return jdbc.sql(RunRowMapper.SELECT + " WHERE id = :id").param("id", id).query(rows::read).optional();
    }

    /** See {@link UnreadableRunRecovery} for a run whose state cannot be read. */
    @Override
    public Optional<StoredRun> live(String id) {
        return jdbc.sql(RunRowMapper.SELECT + " WHERE phase <> 'Finished' AND id = :id")
                .param("id", id)
                .query(rows::readOrSalvage)
                .optional();
    }

    @Override
    public List<StoredRun> awaitingApproval() {
        return jdbc.sql(RunRowMapper.SELECT + " WHERE phase <> 'Finished' AND awaits_approval ORDER BY submitted_at")
                .query(rows::readOrSalvage)
                .list();
    }

    @Override
    public List<StoredRun> finishedUnpublished() {
        return jdbc
                .sql(RunRowMapper.SELECT + " WHERE phase = 'Finished' AND end_published_at IS NULL"
                        + " AND NOT EXISTS (SELECT 1 FROM run newer WHERE newer.service = run.service AND newer.epoch > run.epoch)"
                        + " ORDER BY submitted_at")
                .query(rows::readOrSkip)
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    @Override
    public void markFinalPublished(String runId, Instant at) {
        jdbc.sql("UPDATE run SET end_published_at = :at WHERE id = :id")
                .param("at", SqlTimestamps.sql(at))
                .param("id", runId)
                .update();
    }

    @Override
    public Optional<String> holder(String service) {
        return jdbc.sql("SELECT id FROM run WHERE service = :service AND phase <> 'Finished'")
                .param("service", service)
                .query(String.class)
                .optional();
    }

    @Override
    public Map<String, String> holders() {
        return byService(jdbc.sql("SELECT service, id FROM run WHERE phase <> 'Finished'"));
    }

    private static Map<String, String> byService(JdbcClient.StatementSpec statement) {
        Map<String, String> runs = new HashMap<>();
        statement.query(row -> {
            runs.put(row.getString("service"), row.getString("id"));
        });
        return runs;
    }

    private Optional<String> holderOf(String conflictGroup) {
        return jdbc.sql("SELECT id FROM run WHERE conflict_group = :group AND phase <> 'Finished'")
                .param("group", conflictGroup)
                .query(String.class)
                .optional();
    }

    private static <T> T required(@Nullable T result) {
        if (result == null) {
            throw new IllegalStateException("a transaction without a result");
        }
        return result;
    }
}
