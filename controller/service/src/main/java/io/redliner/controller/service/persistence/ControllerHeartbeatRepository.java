// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Numbers that living controllers count up. */
public final class ControllerHeartbeatRepository {

    private final JdbcClient jdbc;

    public ControllerHeartbeatRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Counts a controller's number up. */
    public void beat(String controller) {
        jdbc.sql("""
                INSERT INTO controller_beat (id, beat) VALUES (:id, 1)
                ON CONFLICT (id) DO UPDATE SET beat = controller_beat.beat + 1""").param("id", controller).update();
    }

    /** The numbers of all controllers, also of those that died, by id. */
    public Map<String, Long> all() {
        Map<String, Long> beats = new HashMap<>();
        jdbc.sql("SELECT id, beat FROM controller_beat").query(row -> {
            beats.put(row.getString("id"), row.getLong("beat"));
        });
        return beats;
    }

    /** A controller is no more. */
    public void remove(String controller) {
        jdbc.sql("DELETE FROM controller_beat WHERE id = :id").param("id", controller).update();
    }

    /** A controller is no more, unless it has counted on from this number. */
    public void remove(String controller, long beat) {
        jdbc.sql("DELETE FROM controller_beat WHERE id = :id AND beat = :beat")
                .param("id", controller)
                .param("beat", beat)
                .update();
    }
}
