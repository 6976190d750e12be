// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.security.ApiToken;
import io.redliner.controller.core.security.Role;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores API tokens, by their hash only. Revoked tokens stay stored, and are never found. */
public final class ApiTokenRepository {

    private static final String SELECT = """
            SELECT id, name, role, teams, created_by, created_at, expires_at, last_used_at FROM api_token
            WHERE revoked_at IS NULL""";

    private final JdbcClient jdbc;

    public ApiTokenRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A token that is to be created. */
    public record NewToken(String name, Role role, Set<String> teams, String createdBy, Instant createdAt,
            Instant expiresAt) {}

    /** Adds a token. Returns false when there is one of this name. */
    public boolean create(NewToken token, String hash) {
        try {
            jdbc.sql("""
                    INSERT INTO api_token (name, hash, role, teams, created_by, created_at, expires_at)
                    VALUES (:name, :hash, :role, :teams, :by, :at, :expires)""")
                    .param("name", token.name())
                    .param("hash", hash)
                    .param("role", token.role().name())
                    .param("teams", token.teams().toArray(String[]::new))
                    .param("by", token.createdBy())
                    .param("at", SqlTimestamps.sql(token.createdAt()))
                    .param("expires", SqlTimestamps.sql(token.expiresAt()))
                    .update();
            return true;
        } catch (DuplicateKeyException taken) {
            return false;
        }
    }

    public Optional<ApiToken> byHash(String hash) {
        return jdbc.sql(SELECT + " AND hash = :hash").param("hash", hash).query(ApiTokenRepository::token).optional();
    }

    public Optional<ApiToken> byName(String name) {
        return jdbc.sql(SELECT + " AND name = :name").param("name", name).query(ApiTokenRepository::token).optional();
    }

    /** Returns all that are not revoked, expired ones too, by name. */
    public List<ApiToken> list() {
        return jdbc.sql(SELECT + " ORDER BY name").query(ApiTokenRepository::token).list();
    }

    /** Returns the hashes of all that are not revoked, of expired ones too. */
    public Set<String> hashes() {
        return jdbc.sql("SELECT hash FROM api_token WHERE revoked_at IS NULL").query(String.class).set();
    }

    /** Revokes a token. Returns false when there is none of this name. */
    public boolean revoke(String name, String by, Instant now) {
        return jdbc.sql("""
                UPDATE api_token SET revoked_at = :at, revoked_by = :by WHERE name = :name AND revoked_at IS NULL""")
                .param("name", name)
                .param("by", by)
                .param("at", SqlTimestamps.sql(now))
                .update() > 0;
    }

    public void used(long id, Instant now) {
        jdbc.sql("UPDATE api_token SET last_used_at = :at WHERE id = :id")
                .param("id", id)
                .param("at", SqlTimestamps.sql(now))
                .update();
    }

    private static ApiToken token(ResultSet row, int number) throws SQLException {
        Array teams = row.getArray("teams");
        return new ApiToken(row.getLong("id"), row.getString("name"), Role.valueOf(row.getString("role")),
                Set.of((String[]) teams.getArray()), row.getString("created_by"), SqlTimestamps.read(row, "created_at"),
                SqlTimestamps.read(row, "expires_at"), SqlTimestamps.readIfAny(row, "last_used_at"));
    }
}
