// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.Simulation;
import io.redliner.controller.core.safety.KillSwitchEffect.Traffic;
import io.redliner.controller.scene.Databases;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The effect of the kill switch, and the runs that ended unproven, as the database knows them. */
@SequentialTests
class SafetyRepositoryTest {

    private static final Instant ENGAGED_AT = Instant.parse("2026-01-02T07:00:00Z");

    private static final TestDatabase DATABASE = Databases.migrated();

    private static final JdbcClient JDBC = JdbcClient.create(new DriverManagerDataSource(DATABASE.jdbcUrl()));

    private static final RunJsonMapper JSON = new RunJsonMapper();

    private static final String FINISHED = JSON
            .write(new Simulation(1).run().getLast().decision().state());

    private final SafetyRepository safety = new SafetyRepository(JDBC);

    private final LiveRunRepository runs = new LiveRunRepository(JDBC, JSON, new UnreadableRows());

    @BeforeEach
    void begin() {
        JDBC.sql("DELETE FROM run").update();
        JDBC.sql("UPDATE kill_switch SET engaged = false, at = 'epoch'").update();
    }

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    private static void finish(String id, String service, Instant at, String proof) {
        finish(id, service, "a:1", at, proof);
    }

    private static void finish(String id, String service, String sut, Instant at, String proof) {
        JDBC.sql("""
                INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, epoch, state, version,
                                 journal_sequence, submitted_at, finished_at, first_state)
                VALUES (:id, :service, :sut, 'plan', 'hash', '{}', 'Finished', 1,
                        jsonb_set(CAST(:state AS jsonb), '{restored,proof}', to_jsonb(CAST(:proof AS text))), 1, 1,
                        CAST(:at AS timestamptz) - interval '1 minute', :at, '{}')""")
                .param("id", id).param("service", service).param("sut", sut).param("proof", proof)
                .param("state", FINISHED).param("at", SqlTimestamps.sql(at)).update();
    }

    private Traffic traffic() {
        return safety.effectSince(safety.killSwitch().at()).traffic();
    }

    private List<String> unproven() {
        return runs.unproven(ENGAGED_AT, null, 10).stream().map(StoredRun::id).toList();
    }

    @Test
    void to_engage_it_again_with_a_reason_keeps_what_is_not_known() {
        safety.engageIfReleased("ops", "no reason given", ENGAGED_AT);
        finish("r1", "shop", ENGAGED_AT.plusSeconds(5), "BY_EXPIRY");
        assertThat(traffic()).isEqualTo(Traffic.UNKNOWN);

        KillSwitch explained = safety.setKillSwitch(true, "boss", "users complain", ENGAGED_AT.plusSeconds(60));

        assertThat(explained).isEqualTo(new KillSwitch(true, "boss", "users complain", ENGAGED_AT));
        assertThat(traffic()).isEqualTo(Traffic.UNKNOWN);
    }

    @Test
    void a_switch_that_was_released_counts_from_its_next_engagement() {
        safety.setKillSwitch(true, "ops", "x", ENGAGED_AT);
        safety.setKillSwitch(false, "ops", "over", ENGAGED_AT.plusSeconds(60));

        assertThat(safety.setKillSwitch(true, "ops", "y", ENGAGED_AT.plusSeconds(90)).at())
                .isEqualTo(ENGAGED_AT.plusSeconds(90));
    }

    @Test
    void a_run_that_ended_unproven_before_counts_until_one_of_its_instance_is_measured() {
        safety.setKillSwitch(true, "ops", "x", ENGAGED_AT);
        assertThat(traffic()).isEqualTo(Traffic.NOT_MOVED);
        finish("r1", "shop", ENGAGED_AT.minusSeconds(3000), "CONTRADICTED");
        assertThat(traffic()).isEqualTo(Traffic.UNKNOWN);
        finish("r2", "cart", ENGAGED_AT.minusSeconds(2000), "MEASURED");
        finish("r3", "shop", ENGAGED_AT.minusSeconds(2000), "NOT_NEEDED");
        finish("r5", "shop", "b:1", ENGAGED_AT.minusSeconds(1500), "MEASURED");
        assertThat(traffic()).isEqualTo(Traffic.UNKNOWN);
        assertThat(unproven()).containsExactly("r1");

        finish("r4", "shop", ENGAGED_AT.minusSeconds(1000), "MEASURED");

        assertThat(traffic()).isEqualTo(Traffic.NOT_MOVED);
        assertThat(unproven()).isEmpty();
    }

    @Test
    void traffic_that_was_measured_as_not_natural_is_remembered_for_longer_than_a_day() {
        Duration day = Duration.ofDays(1);
        finish("r1", "shop", ENGAGED_AT.minus(day.multipliedBy(4)), "CONTRADICTED");
        finish("r2", "cart", ENGAGED_AT.minus(day.multipliedBy(4)), "BY_EXPIRY");
        finish("r3", "shop", "b:1", ENGAGED_AT.minus(day.multipliedBy(3)), "MEASURED");
        assertThat(unproven()).containsExactly("r1");
        assertThat(runs.unproven(ENGAGED_AT, "shop", 10)).hasSize(1);
        assertThat(runs.unproven(ENGAGED_AT, "cart", 10)).isEmpty();

        finish("r4", "shop", ENGAGED_AT.minus(day.multipliedBy(2)), "MEASURED_AFTER_EXPIRY");

        assertThat(unproven()).isEmpty();
    }
}
