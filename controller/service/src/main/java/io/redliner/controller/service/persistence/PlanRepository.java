// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Stores plans with all their versions. Only the source that created a plan changes it. */
public final class PlanRepository {

    private static final String SELECT = """
            SELECT plan.name, version, content, hash, plan.created_at, plan.updated_at, source, source_file
            FROM plan JOIN plan_version ON plan_name = name AND version = current_version""";

    /** The number of the plan folder's advisory lock: "plans" in ASCII. */
    private static final long FOLDER_LOCK = 0x706c616e73L;

    private final JdbcClient jdbc;

    private final TransactionTemplate transaction;

    private final List<PlanChangeListener> listeners;

    public PlanRepository(JdbcClient jdbc, TransactionTemplate transaction, List<PlanChangeListener> listeners) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.listeners = List.copyOf(listeners);
    }

    /** Makes all others wait that take over a plan folder, until the transaction ends. */
    public void lockFolder() {
        jdbc.sql("SELECT pg_advisory_xact_lock(:lock)").param("lock", FOLDER_LOCK).query((row, number) -> true)
                .single();
    }

    /** Stores another file name of a plan. */
    public void moved(String name, String file) {
        jdbc.sql("UPDATE plan SET source_file = :file WHERE name = :name")
                .param("file", file)
                .param("name", name)
                .update();
    }

    /**
     * The origin of a plan.
     *
     * @param file in the plan folder, or namespace and name of the Kubernetes object
     */
    public record Origin(StoredPlan.Source source, @Nullable String file) {

        /** A user of the API. */
        public static final Origin API = new Origin(StoredPlan.Source.API, null);
    }

    /**
     * The content of a plan.
     *
     * @param canonical canonical JSON
     * @param written YAML as its author wrote it, with comments; absent when there is none
     */
    public record Content(String canonical, String hash, @Nullable String written) {}

    /** Adds a plan; false when there is one of this name. */
    public boolean create(String name, Content content, Instant now) {
        return create(name, content, now, Origin.API);
    }

    /** Adds a plan of this origin; false when there is one of this name. */
    public boolean create(String name, Content content, Instant now, Origin origin) {
        try {
            transaction.executeWithoutResult(status -> add(name, content, now, origin));
            return true;
        } catch (DuplicateKeyException taken) {
            return false;
        }
    }

    /** Adds a new plan, within a transaction, which fails when a plan of this name exists. */
    public void add(String name, Content content, Instant now, Origin origin) {
        jdbc.sql("""
                INSERT INTO plan (name, current_version, created_at, updated_at, source, source_file)
                VALUES (:name, 1, :at, :at, :source, :file)""")
                .param("name", name)
                .param("at", SqlTimestamps.sql(now))
                .param("source", origin.source().wireName())
                .param("file", origin.file())
                .update();
        version(name, 1, content, now);
    }

    /**
     * Gives a plan a new version, unless content and text are the current ones; false when there is no plan of this name.
     *
     * @throws PlanOwnedException when it does not come from the API
     */
    public boolean replace(String name, Content content, Instant now) {
        return replace(name, content, now, Origin.API);
    }

    /**
     * Gives a plan of the API a new version, if the stored one is still the version that the user read.
     *
     * @param expected tests the stored plan
     * @throws PlanChangedException when the test fails, or there is no plan of this name
     * @throws PlanOwnedException when it does not come from the API
     */
    public void replace(String name, Content content, Instant now, Predicate<StoredPlan> expected) {
        transaction.executeWithoutResult(status -> {
            require(name, expected, StoredPlan.Source.API);
            replace(name, content, now);
        });
    }

    private void require(String name, Predicate<StoredPlan> expected, StoredPlan.Source source) {
        lock(name, source);
        StoredPlan current = find(name).orElseThrow(() -> new PlanChangedException(name));
        if (!expected.test(current)) {
            throw new PlanChangedException(current);
        }
    }

    /**
     * Gives a plan a new version, unless content and text are the current ones; false when there is no plan of this name.
     *
     * @throws PlanOwnedException when it comes from somewhere else
     */
    public boolean replace(String name, Content content, Instant now, Origin origin) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            Optional<Integer> current = lock(name, origin.source());
            if (current.isPresent() && isOther(name, content, current.get())) {
                jdbc.sql("""
                        UPDATE plan SET current_version = :version, updated_at = :at, source_file = :file
                        WHERE name = :name""")
                        .param("version", current.get() + 1)
                        .param("at", SqlTimestamps.sql(now))
                        .param("file", origin.file())
                        .param("name", name)
                        .update();
                version(name, current.get() + 1, content, now);
            }
            return current.isPresent();
        }));
    }

    /** A comment that changed is a change, too: what somebody saved is what is stored. */
    private boolean isOther(String name, Content content, int version) {
        return !find(name).map(StoredPlan::hash).orElse("").equals(content.hash())
                || (content.written() != null && !content.written().equals(written(name, version).orElse(null)));
    }

    private Optional<Integer> lock(String name, StoredPlan.Source source) {
        return jdbc.sql("SELECT current_version, source FROM plan WHERE name = :name FOR UPDATE")
                .param("name", name)
                .query((row, number) -> {
                    StoredPlan.Source owner = StoredPlan.Source.of(row.getString("source"));
                    if (owner != source) {
                        throw new PlanOwnedException(name, owner);
                    }
                    return row.getInt("current_version");
                })
                .optional();
    }

    private void version(String name, int version, Content content, Instant now) {
        jdbc.sql("""
                INSERT INTO plan_version (plan_name, version, content, hash, written, created_at)
                VALUES (:name, :version, CAST(:content AS jsonb), :hash, :written, :at)""")
                .param("name", name)
                .param("version", version)
                .param("content", content.canonical())
                .param("hash", content.hash())
                .param("written", content.written())
                .param("at", SqlTimestamps.sql(now))
                .update();
        listeners.forEach(listener -> listener.stored(name, version, content.canonical(), now));
    }

    /** Returns a version of a plan as its author wrote it; empty when that is not known. */
    public Optional<String> written(String name, int version) {
        return jdbc.sql("SELECT written FROM plan_version WHERE plan_name = :name AND version = :version"
                + " AND written IS NOT NULL")
                .param("name", name)
                .param("version", version)
                .query(String.class)
                .optional();
    }

    /**
     * Removes a plan with its versions; runs keep what they executed. False when there is none.
     *
     * @throws PlanOwnedException when it does not come from the API
     */
    public boolean delete(String name) {
        return delete(name, StoredPlan.Source.API);
    }

    /**
     * Removes a plan with its versions, if the stored one is still the version that the user read.
     *
     * @param expected tests the stored plan
     * @throws PlanChangedException when the test fails, or there is no plan of this name
     * @throws PlanOwnedException when it comes from somewhere else
     */
    public void delete(String name, Predicate<StoredPlan> expected, StoredPlan.Source source) {
        transaction.executeWithoutResult(status -> {
            require(name, expected, source);
            delete(name, source);
        });
    }

    /**
     * Removes a plan with its versions; runs keep what they executed. False when there is none.
     *
     * @throws PlanOwnedException when it comes from somewhere else
     */
    public boolean delete(String name, StoredPlan.Source source) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            if (lock(name, source).isEmpty()) {
                return false;
            }
            listeners.forEach(listener -> listener.removing(name));
            return jdbc.sql("DELETE FROM plan WHERE name = :name").param("name", name).update() > 0;
        }));
    }

    /** Returns the plan with this name. */
    public Optional<StoredPlan> find(String name) {
        return jdbc.sql(SELECT + " WHERE name = :name").param("name", name).query(PlanRepository::plan).optional();
    }

    /** Returns a version of the plan with this name. */
    public Optional<StoredPlan> find(String name, int version) {
        return jdbc
                .sql("""
                        SELECT plan.name, version, content, hash, plan.created_at, plan_version.created_at AS updated_at, source,
                               source_file
                        FROM plan JOIN plan_version ON plan_name = name WHERE name = :name AND version = :version""")
                .param("name", name)
                .param("version", version)
                .query(PlanRepository::plan)
                .optional();
    }

    /**
     * A version of a plan without its content.
     *
     * @param current whether it is the current one
     */
    public record Version(int version, String hash, Instant createdAt, boolean current) {}

    /** Versions of a plan below one, newest first. */
    public List<Version> versions(String name, int below, int limit) {
        return jdbc.sql("""
                SELECT version, hash, plan_version.created_at, version = current_version AS current
                FROM plan JOIN plan_version ON plan_name = name
                WHERE name = :name AND version < :below ORDER BY version DESC LIMIT :limit""")
                .param("name", name)
                .param("below", below)
                .param("limit", limit)
                .query((row, number) -> new Version(row.getInt("version"), row.getString("hash"),
                        SqlTimestamps.read(row, "created_at"), row.getBoolean("current")))
                .list();
    }

    /** Returns the newest version of a plan that says this; empty when none does. */
    public Optional<Integer> versionOf(String name, String hash) {
        return jdbc.sql("""
                SELECT version FROM plan_version WHERE plan_name = :name AND hash = :hash
                ORDER BY version DESC LIMIT 1""")
                .param("name", name)
                .param("hash", hash)
                .query(Integer.class)
                .optional();
    }

    /** Plans after a name, by name. */
    public List<StoredPlan> list(String after, int limit) {
        return jdbc.sql(SELECT + " WHERE name > :after ORDER BY name LIMIT :limit")
                .param("after", after)
                .param("limit", limit)
                .query(PlanRepository::plan)
                .list();
    }

    /** Returns the plans of a source by name. */
    public List<StoredPlan> of(StoredPlan.Source source) {
        return jdbc.sql(SELECT + " WHERE source = :source ORDER BY name")
                .param("source", source.wireName())
                .query(PlanRepository::plan)
                .list();
    }

    private static StoredPlan plan(ResultSet row, int number) throws SQLException {
        return new StoredPlan(row.getString("name"), row.getInt("version"), row.getString("content"),
                row.getString("hash"), SqlTimestamps.read(row, "created_at"), SqlTimestamps.read(row, "updated_at"),
                StoredPlan.Source.of(row.getString("source")), row.getString("source_file"));
    }
}
