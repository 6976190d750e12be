// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.persistence.CalendarRepository;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** One file that shows a mistake of RedLiner's own, which is a clock here that fails at the first question. */
class PlanFolderValidatorTest {

    private static final Instant NOW = Instant.parse("2026-01-15T00:00:00Z");

    private static final String CALENDAR = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//test//EN
            BEGIN:VEVENT
            UID:a
            DTSTART;VALUE=DATE:20260501
            END:VEVENT
            END:VCALENDAR
            """.replace("\n", "\r\n");

    private final AtomicInteger questions = new AtomicInteger();

    private PlanFolderValidator.Reading read(Map<String, String> texts, RuntimeException failure) {
        InstantSource clock = () -> {
            if (questions.getAndIncrement() == 0) {
                throw failure;
            }
            return NOW;
        };
        CalendarRepository nothing = new CalendarRepository(JdbcClient.create(new DriverManagerDataSource()), clock);
        return new PlanFolderValidator(Cluster.READER, nothing, (name, zone) -> Optional.empty(), clock)
                .read(new PlanFolderContent(new TreeMap<>(texts), new TreeMap<>()), Set.of(), Map.of());
    }

    @Test
    void an_unexpected_failure_of_a_calendar_is_a_problem_of_its_file() {
        PlanFolderValidator.Reading reading = read(Map.of("a.ics", CALENDAR, "b.ics", CALENDAR),
                new IllegalStateException("odd"));

        assertThat(reading.problems()).extracting(PlanFolderProblem::file).containsExactly("a.ics");
        assertThat(reading.problems().getFirst().message()).contains("IllegalStateException: odd");
        assertThat(reading.refused().hasCalendar("a")).as("what is stored stays").isTrue();
        assertThat(reading.calendars()).containsOnlyKeys("b");
    }

    @Test
    void an_unexpected_failure_of_a_plan_is_a_problem_of_its_file() {
        PlanFolderValidator.Reading reading = read(Map.of("a.yaml", plan("a"), "b.yaml", plan("b")),
                new IllegalStateException("odd"));

        assertThat(reading.problems()).extracting(PlanFolderProblem::file).containsExactly("a.yaml");
        assertThat(reading.refused().contains("a.yaml")).isTrue();
        assertThat(reading.plans()).containsOnlyKeys("b");
    }

    @Test
    void a_database_that_is_away_is_a_problem_of_no_file() {
        assertThatThrownBy(() -> read(Map.of("a.yaml", plan("a")), new DataAccessResourceFailureException("away")))
                .isInstanceOf(DataAccessResourceFailureException.class);
    }

    private static String plan(String name) {
        return Scene.plan("shop", name) + "  schedule: {interval: 6h}\n";
    }
}
