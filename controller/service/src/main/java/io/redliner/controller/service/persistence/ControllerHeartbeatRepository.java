// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The heartbeats of controllers: numbers that live controllers increment. */
public final class ControllerHeartbeatRepository {

    private final JdbcClient jdbc;

    public ControllerHeartbeatRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Increments the heartbeat of a controller; the first one is 1. */
    public void increment(String controller) {
        jdbc.sql("""
                INSERT INTO controller_heartbeat (id, count) VALUES (:id, 1)
                ON CONFLICT (id) DO UPDATE SET count = controller_heartbeat.count + 1""").param("id", controller)
                .update();
    }

    /** Returns the heartbeats of all controllers by id, also of those that died. */
    public Map<String, Long> all() {
        Map<String, Long> heartbeats = new HashMap<>();
        jdbc.sql("SELECT id, count FROM controller_heartbeat").query(row -> {
            heartbeats.put(row.getString("id"), row.getLong("count"));
        });
        return heartbeats;
    }

    /** Removes a controller. */
    public void remove(String controller) {
        jdbc.sql("DELETE FROM controller_heartbeat WHERE id = :id").param("id", controller).update();
    }

    /** Removes a controller, unless its heartbeat has moved from this number. */
    public void remove(String controller, long heartbeat) {
        jdbc.sql("DELETE FROM controller_heartbeat WHERE id = :id AND count = :heartbeat")
                .param("id", controller)
                .param("heartbeat", heartbeat)
                .update();
    }
}
