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
import io.redliner.controller.service.persistence.LiveRunRepository.Contradicted;
import io.redliner.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

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
        return runs.unproven(ENGAGED_AT, 50).stream().map(StoredRun::id).toList();
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
        safety.setKillSwitch(true, "ops", "x", ENGAGED_AT);
        finish("r1", "shop", ENGAGED_AT.minus(day.multipliedBy(400)), "CONTRADICTED");
        finish("r2", "cart", ENGAGED_AT.minus(day.multipliedBy(4)), "BY_EXPIRY");
        finish("r3", "shop", "b:1", ENGAGED_AT.minus(day.multipliedBy(3)), "MEASURED");
        assertThat(unproven()).containsExactly("r1");
        assertThat(runs.contradicted("shop", 10)).containsExactly(new Contradicted("r1", "shop", "a:1"));
        assertThat(runs.contradicted("cart", 10)).isEmpty();
        assertThat(traffic()).as("of the switch, as on the board").isEqualTo(Traffic.UNKNOWN);

        finish("r4", "shop", ENGAGED_AT.minus(day.multipliedBy(2)), "MEASURED_AFTER_EXPIRY");

        assertThat(unproven()).isEmpty();
        assertThat(runs.contradicted(null, 10)).isEmpty();
        assertThat(traffic()).isEqualTo(Traffic.NOT_MOVED);
    }

    @Test
    void harmless_ends_push_no_run_out_whose_traffic_was_not_natural() {
        finish("bad", "shop", ENGAGED_AT.minus(Duration.ofHours(30)), "CONTRADICTED");
        for (int run = 0; run < 60; run++) {
            finish("harmless-" + run, "cart", ENGAGED_AT.minusSeconds(run), "ACKNOWLEDGED");
        }

        assertThat(unproven()).hasSize(50).startsWith("bad", "harmless-0", "harmless-1");
        assertThat(runs.contradicted(null, 1)).containsExactly(new Contradicted("bad", "shop", "a:1"));
    }

    @Test
    void a_run_that_cannot_be_read_has_an_alarm_too() {
        finish("r1", "shop", ENGAGED_AT, "CONTRADICTED_AFTER_EXPIRY");
        JDBC.sql("UPDATE run SET state = jsonb_build_object('restored', state->'restored')").update();

        assertThat(unproven()).isEmpty();
        assertThat(runs.contradicted("shop", 10)).extracting(Contradicted::run).containsExactly("r1");
    }

    @Test
    void runs_that_ended_unproven_are_found_without_reading_all_runs() {
        try (SingleConnectionDataSource connection = new SingleConnectionDataSource(DATABASE.jdbcUrl(), true)) {
            JdbcClient jdbc = JdbcClient.create(connection);
            jdbc.sql("SET enable_seqscan = off").update();

            for (String condition : List.of(RunRowMapper.UNPROVEN,
                    RunRowMapper.CONTRADICTED + " AND " + RunRowMapper.NOT_MEASURED_SINCE)) {
                assertThat(
                        jdbc.sql("EXPLAIN SELECT id FROM run WHERE " + condition).param("until", ENGAGED_AT.toString())
                                .query(String.class).list())
                        .anyMatch(line -> line.contains("run_contradicted"));
            }
        }
    }
}
