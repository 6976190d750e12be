// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.schedule.DueFiring;
import io.redliner.controller.service.persistence.ScheduleRepository;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;

@Execution(ExecutionMode.CONCURRENT)
class UpcomingFiringsServiceTest {

    private final Cluster cluster = new Cluster();

    private final Cluster.Node node = cluster.first;

    private final AtomicInteger statements = new AtomicInteger();

    private final AtomicInteger lookups = new AtomicInteger();

    @AfterEach
    void close() throws Exception {
        cluster.close();
    }

    /** Each statement takes a connection of its own. */
    private final class Counting extends DelegatingDataSource {

        Counting(DataSource source) {
            super(source);
        }

        @Override
        public Connection getConnection() throws SQLException {
            statements.incrementAndGet();
            return super.getConnection();
        }
    }

    @Test
    void many_plans_and_their_calendar_are_asked_for_at_once() {
        cluster.calendars.put("holidays", at -> Optional.empty());
        for (int number = 10; number < 30; number++) {
            node.put(Cluster.plan("plan-" + number, "{cron: \"%d * * * *\", except: [holidays]}".formatted(number)));
        }
        UpcomingFiringsService upcoming = new UpcomingFiringsService(
                new ScheduleRepository(JdbcClient.create(new Counting(node.source))),
                new ScheduledPlans(Cluster.READER, node.unreadable), (name, zone) -> {
                    lookups.incrementAndGet();
                    return Optional.ofNullable(cluster.calendars.get(name));
                });
        Instant now = cluster.clock.instant();

        List<DueFiring> due = upcoming.before(now.plus(Duration.ofHours(3)), null, 500);

        assertThat(due).hasSizeBetween(59, 61).isSortedAccordingTo((one, other) -> one.at().compareTo(other.at()));
        assertThat(due).extracting(DueFiring::plan).contains("plan-10", "plan-29");
        assertThat(statements.get()).isEqualTo(2);
        assertThat(lookups.get()).isEqualTo(1);
    }
}
