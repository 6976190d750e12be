// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Keeps plans and every version of each. */
public final class PlanStore {

    private static final String SELECT = """
            SELECT plan.name, version, content, hash, plan.created_at, plan.updated_at
            FROM plan JOIN plan_version ON plan_name = name AND version = current_version""";

    private final JdbcClient jdbc;

    private final TransactionTemplate transaction;

    public PlanStore(JdbcClient jdbc, TransactionTemplate transaction) {
        this.jdbc = jdbc;
        this.transaction = transaction;
    }

    /** Adds a plan; false when there is one of this name. */
    public boolean create(String name, String content, String hash, Instant now) {
        try {
            transaction.executeWithoutResult(status -> {
                jdbc.sql("INSERT INTO plan (name, current_version, created_at, updated_at) VALUES (:name, 1, :at, :at)")
                        .param("name", name)
                        .param("at", Times.sql(now))
                        .update();
                version(name, 1, content, hash, now);
            });
            return true;
        } catch (DuplicateKeyException taken) {
            return false;
        }
    }

    /** Gives a plan a new version, unless the content is the current one; false when there is no plan of this name. */
    public boolean replace(String name, String content, String hash, Instant now) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            Optional<Integer> current = jdbc.sql("SELECT current_version FROM plan WHERE name = :name FOR UPDATE")
                    .param("name", name)
                    .query(Integer.class)
                    .optional();
            if (current.isPresent() && !find(name).map(StoredPlan::hash).orElse("").equals(hash)) {
                version(name, current.get() + 1, content, hash, now);
                jdbc.sql("UPDATE plan SET current_version = :version, updated_at = :at WHERE name = :name")
                        .param("version", current.get() + 1)
                        .param("at", Times.sql(now))
                        .param("name", name)
                        .update();
            }
            return current.isPresent();
        }));
    }

    private void version(String name, int version, String content, String hash, Instant now) {
        jdbc.sql("""
                INSERT INTO plan_version (plan_name, version, content, hash, created_at)
                VALUES (:name, :version, CAST(:content AS jsonb), :hash, :at)""")
                .param("name", name)
                .param("version", version)
                .param("content", content)
                .param("hash", hash)
                .param("at", Times.sql(now))
                .update();
    }

    /** Removes a plan with its versions; runs keep what they executed. False when there is none. */
    public boolean delete(String name) {
        return jdbc.sql("DELETE FROM plan WHERE name = :name").param("name", name).update() > 0;
    }

    /** The plan with this name. */
    public Optional<StoredPlan> find(String name) {
        return jdbc.sql(SELECT + " WHERE name = :name").param("name", name).query(PlanStore::plan).optional();
    }

    /** All plans by name. */
    public List<StoredPlan> list() {
        return jdbc.sql(SELECT + " ORDER BY name").query(PlanStore::plan).list();
    }

    private static StoredPlan plan(ResultSet row, int number) throws SQLException {
        return new StoredPlan(row.getString("name"), row.getInt("version"), row.getString("content"),
                row.getString("hash"), Times.read(row, "created_at"), Times.read(row, "updated_at"));
    }
}
